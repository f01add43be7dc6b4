// Writes what is really in a table with planted rules: NAME.truth.json, described in
// docs/reference/generate.md.
#pragma once

#include <cstddef>
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
  /// All that it has counted: those of two counters of one source add up, element by element.
  std::span<std::uint64_t> counts() noexcept { return counts_; }
  /// Counts of a rule without the antecedent's comparisons that are not in `subset`, a mask.
  ContingencyTable table(std::size_t rule, std::uint32_t subset) const noexcept;
  /// The whole file.
  std::string json(const PlantedOptions& options) const;

 private:
  const PlantedSource& source_;
  /// Rows of each rule by the set of comparisons of the antecedent that hold and by whether the
  /// consequent does; then those in which the consequent's value is missing.
  std::vector<std::uint64_t> counts_;
};

/// Counts the planted rules on several threads.
class TruthCounters {
 public:
  /// The source must outlive it.
  explicit TruthCounters(const PlantedSource& source)
      : none_(source), size_(none_.counts().size()) {}

  /// Lets workers 0 to threads - 1 count from nothing on.
  void begin(unsigned threads);
  void add(std::span<const std::uint32_t> codes, unsigned worker) { counters_[worker].add(codes); }
  std::size_t size() const noexcept { return size_; }
  /// What all have counted since the last call.
  std::vector<std::uint64_t> take();

 private:
  TruthCounter none_;  // has counted nothing
  std::size_t size_;
  std::vector<TruthCounter> counters_;
};

}  // namespace atl
