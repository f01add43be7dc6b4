// Bytes of a checkpoint: refused with a reason, or a state that encodes to the same bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "islands/run_state.hpp"

namespace {

std::vector<atl::Attribute> make_table() {
  std::vector<atl::Attribute> table(3);
  table[0].name = "age";
  table[0].low = table[0].high = {17, 30, 41, 90};
  table[1].name = "b";
  table[1].kind = atl::AttributeKind::nominal;
  table[1].labels = {"x", "y", "z"};
  table[1].has_missing = true;
  table[2].name = "c";
  table[2].kind = atl::AttributeKind::ordinal;
  table[2].labels = {"low", "high"};
  for (atl::Attribute& attribute : table) {
    attribute.exact_distinct = attribute.distinct();
    attribute.counts.assign(attribute.distinct(), 3);
  }
  return table;
}

const std::vector<atl::Attribute> table = make_table();
const atl::BoundGrammar grammar(atl::Grammar::parse(atl::Grammar::builtin("association-full"),
                                                    "association-full"),
                                table, 4);

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const atl::RunState state = atl::decode_run_state(bytes, grammar);
    const atl::RunStateHeader header = atl::decode_header(bytes);
    if (header.generation != state.header.generation) std::abort();
    for (const atl::IslandState& island : state.islands) {
      for (const atl::Individual& individual : island.population) {
        if (!atl::sides_disjoint(individual.rule)) std::abort();
      }
    }
    const atl::Bytes again = atl::encode(state);
    if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
  } catch (const atl::BadBytes&) {
  }
  return 0;
}
