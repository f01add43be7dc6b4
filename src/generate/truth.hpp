// What is really in a table with planted rules: NAME.truth.json, described in
// docs/reference/generate.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/generate/planted.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

/// Counts the planted rules and all their generalisations over the rows it is shown.
class TruthCounter {
 public:
  /// The source must outlive it.
  explicit TruthCounter(const PlantedSource& source);

  void add(std::span<const std::uint32_t> codes) noexcept;
  /// Counts of a rule without the antecedent's comparisons that are not in `subset`, a mask.
  ContingencyTable table(std::size_t rule, std::uint32_t subset) const noexcept;
  /// The whole file.
  std::string json(const PlantedOptions& options) const;

 private:
  /// Rows by the set of comparisons of the antecedent that hold, and whether the consequent does.
  using Histogram = std::array<std::array<std::uint64_t, 2>, 16>;

  const PlantedSource& source_;
  std::vector<Histogram> histograms_;
  std::vector<std::uint64_t> missing_consequent_;
};

}  // namespace atl
