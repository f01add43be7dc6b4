#include "src/data/binning.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "src/core/error.hpp"

namespace atl {
namespace {

void check_names(const BinChoice& choice, const std::vector<Attribute>& attributes) {
  for (const auto& entry : choice.attribute_bins) {
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

std::uint32_t max_bins(const BinChoice& choice, const std::string& name) {
  const auto& exact = choice.exact;
  if (std::find(exact.begin(), exact.end(), name) != exact.end()) return 0;
  const auto found = choice.attribute_bins.find(name);
  return found == choice.attribute_bins.end() ? choice.max_bins : found->second;
}

bool is_to_be_labels(const BinChoice& choice, const Attribute& attribute) {
  const auto& names = choice.labels;
  const auto bins = choice.attribute_bins.find(attribute.name);
  const bool cut = bins != choice.attribute_bins.end() && bins->second != 0 &&
                   attribute.distinct() > bins->second;
  return !cut && can_be_labels(attribute) &&
         std::find(names.begin(), names.end(), attribute.name) != names.end();
}

__extension__ using Wide = unsigned __int128;

std::uint64_t divide_up(Wide dividend, Wide divisor) noexcept {
  return static_cast<std::uint64_t>((dividend + divisor - 1) / divisor);
}

// Cumulative counts that bins close at, ascending; the last is n. With t bins in each tail and m in
// between: k n / 100 t, then n / 100 + 98 k n / 100 m, then 99 n / 100 + k n / 100 t, rounded up.
std::vector<std::uint64_t> targets(Wide n, std::uint32_t max_bins) {
  const std::uint32_t tail = std::min<std::uint32_t>(8, max_bins / 8);
  if (tail == 0) {
    std::vector<std::uint64_t> even;
    for (std::uint32_t k = 1; k <= max_bins; ++k) even.push_back(divide_up(n * k, max_bins));
    return even;
  }
  std::vector<std::uint64_t> out;
  out.reserve(max_bins);
  const std::uint32_t middle = max_bins - 2 * tail;
  for (std::uint32_t k = 1; k <= tail; ++k) out.push_back(divide_up(n * k, 100 * tail));
  for (std::uint32_t k = 1; k <= middle; ++k) {
    out.push_back(divide_up(n * middle + n * 98 * k, Wide{100} * middle));
  }
  for (std::uint32_t k = 1; k <= tail; ++k) {
    out.push_back(divide_up(n * 99 * tail + n * k, 100 * tail));
  }
  return out;
}

}  // namespace

BinPlan plan_bins(std::vector<Attribute> exact, const BinChoice& choice) {
  check_names(choice, exact);
  BinPlan plan;
  for (Attribute& attribute : exact) {
    attribute.as_labels = is_to_be_labels(choice, attribute);
    const std::uint32_t bins = max_bins(choice, attribute.name);
    const bool binned = has_numbers(attribute.kind) && !attribute.as_labels && bins != 0 &&
                        attribute.distinct() > bins;
    plan.bin_ends.push_back(binned ? bin_ends(attribute.counts, bins)
                                   : std::vector<std::uint32_t>{});
    plan.attributes.push_back(binned ? apply_bins(attribute, plan.bin_ends.back())
                                     : std::move(attribute));
  }
  return plan;
}

Dataset with_bins(const Dataset& exact, const BinPlan& plan, ThreadPool& pool) {
  const auto before = exact.attributes();
  std::vector<Attribute> attributes;
  std::size_t planes = 0;
  for (std::size_t a = 0; a < before.size(); ++a) {
    assert(!before[a].binned());
    planes += before[a].planes() + (before[a].has_missing ? 1U : 0U);
    const auto& ends = plan.bin_ends[a];
    attributes.push_back(ends.empty() ? before[a] : apply_bins(before[a], ends));
    attributes.back().as_labels = plan.attributes[a].as_labels;
  }
  const std::uint64_t rows = exact.partitions() == 0 ? 0 : exact.partition_rows(0);
  const std::uint64_t granules =
      std::max<std::uint64_t>(1, (rows + partition_granule - 1) / partition_granule);
  DatasetBuilder builder(std::move(attributes),
                         static_cast<std::uint32_t>(granules * partition_granule));
  std::vector<std::span<const std::uint64_t>> words;
  for (std::size_t p = 0; p < exact.partitions(); ++p) {
    words.emplace_back(exact.plane(p, 0, 0).data(), planes * exact.plane_stride(p));
  }
  if (rows > 0) builder.append_planes(exact.rows(), words, plan.bin_ends, &pool);
  return builder.finish(exact.fingerprint());
}

std::vector<std::uint32_t> bin_ends(std::span<const std::uint64_t> counts, std::uint32_t max_bins) {
  std::vector<std::uint32_t> ends;
  if (max_bins == 0 || counts.size() <= max_bins) {
    ends.resize(counts.size());
    std::iota(ends.begin(), ends.end(), 0U);
    return ends;
  }
  const std::uint64_t n = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const std::vector<std::uint64_t> closing = targets(n, max_bins);
  auto target = closing.begin();
  std::uint64_t cumulative = 0;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    cumulative += counts[code];
    if (target == closing.end() || cumulative < *target) continue;
    ends.push_back(static_cast<std::uint32_t>(code));
    target = std::upper_bound(target, closing.end(), cumulative);
  }
  ends.back() = static_cast<std::uint32_t>(counts.size() - 1);
  return ends;
}

Attribute apply_bins(const Attribute& exact, std::span<const std::uint32_t> ends) {
  assert(has_numbers(exact.kind) && !ends.empty());
  assert(ends.back() + std::size_t{1} == exact.low.size());
  Attribute binned = exact;
  binned.low.clear();
  binned.high.clear();
  binned.counts.clear();
  std::size_t first = 0;
  for (const std::uint32_t end : ends) {
    binned.low.push_back(exact.low[first]);
    binned.high.push_back(exact.high[end]);
    const auto from = exact.counts.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = exact.counts.begin() + static_cast<std::ptrdiff_t>(end) + 1;
    binned.counts.push_back(std::accumulate(from, to, std::uint64_t{0}));
    first = std::size_t{end} + 1;
  }
  return binned;
}

}  // namespace atl
