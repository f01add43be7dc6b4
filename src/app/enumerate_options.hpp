// Options of `enumerate` at the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/exhaustive/rules/item_rule.hpp"

namespace CLI {
class App;
}

namespace atl {

/// Options as they were typed.
struct EnumerateOptions {
  std::string data, output;
  std::string method = "exact";
  std::string evaluations;
  std::string top = "100";
  std::string max_length = "5";
  std::string min_support = "0.1%";
  std::string max_consequent = "0.9";
  std::string max_bins;
  std::string target = "none";
  bool force = false;
};

/// Numbers of options, checked before any file is read.
struct EnumerateSettings {
  std::uint64_t evaluations = 0;  ///< of beam search; 0: exact
  std::uint64_t top = 0;
  RuleLimits limits;
  SupportThreshold min_support;
  std::optional<std::uint32_t> max_bins;  ///< none: numbers are left out
  std::vector<std::string> target;        ///< none: rules conclude anything
};

void add_enumerate_options(CLI::App& command, EnumerateOptions& options);
/// @throws UsageError
EnumerateSettings settings_from(const EnumerateOptions& options);

}  // namespace atl
