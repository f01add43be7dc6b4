#include "io/tables/columns/column_kind.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "src/core/text/ascii.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

/// Values from which on a column may be taken for an identifier.
constexpr std::uint64_t least_identifiers = 20;
/// Words beside numbers or dates that a warning is due for at any share.
constexpr std::uint64_t few_words = 2;

/// Digits, E, digits.
bool is_exponent_code(std::string_view token) noexcept {
  const auto* const mark = std::find_if_not(token.begin(), token.end(), is_digit);
  return mark != token.begin() && mark != token.end() && (*mark == 'E' || *mark == 'e') &&
         are_digits(token.substr(static_cast<std::size_t>(mark - token.begin()) + 1));
}

}  // namespace

bool are_exponent_codes(const ColumnProfile& profile) {
  if (profile.plan().kind || !profile.numbers.numbers() || profile.spilled() || profile.integers ||
      !profile.any || !profile.leading_zero.empty()) {
    return false;
  }
  std::set<double> values;
  std::size_t codes = 0;
  for (std::uint32_t id = 0; id < profile.tokens.size(); ++id) {
    const std::string_view token = profile.tokens.text(id);
    if (profile.plan().is_missing(token)) continue;
    if (!is_exponent_code(token)) return false;
    values.insert(*parse_number(token));
    ++codes;
  }
  return values.size() < codes;
}

AttributeKind kind_of(const ColumnProfile& profile) {
  if (profile.plan().kind) return *profile.plan().kind;
  if (const auto kind = profile.dates.kind(profile.plan().option_prefix)) return *kind;
  const bool inexact = profile.integers && profile.inexact;
  if (are_exponent_codes(profile)) return AttributeKind::nominal;
  return profile.numbers.numbers() && !inexact && profile.leading_zero.empty()
             ? AttributeKind::numeric
             : AttributeKind::nominal;
}

bool mostly_numbers(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                    std::uint64_t present) {
  if (profile.plan().kind || profile.numbers.numbers() || !profile.leading_zero.empty()) {
    return false;
  }
  const bool few = dictionary.words + dictionary.dates <= few_words && dictionary.numbers >= 2;
  const std::uint64_t rows = dictionary.number_rows + dictionary.written_number_rows;
  return few || present - rows <= present / 10;
}

bool mostly_dates(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                  std::uint64_t present) {
  if (profile.plan().kind || dictionary.date_rows == 0) return false;
  const bool few = dictionary.words + dictionary.numbers <= few_words && dictionary.dates >= 2;
  return few || present - dictionary.date_rows <= present / 10;
}

bool like_identifier(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                     std::uint64_t present) {
  if (present < least_identifiers || profile.plan().chosen) return false;
  if (dictionary.attribute.kind == AttributeKind::nominal) {
    return dictionary.distinct >= present - present / 20 &&
           !mostly_numbers(profile, dictionary, present) &&
           !mostly_dates(profile, dictionary, present);
  }
  if (dictionary.attribute.kind != AttributeKind::numeric || !profile.integers) return false;
  if (dictionary.distinct != present || dictionary.attribute.has_missing) return false;
  if (!profile.numbers.form().plain) return false;
  return profile.ascending || profile.descending ||
         profile.high - profile.low == static_cast<double>(present - 1);
}

}  // namespace atl::io
