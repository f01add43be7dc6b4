#include "cuda/host/rule_chunks.hpp"

#include <algorithm>
#include <string>

#include "src/core/error.hpp"
#include "src/eval/rule_counter.hpp"

namespace atl::cuda {
namespace {

std::uint32_t word(Token token, std::uint32_t operand = 0) {
  return static_cast<std::uint32_t>(token) | operand << token_bits;
}

/// @return levels of the stack that it takes
std::uint32_t write(const Comparison& comparison, const Attribute& attribute,
                    std::uint32_t condition, std::vector<std::uint32_t>& tokens) {
  // Never missing_code, which equals no value, unless it is asked for.
  const std::uint32_t low = comparison.low;
  const std::uint32_t high = std::min(comparison.high, missing_code - 1);
  const bool negated = comparison.negated;
  tokens.push_back(word(Token::attribute, comparison.attribute));
  const auto write_one = [&](std::uint32_t value, Token relation) {
    tokens.insert(tokens.end(), {word(Token::value), value, word(relation, condition)});
    return 2U;
  };
  if (asks_missing(comparison)) return write_one(missing_code, Token::equal);
  if (low == high) return write_one(low, negated ? Token::unequal : Token::equal);
  if (low == 0) return write_one(high, negated ? Token::above : Token::at_most);
  if (low <= high && high + 1 >= attribute.distinct()) {
    return write_one(low - 1, negated ? Token::at_most : Token::above);
  }
  tokens.insert(tokens.end(), {word(Token::value), low, word(Token::value), high,
                               word(negated ? Token::outside : Token::inside, condition)});
  return 3;
}

}  // namespace

void write_padded_column(const Dataset& dataset, std::uint32_t attribute,
                         std::vector<std::uint32_t>& out) {
  out.assign(padded_rows(dataset.rows()), missing_code);
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    dataset.codes(
        p, attribute,
        std::span(out).subspan(dataset.partition_first_row(p), dataset.partition_rows(p)));
  }
}

std::uint32_t RuleChunks::Side::words() const noexcept {
  return static_cast<std::uint32_t>(begins.size() + 1 + first_conditions.size() + tokens.size());
}

void RuleChunks::Side::clear() noexcept {
  begins.clear();
  first_conditions.clear();
  tokens.clear();
  conditions = 0;
}

void RuleChunks::build(std::span<const Rule> rules, std::span<const Attribute> attributes,
                       const ChunkLimits& limits) {
  chunks_.clear();
  words_.clear();
  conditions_ = 0;
  chunk_ = {};
  for (Side& side : sides_) side.clear();
  for (std::size_t r = 0; r < rules.size(); ++r) {
    for (const Expression* side : {&rules[r].antecedent, &rules[r].consequent}) {
      for (const Comparison& comparison : side->comparisons()) {
        if (comparison.attribute >= attributes.size()) {
          throw UnknownAttribute(r, comparison.attribute);
        }
      }
    }
  }
  for (std::size_t r = 0; r < rules.size(); ++r) {
    if (append(rules[r], attributes, limits)) continue;
    end_chunk();
    if (append(rules[r], attributes, limits)) continue;
    throw UsageError("the published pipeline keeps a rule in " +
                     std::to_string(limits.words * sizeof(std::uint32_t)) +
                     " bytes of constant memory; rule " + std::to_string(r) + ", of " +
                     std::to_string(rules[r].comparisons()) + " comparisons, takes more");
  }
  end_chunk();
}

bool RuleChunks::append(const Rule& rule, std::span<const Attribute> attributes,
                        const ChunkLimits& limits) {
  const std::uint32_t levels = chunk_.levels;
  append(rule.antecedent, attributes, sides_[0]);
  append(rule.consequent, attributes, sides_[1]);
  ++chunk_.rules;
  const std::uint64_t results =
      std::uint64_t{chunk_.rules} * 2 + sides_[0].conditions + sides_[1].conditions;
  if (sides_[0].words() + sides_[1].words() <= limits.words &&
      (results <= limits.results || chunk_.rules == 1)) {
    return true;
  }
  for (Side& side : sides_) {
    side.tokens.resize(side.begins.back());
    side.conditions = side.first_conditions.back();
    side.begins.pop_back();
    side.first_conditions.pop_back();
  }
  --chunk_.rules;
  chunk_.levels = levels;
  return false;
}

// Operands are next to each other. The one that takes more levels goes first, as a register machine
// would take them (Sethi and Ullman 1970): then the levels grow with the logarithm of the length.
void RuleChunks::append(const Expression& expression, std::span<const Attribute> attributes,
                        Side& side) {
  std::vector<std::uint32_t>& tokens = side.tokens;
  side.begins.push_back(static_cast<std::uint32_t>(tokens.size()));
  side.first_conditions.push_back(side.conditions);
  if (expression.empty()) {
    tokens.insert(tokens.end(), {word(Token::value), 1});
    chunk_.levels = std::max(chunk_.levels, 1U);
    return;
  }
  operands_.clear();
  std::uint32_t condition = 0;
  for (const Op op : expression.program()) {
    if (op == Op::comparison) {
      const std::size_t begin = tokens.size();
      const Comparison& comparison = expression.comparisons()[condition];
      operands_.push_back(
          {begin, write(comparison, attributes[comparison.attribute], condition, tokens)});
      ++condition;
    } else if (op == Op::negation) {
      tokens.push_back(word(Token::negation));
    } else {
      const Operand right = operands_.back();
      operands_.pop_back();
      Operand& left = operands_.back();
      if (right.levels > left.levels) {
        std::rotate(tokens.begin() + static_cast<std::ptrdiff_t>(left.begin),
                    tokens.begin() + static_cast<std::ptrdiff_t>(right.begin), tokens.end());
        left.levels = std::max(right.levels, left.levels + 1);
      } else {
        left.levels = std::max(left.levels, right.levels + 1);
      }
      tokens.push_back(word(op == Op::conjunction ? Token::conjunction : Token::disjunction));
    }
  }
  side.conditions += condition;
  chunk_.levels = std::max(chunk_.levels, operands_.back().levels);
}

void RuleChunks::end_chunk() {
  if (chunk_.rules == 0) return;
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    Side& side = sides_[s];
    chunk_.sides[s] = {words_.size(), side.words(), conditions_, side.conditions};
    const auto first_token = static_cast<std::uint32_t>(side.begins.size() * 2 + 1);
    for (const std::uint32_t begin : side.begins) words_.push_back(first_token + begin);
    words_.push_back(side.words());
    words_.insert(words_.end(), side.first_conditions.begin(), side.first_conditions.end());
    words_.insert(words_.end(), side.tokens.begin(), side.tokens.end());
    conditions_ += side.conditions;
    side.clear();
  }
  const std::size_t next = chunk_.first_rule + chunk_.rules;
  chunks_.push_back(chunk_);
  chunk_ = {};
  chunk_.first_rule = next;
}

}  // namespace atl::cuda
