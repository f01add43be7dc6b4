#include "io/tables/columns/inference.hpp"

#include <algorithm>
#include <utility>

#include "io/tables/columns/column_dictionary.hpp"
#include "io/tables/columns/column_kind.hpp"
#include "io/tables/columns/column_remarks.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

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

/// Why a column does not stay; empty if it does.
std::string why_left_out(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                         std::uint64_t present, std::uint64_t rows) {
  const ColumnPlan& plan = profile.plan();
  const std::vector<std::string>& labels = dictionary.attribute.labels;
  if (present == 0 && !plan.needed) return "all missing";
  if (plan.excluded && std::any_of(labels.begin(), labels.end(), is_overlong)) return unreadable;
  if (plan.role) return "";
  if (dictionary.distinct == 1 && present == rows) return "constant";
  return like_identifier(profile, dictionary, present) ? "identifier-like" : "";
}

/// What the user should check; empty if nothing.
/// @param form  of numbers
/// @param codes  are_exponent_codes()
std::string doubt_of(const ColumnProfile& profile, const ColumnDictionary& dictionary,
                     std::uint64_t present, const NumberForm& form, bool codes) {
  if (mostly_numbers(profile, dictionary, present) || mostly_dates(profile, dictionary, present) ||
      codes) {
    return taken_as_labels(profile, dictionary, present);
  }
  const bool numeric = dictionary.attribute.kind == AttributeKind::numeric;
  if (numeric && profile.numbers.has_likely_mark()) return taken_as_likely(profile);
  if (numeric && profile.plan().before && profile.plan().before->unit != form.unit) {
    return has_other_sign(profile, form);
  }
  return numeric && profile.numbers.points_may_group() ? points_taken_as_decimal(profile) : "";
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
  if (plan.role == ColumnRole::ignore || (plan.excluded && !is_readable(profile))) {
    const bool by_request = plan.role == ColumnRole::ignore;
    out.column.role = ColumnRole::ignore;
    out.column.reason =
        by_request ? "ignored by request" : "excluded, and its values cannot be read";
    out.ignored = by_request ? "by request" : unreadable;
    return out;
  }
  out.column.kind = kind_of(profile);
  const bool numeric = out.column.kind == AttributeKind::numeric;
  if (numeric) profile.expect_numbers();
  const NumberForm form = numeric ? profile.numbers.form() : NumberForm();
  const std::string form_words = in_words(form, profile.numbers);
  const std::vector<std::string> words = profile.words_without_value(*out.column.kind);
  out.column.missing.insert(out.column.missing.end(), words.begin(), words.end());
  if (!form.plain) {
    out.column.decimal = form.decimal == ',' ? DecimalMark::comma : DecimalMark::point;
  }
  const bool codes = are_exponent_codes(profile);
  ColumnDictionary dictionary =
      has_numbers(*out.column.kind)
          ? number_dictionary(profile, {*out.column.kind, plan.format, form}, words, spool)
          : label_dictionary(profile, spool, max_categories);
  out.column.reason = reason_of(profile, dictionary, form_words, max_categories);
  const std::uint64_t present = rows - dictionary.attribute.missing;
  out.ignored = why_left_out(profile, dictionary, present, rows);
  if (out.ignored.empty()) {
    out.warning = doubt_of(profile, dictionary, present, form, codes);
    out.note = note_of(profile, dictionary, words, form_words);
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
