#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace atl {

/// The values of the last three are numbers, too: microseconds since 1970-01-01T00:00:00, whole
/// days of a date; those of date_time_utc in UTC, those of date_time wherever the clock was.
enum class AttributeKind : std::uint8_t {
  numeric = 0,
  nominal = 1,
  ordinal = 2,
  date = 3,
  date_time = 4,
  date_time_utc = 5
};
enum class AttributeRole : std::uint8_t { input = 0, target = 1 };

/// "date-time-utc" of date_time_utc, and so on.
const char* to_string(AttributeKind kind) noexcept;
/// date, date_time or date_time_utc.
constexpr bool is_date(AttributeKind kind) noexcept {
  return kind >= AttributeKind::date;
}
/// Values are numbers, those of dates included; else labels.
constexpr bool has_numbers(AttributeKind kind) noexcept {
  return kind == AttributeKind::numeric || is_date(kind);
}
const char* to_string(AttributeRole role) noexcept;

/// Bytes of a name or label, at most: rules are made of them.
inline constexpr std::size_t longest_text = std::size_t{1} << 16;

/// A column and its dictionary. A code is a rank in the dictionary: numbers ascending,
/// nominal labels by ascending UTF-8 bytes, ordinal labels in the order the user gave.
struct Attribute {
  std::string name;
  AttributeKind kind = AttributeKind::numeric;
  AttributeRole role = AttributeRole::input;
  bool has_missing = false;
  std::uint64_t missing = 0;          ///< rows without a value, over the whole dataset
  std::vector<double> low, high;      ///< of numbers: smallest and largest value of each code
  std::vector<std::string> labels;    ///< nominal, ordinal: text of each code
  std::vector<std::uint64_t> counts;  ///< rows of each code, over the whole dataset
  std::uint64_t exact_distinct = 0;   ///< distinct values before binning
  bool as_labels = false;             ///< numeric: its values are taken as labels are
  bool item = false;  ///< of transactions: absent or present, and rules only say the latter
  std::string other;  ///< the label that the import made of rare ones, if it did
  /// Tokens that the import took for no value; not set: the usual ones.
  std::optional<std::vector<std::string>> missing_tokens;
  /// The form of numbers that the import found (io::NumberForm); empty: plain.
  std::string number_form;

  /// Number of codes, at least 1 in a dataset with any value.
  std::uint32_t distinct() const noexcept {
    return static_cast<std::uint32_t>(has_numbers(kind) ? low.size() : labels.size());
  }
  /// Bit planes of the codes: ceil(log2(distinct)), at least 1; without `present`.
  std::uint32_t planes() const noexcept;
  /// Codes have an order that intervals make sense on.
  bool ordered() const noexcept { return kind != AttributeKind::nominal && !as_labels; }
  /// Some code stands for more than one value.
  bool binned() const noexcept { return exact_distinct > distinct(); }
};

/// Most values of a number that can be labels.
inline constexpr std::uint64_t most_number_labels = 20;

/// Can its values be labels? It is numeric and has, unbinned, few values, whole numbers all.
bool can_be_labels(const Attribute& attribute) noexcept;

/// The least code at or below which at least that share of the rows with a value lie.
/// @pre the counts are there, and some row has a value
std::uint32_t quantile_code(const Attribute& attribute, double share) noexcept;

/// ceil(log2(distinct)), at least 1.
std::uint32_t planes_for(std::uint64_t distinct) noexcept;

}  // namespace atl
