#include "cuda/host/list_program.hpp"

#include <algorithm>

namespace atl::cuda {
namespace {

static_assert(static_cast<std::uint32_t>(BoundKind::never) == operand_never &&
              static_cast<std::uint32_t>(BoundKind::equal) == operand_equal &&
              static_cast<std::uint32_t>(BoundKind::greater) == operand_greater &&
              static_cast<std::uint32_t>(BoundKind::interval) == operand_interval);
static_assert(static_cast<std::uint32_t>(ListStep::conjunction) == token_conjunction &&
              static_cast<std::uint32_t>(ListStep::disjunction) == token_disjunction &&
              static_cast<std::uint32_t>(ListStep::push) == token_push &&
              static_cast<std::uint32_t>(ListStep::pop_conjunction) == token_pop_conjunction &&
              static_cast<std::uint32_t>(ListStep::pop_disjunction) == token_pop_disjunction);
static_assert(static_cast<std::uint32_t>(ListCode::slot) == antecedent_slot &&
              static_cast<std::uint32_t>(ListCode::conjunction) == antecedent_conjunction &&
              static_cast<std::uint32_t>(ListCode::expression) == antecedent_expression &&
              list_code_bits == antecedent_code_bits);
static_assert(most_list_levels == most_token_levels && token_step_mask < slot_bytes &&
              (1U << list_step_bits) - 1 == token_step_mask);
static_assert(sizeof(ListGroupWords) == 2 * unit_words * sizeof(std::uint32_t));

}  // namespace

void ListProgram::build(const ListBatch& batch) {
  words_.assign(batch.groups().size() * 2 * unit_words, 0);
  operands_ = words_.size();
  for (const ListOperand& operand : batch.operands()) put_operand(operand);
  stream_ = words_.size();
  units_.clear();
  slots_ = 0;
  for (std::size_t g = 0; g < batch.groups().size(); ++g) {
    const ListGroup& group = batch.groups()[g];
    slots_ = std::max(slots_, group.slots());
    const auto unit = static_cast<std::uint32_t>((words_.size() - stream_) / unit_words);
    const std::uint32_t of_group[] = {group.first_operand, group.operands(),
                                      group.shared(),      unit,
                                      group.first_list,    group.end_list - group.first_list,
                                      group.first_shared,  0};
    std::copy(std::begin(of_group), std::end(of_group),
              words_.begin() + static_cast<std::ptrdiff_t>(g * 2 * unit_words));
    put_antecedents(batch.stream().subspan(group.stream), group.shared());
    for (std::uint32_t list = group.first_list; list < group.end_list; ++list) {
      units_.push_back(static_cast<std::uint32_t>((words_.size() - stream_) / unit_words));
      put_antecedents(batch.stream().subspan(batch.list_stream()[list]),
                      batch.first_entry()[list + 1] - batch.first_entry()[list]);
    }
  }
  words_.resize(words_.size() + unit_words);
  list_units_ = words_.size();
  words_.insert(words_.end(), units_.begin(), units_.end());
  first_entry_ = words_.size();
  words_.insert(words_.end(), batch.first_entry().begin(), batch.first_entry().end());
  covered_by_ = words_.size();
  words_.insert(words_.end(), batch.covered_by().begin(), batch.covered_by().end());
}

void ListProgram::put_operand(const ListOperand& operand) {
  const BoundComparison& comparison = operand.comparison;
  std::uint32_t about = operand.planes | static_cast<std::uint32_t>(comparison.kind)
                                             << operand_kind_shift;
  if (comparison.complement) about |= operand_inverted;
  if (comparison.limit_to_present) about |= operand_present;
  if (operand.complement) about |= operand_complement;
  words_.insert(words_.end(), {operand.first_plane, about, comparison.low, comparison.high});
}

/// @param from  the batch's stream, where they begin
void ListProgram::put_antecedents(std::span<const std::uint32_t> from, std::uint32_t count) {
  std::size_t next = 0;
  for (; count != 0; --count) {
    const std::uint32_t head = from[next++];
    const auto code = static_cast<ListCode>(head & ((1U << list_code_bits) - 1));
    const std::uint32_t number = head >> list_code_bits;
    if (code == ListCode::slot) {
      words_.push_back(number * slot_bytes << antecedent_code_bits | antecedent_slot);
    } else {
      words_.push_back(head);
      for (std::uint32_t t = 0; t < number; ++t) {
        const std::uint32_t token = from[next++];
        words_.push_back(code == ListCode::conjunction
                             ? token * slot_bytes
                             : (token >> list_step_bits) * slot_bytes | (token & token_step_mask));
      }
    }
    while (words_.size() % unit_words != 0) words_.push_back(0);
  }
}

}  // namespace atl::cuda
