#include "src/run/data/where_attributes.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>

#include "io/hdf5/data_file.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {

namespace {

using Names = std::vector<std::string>;

/// A dataset file is read as a whole before anything in it is believed.
constexpr std::uintmax_t most_bytes_read = std::uintmax_t{1} << 30;

std::optional<Names> names_in(const std::string& dataset) {
  std::error_code absent;
  const std::uintmax_t bytes = std::filesystem::file_size(dataset, absent);
  if (absent || bytes > most_bytes_read) return std::nullopt;
  try {
    if (!io::is_dataset_file(dataset)) return std::nullopt;
    Names names;
    for (const Attribute& attribute : io::read_data_summary(dataset).attributes)
      names.push_back(attribute.name);
    return names;
  } catch (const Error&) {
    return std::nullopt;  // the rules do not need it
  }
}

Names names_in(std::span<const WrittenRule> rules) {
  std::set<std::string> names;
  for (const WrittenRule& rule : rules) {
    for (const auto* side : {&rule.antecedent, &rule.consequent})
      for (const WrittenComparison& c : *side) names.insert(c.attribute);
  }
  return {names.begin(), names.end()};
}

}  // namespace

void expect_attributes(std::span<const std::string> names, std::span<const WrittenRule> rules,
                       const io::RunPaths& run, const std::string& data, const Report& report) {
  const Names of_rules = names_in(rules);
  std::set<std::string> unknown(names.begin(), names.end());
  for (const std::string& name : of_rules) unknown.erase(name);
  if (unknown.empty()) return;
  std::optional<Names> of_data = names_in(run.data);
  if (!of_data) of_data = names_in(data);
  if (of_data) {
    for (const std::string& name : *of_data) unknown.erase(name);
    if (unknown.empty()) return;
    throw UsageError("--where: no attribute " + in_quotes(*unknown.begin()) +
                     suggestion(*unknown.begin(), *of_data));
  }
  if (rules.empty()) return;
  for (const std::string& name : unknown)
    report(Severity::warning,
           "--where: no rule names " + in_quotes(name) + suggestion(name, of_rules));
}

}  // namespace atl
