#include "io/tables/inference.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "io/tables/column_dictionary.hpp"
#include "src/core/error.hpp"
#include "src/core/near_names.hpp"
#include "src/core/number.hpp"
#include "src/data/date.hpp"

namespace atl::io {
namespace {

/// Values from which on a column may be taken for an identifier.
constexpr std::uint64_t least_identifiers = 20;

/// Digits, E, digits.
bool is_exponent_code(std::string_view token) noexcept {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto* const mark = std::find_if_not(token.begin(), token.end(), is_digit);
  return mark != token.begin() && mark != token.end() && (*mark == 'E' || *mark == 'e') &&
         mark + 1 != token.end() && std::all_of(mark + 1, token.end(), is_digit);
}

/// Are all numbers written as 10E1 and 1E2 are, and two texts the same number, as programs that
/// write numbers never do? Such are identifiers of plates, samples and the like.
bool are_exponent_codes(const ColumnProfile& profile) {
  if (profile.spilled() || profile.integers) return false;
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
  if (profile.numbers.numbers() && are_exponent_codes(profile)) return AttributeKind::nominal;
  return profile.numbers.numbers() && !inexact && profile.leading_zero.empty()
             ? AttributeKind::numeric
             : AttributeKind::nominal;
}

bool is_overlong(const std::string& label) noexcept {
  return label.size() > longest_text;
}

constexpr const char* unreadable = "excluded and not readable";

/// May a column that nobody looks at stay?
bool is_readable(const ColumnProfile& profile) {
  if (profile.unreadable) return false;
  try {
    (void)kind_of(profile);
  } catch (const BadCell&) {
    return false;
  }
  return true;
}

constexpr const char* exponent_codes =
    "digits, E and digits in every value, and two that are the same number, are taken as codes";

const char* every_value(AttributeKind kind) noexcept {
  switch (kind) {
    case AttributeKind::date:
      return "every value is a date";
    case AttributeKind::date_time:
      return "every value is a date with a time";
    case AttributeKind::date_time_utc:
      return "every value is a date with a time and its zone";
    default:
      return "every value is a number";
  }
}

/// Why the values are no numbers.
std::string no_number(const ColumnProfile& profile) {
  const NumberEvidence& numbers = profile.numbers;
  const NumberEvidence::Place& place = numbers.doubtful();
  const std::string found = in_quotes(place.token) + " in line " + std::to_string(place.line);
  switch (numbers.doubt()) {
    case NumberEvidence::Doubt::marks:
      return found + " has other decimal or group marks than the numbers before it";
    case NumberEvidence::Doubt::units:
      return "not all values have the same sign, such as % or $ (" + found + ")";
    case NumberEvidence::Doubt::either_mark:
      return found + " may have a decimal comma or a group of three digits";
    case NumberEvidence::Doubt::none:
    case NumberEvidence::Doubt::words:
      break;
  }
  return found + " is not a number";
}

std::string no_date(const ColumnProfile& profile) {
  return in_quotes(profile.dates.no_date()) + " in line " +
         std::to_string(profile.dates.no_date_line()) + " is not a date";
}

/// @param form  how numbers are written, in words; empty: plainly
std::string reason_of(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                      const std::string& form, std::uint32_t max_categories) {
  const Attribute& attribute = dictionary.attribute;
  const ColumnPlan& plan = profile.plan();
  std::string reason;
  if (!profile.any) {
    reason = "no value in any row";
  } else if (has_numbers(attribute.kind)) {
    reason = to_string(attribute.kind);
    reason += plan.kind ? " by " + plan.source : std::string(": ") + every_value(attribute.kind);
    if (!form.empty()) reason += ", " + form;
    reason += "; " + counted(dictionary.distinct, "distinct value") + " from " +
              value_text(attribute.low.front(), attribute.kind) + " to " +
              value_text(attribute.low.back(), attribute.kind);
  } else {
    if (plan.kind) {
      reason =
          (attribute.kind == AttributeKind::ordinal ? "ordinal by " : "nominal by ") + plan.source;
    } else if (!profile.numbers.numbers()) {
      reason = "nominal: " + (dictionary.date_rows > 0 ? no_date(profile) : no_number(profile));
    } else if (!profile.leading_zero.empty()) {
      reason = "nominal: integers with a leading zero are taken as labels (" +
               in_quotes(profile.leading_zero) + " in line " +
               std::to_string(profile.leading_zero_line) + ")";
    } else if (!profile.integers) {
      reason = std::string("nominal: ") + exponent_codes;
    } else {
      reason = "nominal: integers beyond 2^53 are taken as labels";
    }
    reason += "; " + counted(dictionary.distinct, "label");
    if (!dictionary.other.empty()) {
      reason += plan.kept.empty()
                    ? ", the " + std::to_string(max_categories) + " most frequent are kept"
                    : ", " + std::to_string(attribute.labels.size() - 1) + " are kept";
      reason += ", the others become '" + dictionary.other + "'";
    }
  }
  if (attribute.missing > 0) reason += "; " + counted(attribute.missing, "row") + " without value";
  return reason;
}

/// Is it a column of numbers, but for a few rows or words or for how they are written, that was
/// taken for labels?
bool mostly_numbers(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                    std::uint64_t present) {
  if (profile.plan().kind || profile.numbers.numbers() || !profile.leading_zero.empty()) {
    return false;
  }
  constexpr std::uint64_t few_words = 2;
  const bool few = dictionary.others <= few_words && dictionary.numbers >= 2;
  const std::uint64_t rows = dictionary.number_rows + dictionary.written_number_rows;
  return few || present - rows <= present / 10;
}

/// Is it a column of dates, but for a few rows?
bool mostly_dates(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                  std::uint64_t present) {
  return !profile.plan().kind && dictionary.date_rows > 0 &&
         present - dictionary.date_rows <= present / 10;
}

std::string taken_as_labels(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                            std::uint64_t present) {
  const std::string name_missing =
      "; name it with " + profile.plan().option_prefix + "missing if it means \"no value\"";
  const auto of = [&](std::uint64_t rows) {
    return " (" + std::to_string(rows) + " of " + std::to_string(present) + " are)";
  };
  const std::string text = in_quotes(profile.plan().name) + " is taken as labels: ";
  const std::string decimal = profile.plan().option_prefix + "decimal";
  if (mostly_dates(profile, dictionary, present)) {
    return text + no_date(profile) + of(dictionary.date_rows) + name_missing;
  }
  const std::uint64_t rows = dictionary.number_rows + dictionary.written_number_rows;
  switch (profile.numbers.doubt()) {
    case NumberEvidence::Doubt::either_mark:
      return text + no_number(profile) + "; " + decimal + " comma or " + decimal +
             " point says which";
    case NumberEvidence::Doubt::marks:
    case NumberEvidence::Doubt::units:
      return text + no_number(profile);
    case NumberEvidence::Doubt::none:
    case NumberEvidence::Doubt::words:
      break;
  }
  if (profile.plan().decimal == DecimalMark::plain && dictionary.number_rows < rows) {
    return text + no_number(profile) + " (" + std::to_string(rows) + " of " +
           std::to_string(present) + " are, but for how they are written: " + decimal + ")";
  }
  return text + no_number(profile) + of(rows) + name_missing;
}

/// How the numbers are written, in words; empty: plainly.
std::string in_words(const NumberForm& form) {
  if (form.plain) return "";
  std::string text = form.decimal == ',' ? "with a decimal comma" : "";
  if (!form.unit.empty()) text += (text.empty() ? "with '" : " and '") + form.unit + "'";
  return text.empty() ? "with groups of digits" : text;
}

/// What was decided of numbers or dates that not everybody would write so. Empty: nothing.
std::string note_of(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                    const std::vector<std::string>& words, const std::string& form) {
  std::string note;
  if (!form.empty()) {
    const NumberEvidence::Place& place = profile.numbers.example();
    note = "is read as numbers " + form + ", such as " + in_quotes(place.token) + " in line " +
           std::to_string(place.line);
  }
  if (!words.empty()) {
    note += note.empty() ? "" : "; ";
    for (std::size_t i = 0; i < words.size(); ++i) {
      note += (i == 0 ? "" : " and ") + in_quotes(words[i]) + " (" +
              counted(dictionary.word_rows[i], "row") + ")";
    }
    note += words.size() == 1 ? " means" : " mean";
    note += std::string(" no value beside ") +
            (is_date(dictionary.attribute.kind) ? "dates" : "numbers");
  }
  if (note.empty()) return note;
  return in_quotes(profile.plan().name) + (form.empty() ? ": " : " ") + note + "; " +
         profile.plan().option_prefix + "nominal takes labels";
}

std::string points_may_group(const ColumnProfile& profile) {
  const std::string decimal = profile.plan().option_prefix + "decimal";
  const NumberEvidence::Place& place = profile.numbers.example();
  return in_quotes(profile.plan().name) + ": every point has three digits behind it, as in " +
         in_quotes(place.token) + " in line " + std::to_string(place.line) +
         "; taken for decimal points (" + decimal + " comma takes them to group digits, " +
         decimal + " point is content)";
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

}  // namespace

Conclusion conclude(ColumnProfile&& profile, std::uint64_t rows, const TemporaryFile* spool,
                    std::uint32_t max_categories) {
  const ColumnPlan& plan = profile.plan();
  Conclusion out;
  out.column.name = plan.name;
  out.column.kind = plan.kind.value_or(AttributeKind::nominal);
  out.column.missing = plan.missing;
  out.column.order = plan.order;
  out.column.order.insert(out.column.order.end(), plan.kept.begin(), plan.kept.end());
  if (plan.format && is_date(*out.column.kind)) out.column.format = plan.format->text();
  if (plan.role == ColumnRole::ignore) {
    out.column.role = ColumnRole::ignore;
    out.column.reason = "ignored by request";
    out.ignored = "by request";
    return out;
  }
  if (plan.excluded && !is_readable(profile)) {
    out.column.role = ColumnRole::ignore;
    out.column.reason = "excluded, and its values cannot be read";
    out.ignored = unreadable;
    return out;
  }
  out.column.kind = kind_of(profile);
  const bool numeric = out.column.kind == AttributeKind::numeric;
  if (numeric) profile.expect_numbers();
  const NumberForm form = numeric ? profile.numbers.form() : NumberForm();
  const std::string form_words = in_words(form);
  const std::vector<std::string> words = profile.words_without_value(*out.column.kind);
  out.column.missing.insert(out.column.missing.end(), words.begin(), words.end());
  if (!form.plain) {
    out.column.decimal = form.decimal == ',' ? DecimalMark::comma : DecimalMark::point;
  }
  const bool exponent_labels = out.column.kind == AttributeKind::nominal && !plan.kind &&
                               profile.numbers.numbers() && !profile.integers &&
                               profile.leading_zero.empty();
  ColumnDictionary dictionary =
      has_numbers(*out.column.kind)
          ? number_dictionary(profile, {*out.column.kind, plan.format, form}, words, spool)
          : label_dictionary(profile, spool, max_categories);
  out.column.reason = reason_of(profile, dictionary, form_words, max_categories);
  const std::uint64_t present = rows - dictionary.attribute.missing;
  const std::vector<std::string>& labels = dictionary.attribute.labels;
  if (present == 0 && !plan.needed) {
    out.ignored = "all missing";
  } else if (plan.excluded && std::any_of(labels.begin(), labels.end(), is_overlong)) {
    out.ignored = unreadable;
  } else if (!plan.role) {
    if (dictionary.distinct == 1 && present == rows) {
      out.ignored = "constant";
    } else if (like_identifier(profile, dictionary, present)) {
      out.ignored = "identifier-like";
    }
  }
  if (out.ignored.empty() && (mostly_numbers(profile, dictionary, present) ||
                              mostly_dates(profile, dictionary, present))) {
    out.warning = taken_as_labels(profile, dictionary, present);
  }
  if (out.ignored.empty()) out.note = note_of(profile, dictionary, words, form_words);
  if (out.ignored.empty() && numeric && form.plain && profile.numbers.points_may_group() &&
      plan.decimal == DecimalMark::detected) {
    out.warning = points_may_group(profile);
  }
  if (exponent_labels) {
    out.warning = in_quotes(plan.name) + " is taken as labels: " + exponent_codes +
                  "; a schema can say that they are numbers";
  }
  if (!out.ignored.empty()) {
    out.column.role = ColumnRole::ignore;
    out.column.reason = "ignored: " + out.ignored + "; " + out.column.reason;
    return out;
  }
  out.merged = !dictionary.other.empty() && plan.kept.empty();
  out.column.role = plan.role.value_or(ColumnRole::input);
  out.attribute = std::move(dictionary.attribute);
  out.attribute.name = plan.name;
  out.attribute.other = dictionary.other;
  if (out.column.missing != default_missing) out.attribute.missing_tokens = out.column.missing;
  out.attribute.number_form = to_text(form);
  out.attribute.role =
      out.column.role == ColumnRole::target ? AttributeRole::target : AttributeRole::input;
  out.coder = std::move(dictionary.coder);
  return out;
}

}  // namespace atl::io
