#include "io/tables/answer.hpp"

#include <algorithm>
#include <optional>

#include "io/tables/columns/schema.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

bool is_word(std::string_view cell, std::string_view word) noexcept {
  return cell.size() == word.size() &&
         std::equal(cell.begin(), cell.end(), word.begin(),
                    [](char c, char expected) { return lower(c) == expected; });
}

CellAnswer answer_in_a_character(char cell) noexcept {
  switch (lower(cell)) {
    case '1':
      return {Answer::yes, AnswerWords::digits};
    case '0':
      return {Answer::no, AnswerWords::digits};
    case 't':
      return {Answer::yes, AnswerWords::truth};
    case 'f':
      return {Answer::no, AnswerWords::truth};
    case 'y':
      return {Answer::yes, AnswerWords::assent};
    case 'n':
      return {Answer::no, AnswerWords::assent};
    case '?':
      return {};
    default:
      return {Answer::other};
  }
}

}  // namespace

CellAnswer answer_in(std::string_view cell) noexcept {
  if (cell.size() == 1) return answer_in_a_character(cell[0]);
  if (cell.empty()) return {};
  if (is_word(cell, "true")) return {Answer::yes, AnswerWords::truth};
  if (is_word(cell, "false")) return {Answer::no, AnswerWords::truth};
  if (is_word(cell, "yes")) return {Answer::yes, AnswerWords::assent};
  if (is_word(cell, "no")) return {Answer::no, AnswerWords::assent};
  if (std::find(default_missing.begin(), default_missing.end(), cell) != default_missing.end()) {
    return {};
  }
  const std::optional<double> number = parse_number(cell);
  if (number == 1.0) return {Answer::yes, AnswerWords::digits};
  if (number == 0.0) return {Answer::no, AnswerWords::digits};
  return {Answer::other};
}

bool is_answer(std::string_view cell) noexcept {
  return answer_in(cell).answer != Answer::other;
}

}  // namespace atl::io
