#include "io/tables/values/value_reader.hpp"

#include "src/core/text/near_names.hpp"

namespace atl::io {

std::optional<Moment> ValueReader::moment(std::string_view token) const noexcept {
  return format ? format->read(token) : parse_date(token);
}

std::optional<double> ValueReader::value(std::string_view token) const noexcept {
  if (!is_date(kind)) {
    const std::optional<double> number = form.read(token);
    return number ? std::optional<double>(*number + 0.0) : std::nullopt;  // makes -0 to 0
  }
  const std::optional<Moment> read = moment(token);
  if (!read || read->kind != kind || read->flaw != nullptr) return std::nullopt;
  return read->microseconds;
}

std::string ValueReader::expected(std::string_view token) const {
  if (!is_date(kind)) return "a number";
  const std::optional<Moment> read = moment(token);
  if (read && read->kind == kind && read->flaw != nullptr) return read->flaw;
  return format ? "a date as " + in_quotes(format->text()) : expected_date(kind);
}

}  // namespace atl::io
