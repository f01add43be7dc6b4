// What the literals of a sample gain and lose on the rows of a mask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/sampling/class_sample.hpp"
#include "src/sampling/growth_formulas.hpp"
#include "src/sampling/literal_counts.hpp"

namespace atl {

/// Looks at a mask, then at one attribute after another. Literals that cannot be better than one
/// before them are left out.
class LiteralBalances {
 public:
  /// @param sample  must outlive it
  explicit LiteralBalances(const ClassSample& sample) : sample_(sample) {}

  /// Looks at the rows of a mask. A run without rows gains and loses nothing.
  /// @param mask  [words] must stay, with the runs, until the next call
  /// @param weights  [runs] of a row; negative: what is lost
  void look_at(const std::uint64_t* mask, const SampleWindow& window, std::span<const WordRun> runs,
               std::span<const double> weights);

  /// Every how many literals of an attribute are looked at first.
  std::size_t stride(std::uint32_t attribute) const noexcept {
    return rows_ > most_fine_rows ? sample_.stride(attribute) : 1;
  }
  /// Counts the rows on which the literals of an attribute hold that are looked at first.
  void count(std::uint32_t attribute);
  /// Counts those of the literals from `first` up to `end`, of which another one has been looked
  /// at. @pre first is 0, or the one before has been looked at, too
  void count(std::uint32_t attribute, std::size_t first, std::size_t end);

  // Of the attribute that was counted:
  std::size_t size() const noexcept { return numbers_.size(); }
  /// Of a literal, from the attribute's first.
  std::uint32_t number(std::size_t i) const noexcept { return numbers_[i]; }
  GrowthBalance balance(std::size_t i) const noexcept {
    return balance_of(weights_, counts_.data() + i * runs_.size());
  }
  /// The balance of the rows with a value. @pre the attribute has missing values
  GrowthBalance present() const noexcept { return balance(numbers_.size()); }

  /// @param counts  [weights]
  static GrowthBalance balance_of(std::span<const double> weights,
                                  const std::uint32_t* counts) noexcept {
    GrowthBalance balance;
    for (std::size_t r = 0; r < weights.size(); ++r) balance.add(weights[r], counts[r]);
    return balance;
  }

 private:
  void count_coarsely(std::uint32_t attribute);
  void count_sets(std::uint32_t attribute, std::size_t first, std::size_t stride, std::size_t end);
  void number_literals(std::size_t first, std::size_t stride, std::size_t end);
  void count_present(std::uint32_t attribute);
  void count_codes(std::span<const std::uint16_t> codes, std::size_t literals);
  void make_room_for_codes(std::size_t codes);
  void add_code(std::uint16_t code, std::size_t run) {
    ++of_code_[code * runs_.size() + run];
    codes_seen_[code / 64] |= std::uint64_t{1} << (code % 64);
  }
  void sum_codes(std::size_t first, std::size_t end);
  void list_positions();

  const ClassSample& sample_;
  const std::uint64_t* mask_ = nullptr;
  std::size_t words_ = 0;        // of the window
  std::vector<WordRun> runs_;    // those with rows in the mask
  std::vector<double> weights_;  // [runs]
  RunMask run_mask_;
  std::size_t rows_ = 0;
  bool listed_ = false;                       // are the rows in positions_?
  std::vector<std::uint32_t> positions_;      // of the rows, by run
  std::vector<std::size_t> position_begins_;  // [runs + 1]
  std::vector<std::uint32_t> counts_;         // [numbers_ + 1][runs], last of rows with a value
  std::vector<std::uint32_t> numbers_;        // of the literals that are counted
  std::vector<std::uint32_t> of_code_;        // [codes][runs] rows; zero between two calls
  std::vector<std::uint64_t> codes_seen_;     // bits; likewise
};

}  // namespace atl
