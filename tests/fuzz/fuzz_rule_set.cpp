// A decision list, as text or, after a byte of zero, as bytes: refused with a reason, or read so
// that its print reads back to the same list and its bytes are the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "io/results/rule_set_json.hpp"
#include "src/core/error.hpp"
#include "src/rules/rule_set.hpp"
#include "src/rules/rule_set_text.hpp"
#include "tests/fuzz/run_state_table.hpp"

namespace {

using atl::fuzz::table;
constexpr std::uint32_t class_attribute = 1;

void expect(bool condition) {
  if (!condition) std::abort();
}

atl::Bytes encoded(const atl::RuleSet& list) {
  atl::ByteWriter out;
  atl::encode(out, list);
  return out.bytes();
}

/// What is read from either form, all that a list promises.
void look_into(const atl::RuleSet& list) {
  expect(atl::canonical(list, table) == list);
  expect(!atl::names(list, class_attribute));
  const std::string text = atl::to_text(list, table, table[class_attribute]);
  expect(atl::parse_rule_set(text, table, table[class_attribute], "print") == list);
  const atl::RuleSet there =
      atl::parse_rule_set_for(text, table, table, table[class_attribute], "print");
  expect(there.rules.size() == list.rules.size());
  expect(atl::canonical(there, table) == list);
  const atl::Bytes bytes = encoded(list);
  atl::ByteReader in(bytes);
  expect(atl::decode_rule_set(in, table, class_attribute) == list && in.left() == 0);
}

void read_bytes(std::span<const std::byte> bytes) {
  atl::RuleSet list;
  try {
    atl::ByteReader in(bytes);
    list = atl::decode_rule_set(in, table, class_attribute);
    in.expect_end();
  } catch (const atl::BadBytes&) {
    return;
  }
  const atl::Bytes again = encoded(list);
  expect(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
  look_into(list);
}

void read_text(std::string_view text) {
  atl::RuleSet list;
  try {
    list = atl::parse_rule_set(text, table, table[class_attribute], "fuzz");
  } catch (const atl::BadCell&) {
    return;
  }
  look_into(list);
}

void read_json(std::string_view json) {
  try {
    const atl::io::WrittenRuleSet list = atl::io::parse_rule_set_json(json, "fuzz");
    const atl::RuleSet there =
        atl::parse_rule_set_for(list.text, table, list.attributes, list.class_attribute, "fuzz");
    for (const atl::ClassRule& rule : there.rules)
      expect(rule.label < list.class_attribute.distinct());
    expect(there.default_class < list.class_attribute.distinct());
  } catch (const atl::BadData&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  if (size > 0 && data[0] == 0) {
    read_bytes(bytes.subspan(1));
  } else if (size > 0 && data[0] == 1) {
    read_json({reinterpret_cast<const char*>(data) + 1, size - 1});
  } else {
    read_text({reinterpret_cast<const char*>(data), size});
  }
  return 0;
}
