#include "io/tables/values/number_evidence.hpp"

#include <algorithm>

namespace atl::io {
namespace {

std::uint8_t styles_of(DecimalMark mark) noexcept {
  switch (mark) {
    case DecimalMark::point:
      return number_style::with_point;
    case DecimalMark::comma:
      return number_style::with_comma;
    case DecimalMark::plain:
      return number_style::plain;
    case DecimalMark::detected:
      break;
  }
  return number_style::with_point | number_style::with_comma;
}

}  // namespace

NumberEvidence::NumberEvidence(DecimalMark mark, bool usual_words, std::optional<char> likely_mark)
    : mark_(mark), usual_words_(usual_words), likely_mark_(likely_mark), styles_(styles_of(mark)) {}

void NumberEvidence::examine_plain(std::string_view token, std::uint64_t line) {
  without_unit_ = true;
  if (token.find('.') == std::string_view::npos) return;
  const std::uint8_t grouped =
      may_group_by_points(token) ? number_style::comma_points : std::uint8_t{0};
  if (!keep_styles(grouped | number_style::with_point, token, line)) return;
  points_ = true;
  if (example_.token.empty()) example_ = {std::string(token), line};
}

void NumberEvidence::examine(std::string_view token, std::uint64_t line) {
  const auto number =
      mark_ == DecimalMark::plain ? std::optional<WrittenNumber>() : read_written_number(token);
  if (!number) return add_word(token, line);
  // It is not plain, however plain it is without its unit or with an ASCII minus.
  const auto styles = static_cast<std::uint8_t>(number->styles & ~number_style::plain);
  if (!keep_styles(styles, token, line)) return;
  const bool comma = token.find(',') != std::string_view::npos;
  if (!written_ || (comma && !commas_)) example_ = {std::string(token), line};
  written_ = true;
  commas_ = commas_ || comma;
  points_ = points_ || token.find('.') != std::string_view::npos;
  if ((without_unit_ || !unit_.empty()) && number->unit != unit_) {
    without_unit_ = true;
    if (unit_.empty()) unit_ = number->unit;
    odd_ = {std::string(token), line};
    ended_ = true;
    return;
  }
  unit_ = number->unit;
  without_unit_ = unit_.empty();
}

void NumberEvidence::add_word(std::string_view token, std::uint64_t line) {
  const auto same = [&](const Place& word) { return word.token == token; };
  if (std::any_of(words_.begin(), words_.end(), same)) return;
  if (usual_words_ && words_.size() < most_words && is_usual_no_value(token)) {
    words_.push_back({std::string(token), line});
    return;
  }
  other_word_ = {std::string(token), line};
  ended_ = true;
}

bool NumberEvidence::keep_styles(std::uint8_t styles, std::string_view token, std::uint64_t line) {
  styles_ &= styles;
  if (styles_ != 0) return true;
  odd_ = {std::string(token), line};
  ended_ = true;
  return false;
}

NumberEvidence::Doubt NumberEvidence::doubt() const noexcept {
  if (other_word_.line > 0) return Doubt::words;
  if (styles_ == 0) return Doubt::marks;
  if (without_unit_ && !unit_.empty()) return Doubt::units;
  if (commas_ && !likely_mark_ && has(number_style::with_point) && has(number_style::with_comma)) {
    return Doubt::either_mark;
  }
  // Words alone are labels.
  return without_unit_ || !unit_.empty() || words_.empty() ? Doubt::none : Doubt::words;
}

const NumberEvidence::Place& NumberEvidence::doubtful() const noexcept {
  if (doubt() == Doubt::words) return other_word_.line > 0 ? other_word_ : words_.front();
  return odd_.token.empty() ? example_ : odd_;
}

NumberForm NumberEvidence::form() const {
  const bool either = has(number_style::with_point) && has(number_style::with_comma);
  const bool comma =
      either ? likely_mark_ == ',' && (commas_ || points_) : has(number_style::with_comma);
  if (has(number_style::plain) && unit_.empty() && !comma) return {};
  return {.plain = false, .decimal = comma ? ',' : '.', .unit = std::string(unit_)};
}

bool NumberEvidence::has_likely_mark() const noexcept {
  return likely_mark_ && (commas_ || points_) && has(number_style::with_point) &&
         has(number_style::with_comma);
}

bool NumberEvidence::points_may_group() const noexcept {
  return points_ && !commas_ && !likely_mark_ && mark_ == DecimalMark::detected &&
         has(number_style::with_point) && has(number_style::comma_points);
}

}  // namespace atl::io
