#include "cuda/rule_sets/list_piece.hpp"

#include <algorithm>

#include "src/eval/read_list_counts.hpp"

namespace atl::cuda {

std::size_t ListPiece::lists_for(std::span<const RuleSet> lists, std::uint32_t classes,
                                 std::uint64_t most_counters) {
  std::uint64_t counters = 0;
  std::size_t count = 0;
  for (; count < lists.size(); ++count) {
    // Each entry counts what it covers, by itself or shared, and what it decides.
    counters += lists[count].rules.size() * std::uint64_t{classes} * 2;
    if (counters > most_counters && count != 0) break;
  }
  return count;
}

void ListPiece::compile(std::span<const RuleSet> lists, const ClassTiles& tiles,
                        std::uint32_t count, const DeviceLimits& limits) {
  // There are as many groups as shared memory asks for, and so many that no processor is idle if
  // there are few rows.
  const std::uint64_t tasks = std::uint64_t{limits.processors} * 2;
  const std::uint64_t groups = std::max<std::uint64_t>(tasks / std::max(count, 1U), 1);
  const std::uint64_t together = (lists.size() + groups - 1) / groups;
  classes_ = tiles.classes();
  batch_.compile(lists, tiles,
                 {list_slots(limits).of_one_block, static_cast<std::uint32_t>(together)});
  program_.build(batch_);
  plan_ = plan_lists(limits, count, static_cast<std::uint32_t>(batch_.groups().size()),
                     program_.slots());
}

std::size_t ListPiece::program_words() const noexcept {
  return (program_.words().size() + unit_words - 1) / unit_words * unit_words;
}

std::uint32_t* ListPiece::write_program(std::uint32_t* to) const {
  std::copy(program_.words().begin(), program_.words().end(), to);
  return to + program_words();
}

ListsOnDevice ListPiece::on_device(const std::uint32_t* program) const noexcept {
  ListsOnDevice lists;
  lists.groups = reinterpret_cast<const ListGroupWords*>(program + program_.groups());
  lists.operands = reinterpret_cast<const uint4*>(program + program_.operands());
  lists.stream = reinterpret_cast<const uint4*>(program + program_.stream());
  lists.list_units = program + program_.list_units();
  lists.first_entry = program + program_.first_entry();
  lists.covered_by = program + program_.covered_by();
  lists.group_count = static_cast<std::uint32_t>(batch_.groups().size());
  lists.lists = static_cast<std::uint32_t>(this->lists());
  lists.entries = batch_.entries();
  lists.counters = batch_.counters();
  lists.slots = program_.slots();
  return lists;
}

void ListPiece::read(const std::vector<std::uint64_t>& class_rows, const std::uint32_t* counts,
                     std::span<RuleSetCounts> out) const {
  read_list_counts(batch_, class_rows, counts, counts + classes_ * batch_.counters(), out);
}

}  // namespace atl::cuda
