#include "io/hdf5/load_plan.hpp"

#include <algorithm>
#include <utility>

#include "io/hdf5/dataset_tables.hpp"
#include "src/core/error.hpp"
#include "src/data/binning.hpp"

namespace atl::io {
namespace {

void check_names(const LoadOptions& options, const std::vector<Attribute>& attributes) {
  for (const auto& entry : options.attribute_bins) {
    const std::string& name = entry.first;
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const Attribute& a) { return a.name == name; });
    if (found == attributes.end()) {
      throw UsageError("bins for attribute " + printable(name) + ", which the data do not have");
    }
    if (!has_numbers(found->kind)) {
      throw UsageError("bins for attribute " + printable(name) + ", which is " +
                       to_string(found->kind) + ", not numeric");
    }
  }
}

std::uint32_t max_bins(const LoadOptions& options, const std::string& name) {
  if (options.exact == name) return 0;
  const auto found = options.attribute_bins.find(name);
  return found == options.attribute_bins.end() ? options.max_bins : found->second;
}

bool is_to_be_labels(const LoadOptions& options, const Attribute& attribute) {
  const auto& names = options.labels;
  const auto bins = options.attribute_bins.find(attribute.name);
  const bool cut = bins != options.attribute_bins.end() && bins->second != 0 &&
                   attribute.distinct() > bins->second;
  return !cut && can_be_labels(attribute) &&
         std::find(names.begin(), names.end(), attribute.name) != names.end();
}

void put_texts(ByteWriter& out, const std::vector<std::string>& texts) {
  out.put(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) out.put_text(text);
}

std::vector<std::string> get_texts(ByteReader& in) {
  std::vector<std::string> texts(in.get_count(sizeof(std::uint64_t)));
  for (std::string& text : texts) text = in.get_text();
  return texts;
}

void put(ByteWriter& out, const Attribute& attribute) {
  out.put_text(attribute.name);
  out.put(attribute.kind);
  out.put(attribute.role);
  out.put(attribute.has_missing);
  out.put(attribute.missing);
  out.put_all(std::span<const double>(attribute.low));
  out.put_all(std::span<const double>(attribute.high));
  put_texts(out, attribute.labels);
  out.put_all(std::span<const std::uint64_t>(attribute.counts));
  out.put(attribute.exact_distinct);
  out.put(attribute.as_labels);
  out.put_text(attribute.other);
  out.put(attribute.missing_tokens.has_value());
  if (attribute.missing_tokens) put_texts(out, *attribute.missing_tokens);
}

Attribute get_attribute(ByteReader& in) {
  Attribute attribute;
  attribute.name = in.get_text();
  attribute.kind = in.get<AttributeKind>();
  attribute.role = in.get<AttributeRole>();
  attribute.has_missing = in.get<bool>();
  attribute.missing = in.get<std::uint64_t>();
  attribute.low = in.get_all<double>();
  attribute.high = in.get_all<double>();
  attribute.labels = get_texts(in);
  attribute.counts = in.get_all<std::uint64_t>();
  attribute.exact_distinct = in.get<std::uint64_t>();
  attribute.as_labels = in.get<bool>();
  attribute.other = in.get_text();
  if (in.get<bool>()) attribute.missing_tokens = get_texts(in);
  return attribute;
}

}  // namespace

LoadPlan make_load_plan(DatasetSummary summary, const LoadOptions& options) {
  check_names(options, summary.attributes);
  LoadPlan plan;
  plan.rows = summary.rows;
  plan.partition_rows = summary.partition_rows;
  plan.fingerprint = summary.fingerprint;
  plan.extent = planes_extent(summary.rows, summary.partition_rows, summary.attributes);
  for (Attribute& attribute : summary.attributes) {
    attribute.as_labels = is_to_be_labels(options, attribute);
    const std::uint32_t bins = max_bins(options, attribute.name);
    const bool binned = has_numbers(attribute.kind) && !attribute.as_labels && bins != 0 &&
                        attribute.distinct() > bins;
    plan.bin_ends.push_back(binned ? bin_ends(attribute.counts, bins)
                                   : std::vector<std::uint32_t>{});
    plan.attributes.push_back(binned ? apply_bins(attribute, plan.bin_ends.back())
                                     : std::move(attribute));
  }
  return plan;
}

Bytes encode(const LoadPlan& plan) {
  ByteWriter out;
  out.put(plan.rows);
  out.put(plan.partition_rows);
  out.put(plan.fingerprint.low);
  out.put(plan.fingerprint.high);
  for (const std::uint64_t size : plan.extent) out.put(size);
  out.put(static_cast<std::uint64_t>(plan.attributes.size()));
  for (const Attribute& attribute : plan.attributes) put(out, attribute);
  for (const auto& ends : plan.bin_ends) out.put_all(std::span<const std::uint32_t>(ends));
  return std::move(out).take();
}

LoadPlan decode_load_plan(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  LoadPlan plan;
  plan.rows = in.get<std::uint64_t>();
  plan.partition_rows = in.get<std::uint32_t>();
  plan.fingerprint.low = in.get<std::uint64_t>();
  plan.fingerprint.high = in.get<std::uint64_t>();
  for (std::uint64_t& size : plan.extent) size = in.get<std::uint64_t>();
  const auto attributes = in.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < attributes; ++i) plan.attributes.push_back(get_attribute(in));
  for (std::uint64_t i = 0; i < attributes; ++i) {
    plan.bin_ends.push_back(in.get_all<std::uint32_t>());
  }
  in.expect_end();
  return plan;
}

}  // namespace atl::io
