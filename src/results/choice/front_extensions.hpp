// The ways to make an antecedent longer that are the most certain of their size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/grammar/grammar.hpp"
#include "src/results/choice/front.hpp"
#include "src/sampling/row_sample.hpp"

namespace atl {

using FrontPart = RowSample::Part;
using FrontParts = std::vector<FrontPart>;  ///< ascending

/// An antecedent on the rows of a sample.
struct FrontMember {
  FrontParts parts;
  std::vector<std::uint32_t> rows;
  FrontSum sum;
  double certainty = 0;
};

/// A way to make a member longer.
struct FrontExtension {
  double certainty;
  std::uint32_t rows;
  std::uint32_t parent;
  FrontPart part;
};

/// Does the first come first?
bool is_surer(const FrontExtension& a, const FrontExtension& b) noexcept;
bool is_surer(const FrontMember& a, const FrontMember& b) noexcept;

/// The sizes of a task that antecedents of so many rows have.
class FrontSizes {
 public:
  /// @param sizes  least rows of each, ascending
  /// @param rows   most that are asked for
  FrontSizes(std::span<const std::uint32_t> sizes, std::size_t rows);

  std::size_t count() const noexcept { return count_; }
  /// The number of sizes up to so many rows: all before the one returned. @pre not more than `rows`
  std::size_t of(std::uint32_t rows) const noexcept { return of_rows_[rows]; }

 private:
  std::size_t count_;
  std::vector<std::uint8_t> of_rows_;  // [rows]
};

/// Finds extensions, one member and attribute after the other. With working memory: one for each
/// thread.
class FrontExtender {
 public:
  /// The arguments must outlive it.
  FrontExtender(const RowSample& sample, const BoundGrammar& grammar, const FrontTask& task,
                const FrontSizes& sizes)
      : sample_(sample), grammar_(grammar), task_(task), sizes_(sizes) {}

  /// Forgets what it found. @param wanted  of each size
  void begin(std::size_t wanted);
  void extend(const FrontMember& member, std::uint32_t parent, std::uint32_t attribute);
  /// Those that were found since begin() but for such as are less certain than `wanted` others of
  /// each of their sizes; of one attribute and form the best of each size alone.
  std::span<const FrontExtension> found() const noexcept { return found_; }

 private:
  /// Sums of whole numbers below 2^17, and of their squares, of rows of a sample: exact.
  struct Counts {
    std::int64_t rows = 0, gain = 0, square = 0;

    void add(const Counts& other) noexcept {
      rows += other.rows;
      gain += other.gain;
      square += other.square;
    }
    FrontSum sum() const noexcept {
      return {static_cast<std::uint32_t>(rows), static_cast<double>(gain),
              static_cast<double>(square)};
    }
  };
  /// Whose extensions are looked for.
  struct Looked {
    const FrontMember& member;
    std::uint32_t parent;
    std::uint32_t attribute;
    double mean;  // of the member
  };

  void count_levels(const Looked& at);
  // Nearly all are out by their mean, which is no less than how certain they are.
  void offer_if_likely(const Looked& at, const FrontSum& sum, std::uint32_t low,
                       std::uint32_t high) {
    const std::size_t sizes = sizes_.of(sum.rows);
    if (sizes == 0) return;
    const double mean = sum.gain / sum.rows;
    if (mean < least_[sizes - 1] || mean <= at.mean) return;
    offer(at, sum, low, high);
  }
  void offer(const Looked& at, const FrontSum& sum, std::uint32_t low, std::uint32_t high);
  void extend_bounds(const Looked& at);
  void cut(const Looked& at, std::size_t bins);
  void emit();
  void raise_least();

  const RowSample& sample_;
  const BoundGrammar& grammar_;
  const FrontTask& task_;
  const FrontSizes& sizes_;
  std::vector<Counts> levels_;         // the last collects what is missing
  std::vector<std::uint32_t> filled_;  // levels that some row has, ascending
  std::vector<std::uint32_t> cuts_;
  std::vector<FrontSum> before_;                     // [cut]
  std::vector<std::optional<FrontExtension>> best_;  // [size]
  bool any_ = false;                                 // is there a best one?
  std::vector<FrontExtension> found_;
  std::size_t wanted_ = 0;
  std::vector<double> least_;  // [size] an extension that is less certain is not wanted for it
  std::size_t full_ = 0;       // so many are found before that is raised
};

}  // namespace atl
