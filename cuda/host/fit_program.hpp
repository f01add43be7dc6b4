// Groups of trials as the device reads them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/host/fit_format.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl::cuda {

/// Place of the codes of an attribute.
struct FitColumn {
  std::uint32_t distinct = 0;
  std::uint32_t column = 0;       ///< steps of bytes before its codes
  std::uint32_t first_plane = 0;  ///< of the sample
  std::uint8_t planes = 0;
  bool may_miss = false;  ///< some value is missing; its code is `distinct`
  bool on_device() const noexcept { return distinct <= most_fit_codes; }
  bool two_bytes() const noexcept { return distinct > 255; }
};

/// The columns of a sample, one behind the other.
std::vector<FitColumn> fit_columns(std::span<const Attribute> attributes, std::uint64_t rows);

/// Memory for the words of a batch.
class FitWords {
 public:
  virtual ~FitWords() = default;
  /// Makes room for so many words, and keeps what the first `used` of them hold.
  virtual std::span<std::uint32_t> grow(std::size_t words, std::size_t used) = 0;
};

/// Reusable: what is allocated stays.
class FitProgram {
 public:
  /// @param rows    of the sample that a fit may use
  /// @param memory  that the words are written to
  void build(std::span<const IntervalGroup> groups, std::span<const FitColumn> columns,
             std::uint32_t rows, FitWords& memory);

  /// Words used of the memory. First, for each of groups() and behind the last, the word at which
  /// its FitGroup begins.
  std::size_t words() const noexcept { return used_; }
  /// Most words of a group.
  std::uint32_t most_words() const noexcept { return most_words_; }
  /// Numbers of the groups that the device can fit, and of those that name an attribute that is not
  /// there.
  std::span<const std::uint32_t> groups() const noexcept { return groups_; }
  std::span<const std::uint32_t> others() const noexcept { return others_; }
  /// Most codes of the attributes of trials.
  std::uint32_t most_codes() const noexcept { return most_codes_; }
  /// Gains need more than 64 bits.
  bool wide() const noexcept { return wide_; }
  /// Each group is one trial, on all rows.
  bool whole() const noexcept { return whole_; }

 private:
  /// A part, while it is built.
  struct Part {
    std::span<const Comparison> rest, positives;
    std::uint32_t ignored;  ///< attribute of comparisons of `rest` that are left out, or no_fit
    std::uint64_t named;    ///< bit a % 64 is set if `rest` has a comparison on attribute a
    std::uint32_t trials;
    std::uint32_t next;  ///< word of the next of its trials

    /// The same spans, and nothing is left out? If not, it may be a trial's part nevertheless.
    bool is_plainly_of(const IntervalTrial& trial) const noexcept;
  };

  bool fits(const IntervalGroup& group) const;
  void add(const IntervalGroup& group);
  FitGroup divide(const IntervalGroup& group);
  /// Words of the group so far.
  std::uint32_t place() const noexcept { return static_cast<std::uint32_t>(used_ - begin_); }
  std::uint32_t part_of(const IntervalTrial& trial);
  /// @return of how many the device makes it up
  std::uint32_t add_comparison(const Comparison& comparison);
  FitPart add_part(const Part& part);
  void put_trial(std::size_t at, const IntervalTrial& trial, std::uint32_t number);
  std::uint32_t add_share(const PositiveShare& share);
  template <typename T, typename... Of>
  void put(std::size_t at, const Of&... of);

  FitWords* memory_ = nullptr;
  std::span<std::uint32_t> words_;
  std::size_t used_ = 0;
  std::size_t begin_ = 0;  // of a group
  std::size_t room_ = 0;   // words that a group takes at most
  std::span<const FitColumn> columns_;
  std::uint32_t rows_ = 0;
  std::vector<std::uint32_t> groups_, others_;
  std::uint32_t most_words_ = 0, most_codes_ = 0;
  bool wide_ = false, whole_ = true;
  std::vector<Part> parts_;              // of a group
  std::vector<std::uint32_t> part_ids_;  // [trial], no_fit of an empty one
  PositiveShare last_share_;             // of a group
  std::uint32_t last_share_at_ = 0;      // its word, or 0
};

}  // namespace atl::cuda
