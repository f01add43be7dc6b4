#include "io/tables/columns/column_profile.hpp"

#include <algorithm>
#include <charconv>

#include "io/tables/values/written_number.hpp"
#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {

namespace {

const char* one_kind(AttributeKind kind) noexcept {
  if (kind == AttributeKind::date) return "a date without a time";
  return kind == AttributeKind::date_time ? "a date with a time, no zone"
                                          : "a date with a time and its zone";
}

bool is_integer(std::string_view token) noexcept {
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) token.remove_prefix(1);
  return are_digits(token);
}

/// Does an integer have a leading zero, as codes and identifiers do and numbers do not?
bool has_leading_zero(std::string_view token) noexcept {
  if (!is_integer(token)) return false;
  if (token.front() == '-' || token.front() == '+') token.remove_prefix(1);
  return token.size() > 1 && token.front() == '0';
}

/// Is it beyond 2^53, up to where every integer is a double? @pre is_integer(token)
bool is_inexact(std::string_view token) noexcept {
  if (token.front() == '-' || token.front() == '+') token.remove_prefix(1);
  std::uint64_t value = 0;
  const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
  return result.ec != std::errc() || value > (std::uint64_t{1} << 53);
}

}  // namespace

void DateEvidence::observe(std::string_view token, const std::string& file, std::uint64_t line,
                           std::size_t column) {
  if (!all_) return;
  const std::optional<Moment> moment = parse_date(token);
  if (!moment && take_word(token)) return;
  if (!moment) {
    all_ = false;
    no_date_ = token;
    no_date_line_ = line;
    return;
  }
  if (!kind_) {
    kind_ = moment->kind;
    first_ = token;
    first_line_ = line;
  }
  if (misfit_ || (moment->kind == *kind_ && moment->flaw == nullptr)) return;
  const std::string expected = moment->kind == *kind_
                                   ? moment->flaw
                                   : std::string(one_kind(*kind_)) + ", as " + in_quotes(first_) +
                                         " in line " + std::to_string(first_line_);
  misfit_.emplace(file, line, column + 1, std::string(token), expected);
}

bool DateEvidence::take_word(std::string_view token) {
  if (!usual_words_ || !is_usual_no_value(token)) return false;
  if (std::find(words_.begin(), words_.end(), token) != words_.end()) return true;
  if (words_.size() == most_words) return false;
  words_.emplace_back(token);
  return true;
}

std::optional<AttributeKind> DateEvidence::kind(const std::string& options) const {
  if (!all_ || !kind_) return std::nullopt;
  if (misfit_) {
    throw BadCell(misfit_->file, misfit_->line, misfit_->column, misfit_->found,
                  misfit_->expected + " (" + options + "nominal takes dates as labels)");
  }
  return kind_;
}

void ColumnProfile::add(const RowBlock& block, std::size_t columns, const std::string& file) {
  file_ = &file;
  const std::string_view* field = block.fields.data() + column_;
  for (std::size_t row = 0; row < block.rows; ++row, field += columns) {
    std::uint32_t id = tokens.find(*field);
    if (id == TokenMap::none) {
      observe(*field, block.lines[row], file);
      id = tokens.add(*field);
    }
    tokens.count(id);
  }
}

void ColumnProfile::observe(std::string_view token, std::uint64_t line, const std::string& file) {
  if (plan_->is_missing(token)) return;
  if (!plan_->allowed.empty() && plan_->allowed.count(token) == 0 &&
      plan_->same_number(token) == nullptr) {
    const std::vector<std::string> labels(plan_->allowed.begin(), plan_->allowed.end());
    throw BadCell(file, line, column_ + 1, std::string(token),
                  "one of " + listed(labels) + ", as " + plan_->source + " says");
  }
  if (!plan_->kind) dates.observe(token, file, line, column_);
  if (is_date(reader_.kind) && !reader_.value(token)) {
    if (dates.take_word(token)) return;
    throw BadCell(file, line, column_ + 1, std::string(token),
                  reader_.expected(token) + ", as " + plan_->source + " says");
  }
  const bool may_be_numeric =
      plan_->kind.value_or(AttributeKind::numeric) == AttributeKind::numeric;
  if (may_be_numeric) {
    const std::optional<double> value = parse_number(token);
    if (value && leading_zero.empty() && has_leading_zero(token)) {
      leading_zero = token;
      leading_zero_line = line;
    }
    if (value && !numbers.ended()) observe_number(token, *value);
    if (value && integers) {
      numbers.observe_integer();
    } else {
      numbers.observe(token, value.has_value(), line);
    }
    if (plan_->kind && numbers.ended()) {
      throw BadCell(
          file, line, column_ + 1, std::string(token),
          "a number, as " + plan_->source + " says" +
              (plan_->needed ? "; " + plan_->option_prefix + "missing names what means \"no value\""
                             : ""));
    }
  }
  any = true;
}

std::vector<std::string> ColumnProfile::words_without_value(AttributeKind kind) const {
  std::vector<std::string> words;
  if (kind == AttributeKind::numeric) {
    for (const NumberEvidence::Place& word : numbers.words()) words.push_back(word.token);
  } else if (is_date(kind)) {
    words = dates.words();
  }
  return words;
}

void ColumnProfile::expect_numbers() const {
  if (numbers.numbers() || !any) return;
  const NumberEvidence::Place& place = numbers.doubtful();
  throw BadCell(
      *file_, place.line, column_ + 1, place.token,
      "a number, as " + plan_->source + " says" +
          (numbers.doubt() == NumberEvidence::Doubt::either_mark
               ? "; " + plan_->option_prefix + "decimal says whether a comma is the decimal mark"
               : ""));
}

void ColumnProfile::observe_number(std::string_view token, double value) {
  integers = integers && is_integer(token);
  inexact = inexact || (integers && is_inexact(token));
  low = any_number_ ? std::min(low, value) : value;
  high = any_number_ ? std::max(high, value) : value;
  ascending = ascending && (!any_number_ || value > previous_);
  descending = descending && (!any_number_ || value < previous_);
  any_number_ = true;
  previous_ = value;
}

}  // namespace atl::io
