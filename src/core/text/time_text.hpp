// Times for people.
#pragma once

#include <ctime>
#include <optional>
#include <string>

namespace atl {

/// Rounded up: "59 s", "2 min 05 s", "3 h 07 min", "2 d 03 h".
std::string time_text(double seconds);

/// The seconds since 1970 of "2026-01-31T23:59:59.999Z"; nothing for other text.
std::optional<double> parse_utc(const std::string& text);
/// "2026-01-31T23:59:59Z".
std::string utc_text(std::time_t time);

}  // namespace atl
