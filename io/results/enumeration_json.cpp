#include "io/results/enumeration_json.hpp"

#include <nlohmann/json.hpp>

#include "io/results/rule_file.hpp"
#include "src/results/written/written_rule.hpp"

namespace atl::io {

std::string enumeration_json(Enumeration found, std::span<const Attribute> attributes) {
  for (RuleRecord& record : found.rules) {
    const std::uint32_t concluded = record.rule.consequent.comparisons()[0].attribute;
    record.missing_consequent = attributes[concluded].missing;
  }
  nlohmann::ordered_json file = {
      {"method", found.method},
      {"top", found.top},
      {"max_length", found.max_length},
      {"min_count", found.min_count},
      {"max_consequent", found.max_consequent},
      {"max_bins", nullptr},
      {"fingerprint", found.fingerprint},
      {"space", found.space},
      {"evaluated", found.evaluated},
      {"rules", nlohmann::ordered_json::parse(rules_json(to_written(found.rules, attributes)))}};
  if (found.max_bins) file["max_bins"] = *found.max_bins;
  if (!found.target.empty()) file["target"] = found.target;
  return file.dump(1) + '\n';
}

}  // namespace atl::io
