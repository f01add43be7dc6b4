#include "src/config/option_values.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

#include "src/core/text/near_names.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

UsageError bad_value(const std::string& option, const std::string& text,
                     const std::string& expected) {
  return UsageError(option + ": '" + printable(text) + "' is no " + expected);
}

}  // namespace

std::uint64_t whole_number_option(const std::string& option, const std::string& text,
                                  std::uint64_t lowest, std::uint64_t highest) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || value < lowest || value > highest) {
    throw bad_value(
        option, text,
        "whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
  }
  return value;
}

std::uint64_t bytes_option(const std::string& option, const std::string& text) {
  constexpr std::string_view units = "KMGT";
  std::string_view digits = text;
  if (digits.ends_with("iB")) digits.remove_suffix(2);
  const bool long_unit = digits.size() != text.size();
  const std::size_t unit = digits.empty() ? units.npos : units.find(digits.back());
  const int shift = unit == units.npos ? 0 : 10 * static_cast<int>(unit + 1);
  if (shift != 0) digits.remove_suffix(1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  const bool fits = value <= (std::numeric_limits<std::uint64_t>::max() >> shift);
  if (!whole || !fits || (long_unit && shift == 0)) {
    throw bad_value(option, text, "number of bytes, such as 512M or 4GiB");
  }
  return value << shift;
}

std::uint64_t device_memory_option(const std::string& text) {
  const std::uint64_t bytes = bytes_option("--device-memory", text);
  if (bytes == 0 || (bytes >= least_device_memory && bytes <= most_device_memory)) return bytes;
  throw UsageError("--device-memory: '" + printable(text) +
                   "', expected 0, what is free, or 1MiB to 1024TiB");
}

TeamSplit split_option(const std::string& text) {
  if (text == "rows") return TeamSplit::rows;
  if (text == "rules") return TeamSplit::rules;
  throw UsageError("--split: '" + printable(text) + "', expected rows or rules");
}

std::vector<std::string> list_option(const std::string& option, const std::string& text,
                                     bool allow_empty) {
  std::vector<std::string> parts(1);
  bool in_quotes = false;
  bool was_quoted = false;
  for (const char c : text) {
    if (c == '"') {
      in_quotes = !in_quotes;
      was_quoted = true;
    } else if (c == ',' && !in_quotes) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (in_quotes) throw bad_value(option, text, "list: a double quote is not closed");
  const bool some_empty =
      std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); });
  if (some_empty && !allow_empty && !was_quoted) {
    throw bad_value(option, text, "list: a part between commas is empty");
  }
  return parts;
}

void suggest_measures(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const MeasureInfo& measure : measures()) known.emplace_back(measure.name);
  for (const std::string& name : names) {
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (is_known || near_names(name, known).empty()) continue;
    throw UsageError("unknown measure " + in_quotes(name) + suggestion(name, known));
  }
}

std::vector<std::string> measures_option(const std::string& option, const std::string& text,
                                         bool of_means) {
  std::vector<std::string> names;
  if (text == "all") {
    for (const MeasureInfo& measure : measures()) {
      if (measure.applies(of_means)) names.emplace_back(measure.name);
    }
  } else {
    names = list_option(option, text);
    option_value(option, [&] {
      suggest_measures(names);
      return measures_named(names, of_means);
    });
  }
  return names;
}

void set_bins(Experiment& experiment, const std::string& option, const std::string& text) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  std::set<std::string> given;
  for (const std::string& part : list_option(option, text)) {
    const std::size_t equals = part.rfind('=');
    const std::string number = equals == std::string::npos ? part : part.substr(equals + 1);
    const auto bins = static_cast<std::uint32_t>(whole_number_option(option, number, 0, most));
    const std::string name = equals == std::string::npos ? "" : part.substr(0, equals);
    if (!given.insert(name).second)
      throw UsageError(option + ": " +
                       (name.empty() ? "what holds for all" : "'" + printable(name) + "'") +
                       " is given twice");
    if (equals == std::string::npos) {
      experiment.max_bins = bins;
    } else {
      experiment.attribute_bins[name] = bins;
    }
  }
}

void tell_of_all_rows(const std::string& min_support, const Report& report) {
  if (min_support != "1") return;
  report(Severity::info, "--min-support 1 means all rows; for one row write 1rows");
}

}  // namespace atl
