#include "src/eval/list_batch.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>

namespace atl {
namespace {

constexpr std::uint64_t factor = 0x9E3779B97F4A7C15U;
constexpr std::uint64_t other_factor = 0x94D049BB133111EBU;

constexpr std::size_t hash_of(std::uint64_t interval, std::uint64_t rest) noexcept {
  const std::uint64_t h = interval * factor ^ rest * other_factor;
  return h ^ (h >> 32);
}

std::size_t hash_of(const Expression& expression) noexcept {
  std::uint64_t h = expression.program().size();
  for (const Comparison& c : expression.comparisons()) {
    h = h * factor +
        hash_of(std::uint64_t{c.low} << 32 | c.high, std::uint64_t{c.attribute} << 1 | c.negated);
  }
  return h ^ (h >> 29);
}

/// Stands for the last code of an attribute whose values may be missing: no code is as great.
constexpr std::uint32_t no_last = ~std::uint32_t{0};

/// Marks the number of a shared antecedent until it is known how many entries there are.
constexpr std::uint32_t of_shared = std::uint32_t{1} << 31;

template <typename Vector>
std::uint32_t length(const Vector& vector) noexcept {
  return static_cast<std::uint32_t>(vector.size());
}

/// The bucket whose index, of this group, is the wanted one, or the empty one where it belongs.
/// Buckets that earlier groups filled count as empty.
template <typename Is>
std::uint64_t& bucket_of(std::vector<std::uint64_t>& buckets, std::size_t hash, std::uint64_t group,
                         const Is& is) {
  const std::size_t mask = buckets.size() - 1;
  std::size_t bucket = hash & mask;
  for (; buckets[bucket] >> 32 == group; bucket = (bucket + 1) & mask) {
    if (is(static_cast<std::uint32_t>(buckets[bucket]))) break;
  }
  return buckets[bucket];
}

}  // namespace

void ListBatch::compile(std::span<const RuleSet> lists, const ClassTiles& tiles,
                        const Limits& limits) {
  groups_.clear();
  operands_.clear();
  keys_.clear();
  stream_.clear();
  list_stream_.clear();
  first_entry_.assign(1, 0);
  covered_by_.clear();
  shared_ = 0;
  comparisons_ = 0;
  std::size_t rules = 0;
  for (const RuleSet& list : lists) {
    rules += list.rules.size();
    for (const ClassRule& rule : list.rules) comparisons_ += rule.antecedent.comparisons().size();
  }
  operand_buckets_.assign(std::bit_ceil(2 * comparisons_ + 1), 0);
  antecedent_buckets_.assign(std::bit_ceil(2 * rules + 1), 0);
  last_code_.clear();
  for (const Attribute& attribute : tiles.attributes()) {
    last_code_.push_back(attribute.has_missing ? no_last : attribute.distinct() - 1);
  }
  group_ = {};
  for (const RuleSet& list : lists) {
    const Mark before{operands_.size(), antecedents_.size(), tokens_.size(), antecedent_of_.size()};
    add(list, tiles);
    const std::uint32_t slots = length(operands_) - group_.first_operand + group_shared_;
    if (slots > limits.slots && this->lists() > 1) {
      take_back(before);
      close_group();
      add(list, tiles);
    }
    if (this->lists() >= limits.lists) close_group();
  }
  if (this->lists() != 0) close_group();
  for (std::uint32_t& counter : covered_by_) {
    if ((counter & of_shared) != 0) counter = entries() + (counter & ~of_shared);
  }
}

void ListBatch::add(const RuleSet& list, const ClassTiles& tiles) {
  for (const ClassRule& rule : list.rules) {
    antecedent_of_.push_back(intern(rule.antecedent, tiles));
  }
  first_entry_.push_back(first_entry_.back() + length(list.rules));
  ++group_.end_list;
}

/// The list that was added last leaves the group, which gets no other one: buckets keep what it
/// brought.
void ListBatch::take_back(const Mark& mark) {
  for (std::size_t e = mark.entries; e < antecedent_of_.size(); ++e) {
    if (--antecedents_[antecedent_of_[e]].uses == 1) --group_shared_;
  }
  operands_.resize(mark.operands);
  keys_.resize(mark.operands);
  antecedents_.resize(mark.antecedents);
  tokens_.resize(mark.tokens);
  antecedent_of_.resize(mark.entries);
  first_entry_.pop_back();
  --group_.end_list;
}

void ListBatch::close_group() {
  group_.end_operand = length(operands_);
  group_.end_shared = group_.first_shared + group_shared_;
  group_.end_entry = first_entry_.back();
  group_.stream = stream_.size();
  std::uint32_t shared = 0;
  for (Antecedent& antecedent : antecedents_) {
    if (antecedent.uses == 1) continue;
    antecedent.shared = shared++;
    emit(antecedent);
  }
  const std::uint32_t operands = group_.operands();
  std::uint32_t entry = group_.first_entry;
  for (std::uint32_t list = group_.first_list; list < group_.end_list; ++list) {
    list_stream_.push_back(length(stream_));
    for (; entry < first_entry_[list + 1]; ++entry) {
      const Antecedent& antecedent = antecedents_[antecedent_of_[entry - group_.first_entry]];
      if (antecedent.uses == 1) {
        emit(antecedent);
        covered_by_.push_back(entry);
      } else {
        stream_.push_back((operands + antecedent.shared) << list_code_bits |
                          static_cast<std::uint32_t>(ListCode::slot));
        covered_by_.push_back((group_.first_shared + antecedent.shared) | of_shared);
      }
    }
  }
  groups_.push_back(group_);
  shared_ = group_.end_shared;
  group_ = {group_.end_list,
            group_.end_list,
            group_.end_operand,
            0,
            group_.end_shared,
            0,
            group_.end_entry,
            0,
            0};
  group_shared_ = 0;
  antecedents_.clear();
  tokens_.clear();
  antecedent_of_.clear();
}

// Its number in the stream is that of its tokens.
void ListBatch::emit(const Antecedent& antecedent) {
  const auto first = tokens_.begin() + antecedent.first_token;
  const auto end = tokens_.begin() + antecedent.end_token;
  const bool plain = antecedent.expression->is_conjunction();
  const ListCode code = plain ? ListCode::conjunction : ListCode::expression;
  stream_.push_back(static_cast<std::uint32_t>(end - first) << list_code_bits |
                    static_cast<std::uint32_t>(code));
  if (plain) {
    std::transform(first, end, std::back_inserter(stream_),
                   [](std::uint32_t token) { return token >> list_step_bits; });
  } else {
    stream_.insert(stream_.end(), first, end);
  }
}

/// Its index among the group's antecedents; counts the use.
std::uint32_t ListBatch::intern(const Expression& expression, const ClassTiles& tiles) {
  const std::size_t h = hash_of(expression);
  std::uint64_t& bucket =
      bucket_of(antecedent_buckets_, h, groups_.size() + 1, [&](std::uint32_t index) {
        return antecedents_[index].hash == h && *antecedents_[index].expression == expression;
      });
  if (bucket >> 32 == groups_.size() + 1) {
    const auto index = static_cast<std::uint32_t>(bucket);
    if (++antecedents_[index].uses == 2) ++group_shared_;
    return index;
  }
  const std::uint32_t fresh = length(antecedents_);
  bucket = (groups_.size() + 1) << 32 | fresh;
  const std::uint32_t first_token = length(tokens_);
  append_tokens(expression, tiles);
  antecedents_.push_back({&expression, h, first_token, length(tokens_), 1, 0});
  return fresh;
}

/// The same for comparisons, and complements of them, that must have the same rows, as far as no
/// value is missing: an interval up to the last code is the complement of one from the first on.
/// Without branches, which could not be foreseen.
ListBatch::OperandKey ListBatch::key_of(const Comparison& c, bool negated) const noexcept {
  const std::uint32_t last = last_code_[c.attribute];
  const std::uint32_t present = last != no_last ? 1 : 0;
  const std::uint32_t outside_of = negated ? 1 : 0;
  const std::uint32_t flip =
      present & static_cast<std::uint32_t>(c.low != 0) & static_cast<std::uint32_t>(c.high >= last);
  const std::uint32_t mask = 0U - flip;
  const std::uint64_t low = c.low & ~mask;
  const std::uint32_t high = (c.high & ~mask) | ((c.low - 1) & mask);
  const std::uint32_t outside = std::uint32_t{c.negated} ^ flip ^ (present & outside_of);
  return {low << 32 | high,
          std::uint64_t{c.attribute} << 2 | outside << 1 | (~present & outside_of)};
}

/// The slot of the comparison's rows, or, negated, of all others.
std::uint32_t ListBatch::slot(const Comparison& comparison, bool negated, const ClassTiles& tiles) {
  const OperandKey key = key_of(comparison, negated);
  std::uint64_t& bucket =
      bucket_of(operand_buckets_, hash_of(key.interval, key.rest), groups_.size() + 1,
                [&](std::uint32_t slot) { return keys_[group_.first_operand + slot] == key; });
  if (bucket >> 32 == groups_.size() + 1) return static_cast<std::uint32_t>(bucket);
  const std::uint32_t fresh = length(operands_) - group_.first_operand;
  bucket = (groups_.size() + 1) << 32 | fresh;
  const Attribute& attribute = tiles.attributes()[comparison.attribute];
  const auto [bound, complement] = bind(comparison, attribute);
  keys_.push_back(key);
  operands_.push_back({bound, complement != negated, tiles.first_plane()[comparison.attribute],
                       attribute.planes()});
  return fresh;
}

void ListBatch::append_tokens(const Expression& expression, const ClassTiles& tiles) {
  const Comparison* next = expression.comparisons().data();
  if (expression.is_conjunction()) {
    for (const Comparison& comparison : expression.comparisons()) {
      tokens_.push_back(slot(comparison, false, tiles) << list_step_bits);
    }
    return;
  }
  find_polarity(expression);
  values_.clear();
  for (std::size_t i = 0; i < expression.program().size(); ++i) {
    const Op op = expression.program()[i];
    if (op == Op::comparison) {
      values_.push_back({tokens_.size(), 0});
      tokens_.push_back(slot(*next++, polarity_[i] != 0, tiles) << list_step_bits);
    } else if (op != Op::negation) {
      if ((op == Op::conjunction) != (polarity_[i] != 0)) {
        join(ListStep::conjunction, ListStep::pop_conjunction);
      } else {
        join(ListStep::disjunction, ListStep::pop_disjunction);
      }
    }
  }
}

/// NOT moves inward, down to the comparisons (De Morgan). From the root, which stands last.
void ListBatch::find_polarity(const Expression& expression) {
  const auto program = expression.program();
  polarity_.resize(program.size());
  open_.assign(1, 0);
  for (std::size_t i = program.size(); i-- != 0;) {
    const std::uint8_t negated = open_.back();
    open_.pop_back();
    polarity_[i] = negated;
    if (program[i] == Op::comparison) continue;
    open_.push_back(program[i] == Op::negation ? 1 - negated : negated);
    if (program[i] != Op::negation) open_.push_back(negated);
  }
}

/// Makes one of the two last values. The one that needs more of the stack is evaluated first; a
/// single operand comes last and needs none.
void ListBatch::join(ListStep step, ListStep pop) {
  const Value right = values_.back();
  values_.pop_back();
  Value& left = values_.back();
  const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(left.first_token);
  auto second = tokens_.begin() + static_cast<std::ptrdiff_t>(right.first_token);
  const bool left_single = second - begin == 1;
  const bool right_single = tokens_.end() - second == 1;
  std::uint32_t first_levels = left.levels;
  std::uint32_t second_levels = right.levels;
  if (!right_single && (left_single || right.levels > left.levels)) {
    second = std::rotate(begin, second, tokens_.end());
    std::swap(first_levels, second_levels);
  }
  if (left_single || right_single) {
    *second |= static_cast<std::uint32_t>(step);
    left.levels = first_levels;
    return;
  }
  *second |= static_cast<std::uint32_t>(ListStep::push);
  tokens_.push_back(static_cast<std::uint32_t>(pop));
  left.levels = std::max(first_levels, second_levels + 1);
  assert(left.levels <= most_list_levels);
}

}  // namespace atl
