// Values of options as text, converted with messages that name the option.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "src/core/option_value.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Reads a whole number in decimal digits and nothing else. @throws UsageError
std::uint64_t whole_number_option(const std::string& option, const std::string& text,
                                  std::uint64_t lowest = 0,
                                  std::uint64_t highest = ~std::uint64_t{0});
/// Reads a whole number of any size that the type holds; whoever takes it knows the range.
/// @throws UsageError
template <typename Number>
Number any_whole_number_option(const std::string& option, const std::string& text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = !text.empty() && end == text.data() + text.size();
  if (!is_number || error == std::errc::invalid_argument) {
    throw UsageError(option + ": '" + printable(text) + "' is no whole number");
  }
  if (error == std::errc::result_out_of_range) {
    throw UsageError(option + ": " + printable(text) + " is too large");
  }
  return number;
}
/// "1073741824", "512M", "4GiB" (powers of 1024). @throws UsageError
std::uint64_t bytes_option(const std::string& option, const std::string& text);
/// Reads --device-memory, as Machine has it. @throws UsageError
std::uint64_t device_memory_option(const std::string& text);

/// Sets the bins of --max-bins, "8,age=0": for all attributes, and for some. @throws UsageError
void set_bins(Experiment& experiment, const std::string& option, const std::string& text);

/// Says of a --min-support of "1", which is a share, that it means all rows.
void tell_of_all_rows(const std::string& min_support, const Report& report);

/// Reads --split. @throws UsageError
TeamSplit split_option(const std::string& text);

/// Splits at commas; a part in double quotes may hold commas. Parts are not empty unless
/// `allow_empty`. @throws UsageError
std::vector<std::string> list_option(const std::string& option, const std::string& text,
                                     bool allow_empty = false);

/// @throws UsageError with the nearest names for one that no measure has, if some are near
void suggest_measures(const std::vector<std::string>& names);

/// Names of measures, none twice; "all" is all of those that such rules have. @throws UsageError
std::vector<std::string> measures_option(const std::string& option, const std::string& text,
                                         bool of_means);

}  // namespace atl
