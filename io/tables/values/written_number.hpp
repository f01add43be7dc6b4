// Numbers as people write them: with decimal commas, groups of digits, percent or currency signs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/core/text/number.hpp"

namespace atl::io {

/// How numbers of a text may be written.
enum class DecimalMark : std::uint8_t {
  detected,  ///< column by column, where one reading alone is possible
  point,     ///< 1234.5; commas, blanks or apostrophes group digits
  comma,     ///< 1234,5; points, blanks or apostrophes group digits
  plain,     ///< 1234.5 and nothing else: no groups, percent or currency signs
};
/// What these are called in a schema and on the command line.
inline constexpr std::array<const char*, 4> decimal_marks = {"auto", "point", "comma", "plain"};

/// Ways to write a number, as bits: what stands before the fraction, and what groups the digits. A
/// blank is a space, a no-break or a thin one.
namespace number_style {
inline constexpr std::uint8_t plain = 1;               ///< 1234.5
inline constexpr std::uint8_t point_commas = 2;        ///< 1,234.5
inline constexpr std::uint8_t point_blanks = 4;        ///< 1 234.5
inline constexpr std::uint8_t point_apostrophes = 8;   ///< 1'234.5
inline constexpr std::uint8_t comma_points = 16;       ///< 1.234,5
inline constexpr std::uint8_t comma_blanks = 32;       ///< 1 234,5
inline constexpr std::uint8_t comma_apostrophes = 64;  ///< 1'234,5
inline constexpr std::uint8_t with_point = 15;         ///< all that have a decimal point
inline constexpr std::uint8_t with_comma = 112;        ///< all that have a decimal comma
}  // namespace number_style

struct WrittenNumber {
  std::uint8_t styles = 0;     ///< all that it may be written in, at least one
  double of_point = 0;         ///< its value, if a style with a decimal point is among them
  double of_comma = 0;         ///< likewise with a decimal comma
  std::string_view unit = {};  ///< "%" or a currency sign before or behind it; empty: none
};

/// The number, or nothing if it is none in any way of writing. A percent sign does not divide:
/// "5%" is 5. Groups have three digits, but for the first, which begins with none of 0.
std::optional<WrittenNumber> read_written_number(std::string_view token);

/// Could each point in it group digits, as in -1.234? There is one at least.
bool may_group_by_points(std::string_view token) noexcept;

/// A number, plain or not.
bool is_written_number(std::string_view token);

/// How the numbers of a column are written.
struct NumberForm {
  bool plain = true;      ///< as parse_number() reads them
  char decimal = '.';     ///< else: what stands before the fraction
  std::string unit = {};  ///< and what stands before or behind all of them

  std::optional<double> read(std::string_view token) const {
    return plain ? parse_number(token) : read_written(token);
  }

 private:
  std::optional<double> read_written(std::string_view token) const;
};
/// "", "point %", "comma", ...: as an attribute keeps it.
std::string to_text(const NumberForm& form);
/// Plain of another text.
NumberForm parse_number_form(std::string_view text);

/// Words that mean "no value" where they stand in a column of numbers or dates: "None", "#N/A",
/// "n.d.", "-", "unknown", "Infinity" and the like (docs/reference/import.md), in any case.
bool is_usual_no_value(std::string_view token);

}  // namespace atl::io
