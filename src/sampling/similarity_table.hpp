// Tells how similar candidates are to the rules of a population, by the rows that they cover.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "src/rules/rule.hpp"
#include "src/sampling/coverage_sample.hpp"

namespace atl {

/// The coverages of the members of one population on the rows of a sample, slot by slot. Candidates
/// are compared with all members in batches: prepare, start, finish, then questions, and again. The
/// calls are split so that a device can count, in one pass, the rows that each candidate shares
/// with each member and with each candidate that may become one. For one thread at a time; each
/// population has a table of its own. Results are equal on every backend.
class SimilarityTable {
 public:
  virtual ~SimilarityTable() = default;

  /// @param candidates  [n] must stay until finish()
  virtual void prepare(std::span<const Rule* const> candidates) = 0;
  /// Does not block on a device. A table of the CPU finds coverages here.
  virtual void start() = 0;
  /// Blocks until the candidates' coverages are known.
  virtual void finish() = 0;

  /// The first row, in the sample's order, that the candidate's antecedent covers. If it covers
  /// none, the number of rows of the sample.
  virtual std::uint32_t first_row(std::size_t candidate) const = 0;
  /// The slot of the member of greatest similarity(), the first of equal ones, among the members as
  /// they are now; none if all are below `least`.
  /// @param likely  the slot to look at first; a similar member there saves looking at others
  /// @pre least > 0, likely < size()
  virtual std::optional<std::size_t> most_similar(std::size_t candidate, double least,
                                                  std::size_t likely) = 0;
  /// Makes the candidate the member of a slot. @pre slot <= size(); size() adds a slot
  virtual void place(std::size_t candidate, std::size_t slot) = 0;

  /// Number of members.
  virtual std::size_t size() const noexcept = 0;
  /// Removes all members.
  virtual void clear() noexcept = 0;
  /// [words of the sample] The rows that a side of a member covers. Valid until place() or clear().
  virtual std::span<const std::uint64_t> antecedent(std::size_t slot) const = 0;
  virtual std::span<const std::uint64_t> consequent(std::size_t slot) const = 0;
};

/// The executable specification: plain loops over rows and members.
std::unique_ptr<SimilarityTable> make_reference_similarity_table(
    std::shared_ptr<const CoverageSample> sample);

/// Makes a table that works on the calling thread.
/// @param sample  shared by the tables of all populations
std::unique_ptr<SimilarityTable> make_cpu_similarity_table(
    std::shared_ptr<const CoverageSample> sample);

}  // namespace atl
