// Cells that say yes or no, as those of one-hot columns do.
#pragma once

#include <cstdint>
#include <string_view>

namespace atl::io {

enum class Answer : std::uint8_t {
  no,
  yes,
  none,   ///< an empty cell, ?, NA and the like: no item either
  other,  ///< neither
};

/// The pair of words of an answer. All cells of a column answer in the same ones.
enum class AnswerWords : std::uint8_t {
  unset,
  digits,  ///< 1 and 0, 1.0 and 0.0
  truth,   ///< true and false, t and f
  assent,  ///< yes and no, y and n
};

struct CellAnswer {
  Answer answer = Answer::none;
  AnswerWords words = AnswerWords::unset;
};

/// The answer in a cell, in upper or lower case.
CellAnswer answer_in(std::string_view cell) noexcept;

/// Would it be an answer, or none? Then a first row of such is hardly one of names.
bool is_answer(std::string_view cell) noexcept;

}  // namespace atl::io
