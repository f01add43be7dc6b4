// The facts that a configuration has of an algorithm: its name, its defaults and the keys that it
// takes. The table of all algorithms is handed in from above (islands/algorithms.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/search_kind.hpp"

namespace atl {

/// Most individuals of all islands.
inline constexpr std::uint32_t most_individuals = 10'000'000;

enum class KeyKind : std::uint8_t {
  share,         ///< a number from 0 to 1
  individuals,   ///< a whole number; every island holds so many beside its population
  rows,          ///< a whole number; 0: all
  rules,         ///< a whole number up to most_list_rules; 0: as the classes ask for
  alternatives,  ///< a whole number from 1 to most_alternatives
  folds,         ///< a whole number from 0 to most_inner_folds
  cost,          ///< a number from 0 to 1,000,000
  choice,        ///< one of some names; its value is the index
};

/// Upper limits of a list search: rules, conjunctions per rule, inner folds.
inline constexpr std::uint32_t most_list_rules = 10'000, most_alternatives = 10,
                               most_inner_folds = 20;

/// A key of an algorithm's section, and with dashes for underscores an option.
struct AlgorithmKey {
  std::string_view name;
  KeyKind kind = KeyKind::share;
  std::string_view placeholder;  ///< of the value, on the command line
  std::string_view help;
  bool by_island = false;  ///< island_settings may have the key, too
  /// The value of runs from before there was the key.
  std::optional<double> formerly = std::nullopt;
  /// Value of the option if it is given without one; then one can only follow behind `=`.
  std::optional<double> implied = std::nullopt;
  std::span<const std::string_view> choices = {};  ///< of a choice

  double lowest() const noexcept {
    return kind == KeyKind::individuals || kind == KeyKind::alternatives ? 1 : 0;
  }
  double highest() const noexcept;
  std::string option() const;  ///< "--max-consequent"
  /// The index of a name. @throws UsageError "is 'x', expected a or b"
  double choice_called(std::string_view name) const;
  std::string chosen(double index) const {
    return std::string(choices[static_cast<std::size_t>(index)]);
  }
};

/// Any algorithm may take this key. Constraints on results read it.
inline constexpr AlgorithmKey max_consequent_key{
    "max_consequent", KeyKind::share, "X",
    "greatest share of the rows that a consequent may hold on"};

/// The facts that other layers need to know of an algorithm.
struct AlgorithmTraits {
  bool associations = false;   ///< a rule is a result only if its lift is above 1
  bool means = false;          ///< can search for statistics of a number
  bool names_buckets = false;  ///< tells rules of different rows apart, so that the archive keeps
                               ///< some of each
  const SearchKind* kind = &rule_kind;  ///< what it searches for
};

struct AlgorithmDescription {
  std::string_view name;  ///< of `preset`, and of the section with its keys
  std::vector<std::string_view> former_names;
  std::string_view defaults;  ///< a preset in TOML that names every key
  std::span<const AlgorithmKey> keys;
  AlgorithmTraits traits;

  /// nullptr if the algorithm does not take the key
  const AlgorithmKey* find(std::string_view key) const noexcept;
};

/// All algorithms; the first is the default. The descriptions must outlive what is read with them.
using AlgorithmTable = std::span<const AlgorithmDescription>;

/// The algorithm of this name or former name; nullptr if there is none.
const AlgorithmDescription* algorithm_called(AlgorithmTable algorithms,
                                             std::string_view name) noexcept;
/// @throws UsageError naming the option and the known algorithms
const AlgorithmDescription& find_algorithm(AlgorithmTable algorithms, std::string_view name,
                                           const char* option = "--preset");
/// "a, b or c", of all or of those that take the key.
std::string algorithm_names(AlgorithmTable algorithms, std::string_view key = {});

/// The values of an algorithm's keys.
class AlgorithmSettings {
 public:
  /// @throws UsageError "is 2, expected 0 to 1"
  void set(const AlgorithmKey& key, double value);
  /// Takes the values of others before its own.
  void replace_by(const AlgorithmSettings& others);
  std::optional<double> find(std::string_view key) const noexcept;
  /// @pre the key has a value
  double at(std::string_view key) const;
  bool empty() const noexcept { return values_.empty(); }
  /// Iterates by ascending key.
  auto begin() const noexcept { return values_.begin(); }
  auto end() const noexcept { return values_.end(); }
  friend bool operator==(const AlgorithmSettings&, const AlgorithmSettings&) = default;

 private:
  std::map<std::string, double, std::less<>> values_;
};

}  // namespace atl
