#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "src/data/date.hpp"

namespace atl::io {

/// The conversions of a format, one line, for messages and the schema's comment.
inline constexpr const char* date_conversions = "%Y %y %m %b %d %a %H %I %p %M %S %f %z %%";

/// How dates are written that are not in ISO 8601: a subset of strptime's formats, without locale.
///
///   %Y  year of four digits        %H  hour 0 to 23       %M  minute      %z  Z, +02:00, +0200,
///   -05 %y  69 to 99 and 00 to 68:     %I  hour 1 to 12,      %S  second      %%  a percent sign
///       1969 to 2068                   with %p            %f  fraction of a second, one to
///   %m  month                      %p  AM or PM               nine digits
///   %b  English name of the month, its first three letters or all    %d  day of the month
///   %a  English name of the day of the week, likewise; it is passed over
///
/// Numbers but the year have one or two digits; letters may be upper or lower case. Anything else
/// stands for itself, a blank for one blank.
class DateFormat {
 public:
  /// @throws std::invalid_argument with what was expected: each conversion at most once, day, month
  /// and year all there, no minute without hour, no second without minute, and so on
  explicit DateFormat(std::string text);

  const std::string& text() const noexcept { return text_; }
  /// A date if there is no hour, else with %z date_time_utc, else date_time.
  AttributeKind kind() const noexcept { return kind_; }
  /// Nothing if the text is not so.
  std::optional<Moment> read(std::string_view date) const noexcept;

 private:
  std::string text_;
  AttributeKind kind_;
};

}  // namespace atl::io
