#include "src/config/algorithm.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl {

double AlgorithmKey::highest() const noexcept {
  switch (kind) {
    case KeyKind::share:
      return 1;
    case KeyKind::individuals:
      return most_individuals;
    case KeyKind::rules:
      return most_list_rules;
    case KeyKind::alternatives:
      return most_alternatives;
    case KeyKind::folds:
      return most_inner_folds;
    case KeyKind::cost:
      return 1e6;
    case KeyKind::choice:
      return static_cast<double>(choices.size()) - 1;
    case KeyKind::rows:
      break;
  }
  return std::numeric_limits<std::int32_t>::max();
}

std::string AlgorithmKey::option() const {
  std::string text = "--" + std::string(name);
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

double AlgorithmKey::choice_called(std::string_view wanted) const {
  const auto found = std::find(choices.begin(), choices.end(), wanted);
  if (found != choices.end()) return static_cast<double>(found - choices.begin());
  throw UsageError("is '" + printable(std::string(wanted)) + "', expected " +
                   alternatives({choices.begin(), choices.end()}));
}

const AlgorithmKey* AlgorithmDescription::find(std::string_view key) const noexcept {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [&](const AlgorithmKey& its) { return its.name == key; });
  return found == keys.end() ? nullptr : &*found;
}

const AlgorithmDescription* algorithm_called(AlgorithmTable algorithms,
                                             std::string_view name) noexcept {
  const auto found =
      std::find_if(algorithms.begin(), algorithms.end(), [&](const AlgorithmDescription& one) {
        return one.name == name || std::find(one.former_names.begin(), one.former_names.end(),
                                             name) != one.former_names.end();
      });
  return found == algorithms.end() ? nullptr : &*found;
}

const AlgorithmDescription& find_algorithm(AlgorithmTable algorithms, std::string_view name,
                                           const char* option) {
  if (const auto* const found = algorithm_called(algorithms, name)) return *found;
  throw UsageError(std::string(option) + " is '" + printable(std::string(name)) + "', expected " +
                   algorithm_names(algorithms));
}

std::string algorithm_names(AlgorithmTable algorithms, std::string_view key) {
  std::vector<std::string_view> names;
  for (const AlgorithmDescription& one : algorithms) {
    if (key.empty() || one.find(key) != nullptr) names.push_back(one.name);
  }
  return alternatives(names);
}

void AlgorithmSettings::set(const AlgorithmKey& key, double value) {
  if (!(value >= key.lowest() && value <= key.highest())) {
    throw UsageError("is " + plain_number(value) + ", expected " + plain_number(key.lowest()) +
                     " to " + plain_number(key.highest()));
  }
  values_.insert_or_assign(std::string(key.name), value);
}

void AlgorithmSettings::replace_by(const AlgorithmSettings& others) {
  for (const auto& [key, value] : others.values_) values_.insert_or_assign(key, value);
}

std::optional<double> AlgorithmSettings::find(std::string_view key) const noexcept {
  const auto found = values_.find(key);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

double AlgorithmSettings::at(std::string_view key) const {
  const auto value = find(key);
  assert(value);
  return *value;
}

}  // namespace atl
