#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/values/written_number.hpp"

namespace atl::io {

/// Whether the tokens of a column are numbers, and written in one way. Once they are not, further
/// ones are not looked at.
class NumberEvidence {
 public:
  /// A token and the line where it stands first.
  struct Place {
    std::string token;
    std::uint64_t line = 0;
  };
  /// Why the tokens are not numbers.
  enum class Doubt : std::uint8_t {
    none,
    words,        ///< some are no numbers, and not all of them are words that mean no value
    marks,        ///< no way of writing numbers fits all
    units,        ///< some have another unit than the others, or none
    either_mark,  ///< in all of them a comma may be the decimal one, or group digits
  };

  /// @param mark  what the user says of decimal marks
  /// @param usual_words  beside numbers, those of is_usual_no_value() mean "no value"
  /// @param likely_mark  of numbers that may have either decimal mark
  NumberEvidence(DecimalMark mark, bool usual_words, std::optional<char> likely_mark = {});

  /// @param token     not missing; each distinct one once or more
  /// @param is_plain  parse_number() reads it
  void observe(std::string_view token, bool is_plain, std::uint64_t line) {
    if (ended_) return;
    if (is_plain && (styles_ & number_style::with_comma) == 0) {
      without_unit_ = true;
    } else if (is_plain) {
      examine_plain(token, line);
    } else {
      examine(token, line);
    }
  }

  /// Likewise a token of digits alone, which tells nothing of marks.
  void observe_integer() noexcept { without_unit_ = true; }

  /// Nothing can make them numbers any more.
  bool ended() const noexcept { return ended_; }
  /// All are numbers, but for words that mean no value; there may be none.
  bool numbers() const noexcept { return doubt() == Doubt::none; }
  Doubt doubt() const noexcept;
  /// The token that the doubt is about. @pre !numbers()
  const Place& doubtful() const noexcept;
  /// Words that mean no value. @pre numbers()
  const std::vector<Place>& words() const noexcept { return words_; }
  /// How they are written. @pre numbers()
  NumberForm form() const;
  bool has_commas() const noexcept { return commas_; }
  /// Each point in them may as well group digits, as in 1.234, and nobody has said that none does.
  /// @pre numbers()
  bool points_may_group() const noexcept;
  /// Each may have either mark, and has the likely one. @pre numbers()
  bool has_likely_mark() const noexcept;
  /// The first that is not a plain number, or that points_may_group() is about.
  const Place& example() const noexcept { return example_; }

 private:
  static constexpr std::size_t most_words = 16;

  void examine_plain(std::string_view token, std::uint64_t line);
  void examine(std::string_view token, std::uint64_t line);
  void add_word(std::string_view token, std::uint64_t line);
  /// Of these styles alone all tokens may be. @return false: no style is left
  bool keep_styles(std::uint8_t styles, std::string_view token, std::uint64_t line);
  bool has(std::uint8_t styles) const noexcept { return (styles_ & styles) != 0; }

  DecimalMark mark_;
  bool usual_words_;
  std::optional<char> likely_mark_;
  std::uint8_t styles_;        ///< all that fit all numbers so far
  bool without_unit_ = false;  ///< some number has none
  bool written_ = false;       ///< some number is not plain
  bool commas_ = false;        ///< some number has a comma
  bool points_ = false;        ///< some number had a point while a comma could be the decimal mark
  bool ended_ = false;
  std::string_view unit_;
  Place example_, odd_;
  Place other_word_;          ///< the first that does not mean no value
  std::vector<Place> words_;  ///< that do
};

}  // namespace atl::io
