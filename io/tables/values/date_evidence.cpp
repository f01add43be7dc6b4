#include "io/tables/values/date_evidence.hpp"

#include <algorithm>

#include "io/tables/values/written_number.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {
namespace {

const char* one_kind(AttributeKind kind) noexcept {
  if (kind == AttributeKind::date) return "a date without a time";
  return kind == AttributeKind::date_time ? "a date with a time, no zone"
                                          : "a date with a time and its zone";
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

}  // namespace atl::io
