// Rule text: refused with a place in it, or read so that its print reads back to the same rule.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "src/core/error.hpp"
#include "src/rules/rule_text.hpp"

namespace {

using atl::Attribute;
using atl::AttributeKind;

Attribute numeric(const char* name, std::vector<double> low, std::vector<double> high) {
  Attribute attribute;
  attribute.name = name;
  attribute.exact_distinct = 10 * low.size();
  attribute.low = std::move(low);
  attribute.high = std::move(high);
  return attribute;
}

Attribute labelled(const char* name, AttributeKind kind, std::vector<std::string> labels) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = kind;
  attribute.has_missing = kind == AttributeKind::nominal;
  attribute.exact_distinct = labels.size();
  attribute.labels = std::move(labels);
  return attribute;
}

Attribute dated(const char* name, AttributeKind kind, std::vector<double> low,
                std::vector<double> high) {
  Attribute attribute = numeric(name, std::move(low), std::move(high));
  attribute.kind = kind;
  return attribute;
}

const std::vector<Attribute> table = {
    numeric("age", {-3, 17, 30.5, 1e9}, {-3, 17, 30.5, 1e9}),
    numeric("bin", {-8, -1, 5, 100}, {-2, 4, 5, 1e300}),
    labelled("income", AttributeKind::nominal, {"<=50K", ">50K", "a \"b\"\n", "in"}),
    labelled("the size", AttributeKind::ordinal, {"small", "=>", "large"}),
    dated("day", AttributeKind::date, {-86400e6, 0, 1709251200e6},
          {-86400e6, 86400e6, 1709251200e6}),
    dated("time", AttributeKind::date_time, {-1, 0, 1709296215.25e6}, {-1, 0, 1709296215.25e6}),
    dated("utc", AttributeKind::date_time_utc, {0, 1e6, 3e6}, {0, 2e6, 253402300799e6})};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  atl::Rule rule;
  try {
    rule = atl::parse_rule(text, table, "fuzz");
  } catch (const atl::BadCell&) {
    return 0;
  }
  if (atl::canonical(rule, table) != rule) std::abort();
  if (atl::parse_rule(atl::to_text(rule, table), table, "print") != rule) std::abort();
  atl::ByteWriter out;
  atl::encode(out, rule);
  atl::ByteReader in(out.bytes());
  if (atl::decode_rule(in, table) != rule) std::abort();
  return 0;
}
