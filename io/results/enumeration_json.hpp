// The file that `atoll enumerate` writes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/rules/rule_record.hpp"

namespace atl::io {

/// What was asked for, and what was found.
struct Enumeration {
  std::string method;  ///< exact or beam
  std::uint64_t top = 0;
  std::uint32_t max_length = 0;
  std::uint64_t min_count = 0;
  double max_consequent = 0;
  std::optional<std::uint32_t> max_bins = {};  ///< none: numbers were left out
  std::vector<std::string> target = {};        ///< empty: rules conclude anything
  std::string fingerprint = {};                ///< of the data
  std::uint64_t space = 0, evaluated = 0;      ///< rules that there are, and that were counted
  std::vector<RuleRecord> rules = {};          ///< consequents are one comparison
};

/// @param attributes  of the data
std::string enumeration_json(Enumeration found, std::span<const Attribute> attributes);

}  // namespace atl::io
