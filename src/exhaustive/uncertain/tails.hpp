// The probability that at least so many of some independent transactions exist: the upper tail of
// the Poisson binomial distribution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/exhaustive/uncertain/convolution.hpp"
#include "src/exhaustive/uncertain/fourier.hpp"

namespace atl {

/// The executable specification: adds one transaction after the other to the distribution (Sun et
/// al. 2010, dynamic programming). All terms are positive: its relative error is below 2^-52 times
/// the number of transactions.
/// @param least  above 0
double reference_tail(std::span<const double> probabilities, std::uint32_t least);

/// The likely numbers of a part's transactions that exist, first to last: all other numbers
/// together have a probability of less than 2 exp(-exponent), by window_reach().
struct CountWindow {
  std::uint32_t first, last;
};
CountWindow likely_counts(std::uint32_t rows, double mean, double variance,
                          double exponent) noexcept;

/// Finds tails by divide and conquer (Sun et al. 2010): the distributions of parts are convolved,
/// directly where they are short, by Fourier transforms where they are long. Of each only the
/// likely counts are kept: some 19 standard deviations, and not one for each transaction. For one
/// thread at a time, as it keeps its memory.
class TailFinder {
 public:
  /// The probability that at least `least` of the n transactions exist. The absolute error is below
  /// 1e-12 for 10 million of them, and below 1e-9 for 2^32 if it grows on: windows
  /// lose less than 2.5e-13, and transforms add some 5e-20 n (measured: docs/notes/uncertain.md).
  /// @param least  from 1 to the number of probabilities, as below
  double find(std::span<const double> probabilities, std::uint32_t least);

  /// The same with a small relative error, for decisions that hang on the last digits. Transforms
  /// are left out, as their errors are absolute. Where the tail is small, the distribution is
  /// tilted to have its mean at `least` (Esscher 1932), so that no term of it is lost beside larger
  /// ones.
  double find_carefully(std::span<const double> probabilities, std::uint32_t least);

 private:
  /// The distribution of how many of some transactions exist.
  struct Part {
    std::uint32_t rows = 0;
    unsigned level = 0;  // of the tree
    double mean = 0, variance = 0;
    std::uint32_t first = 0;     // count of the first value
    std::size_t size = 0;        // values
    std::vector<double> memory;  // values, with room before and behind

    double* values() noexcept;
    void set_size(std::size_t values);
  };
  struct Way {
    double exponent;  ///< of window_reach()
    bool transforms;
  };

  double find(std::span<const double> probabilities, std::uint32_t least, double decay,
              const Way& way);
  Part& push();
  void make_leaf(std::span<const double> probabilities);
  void join(const Way& way);
  double join_tails(std::uint32_t least, double decay);

  std::vector<Part> parts_;  // the first `depth_` are a stack
  std::size_t depth_ = 0;
  Part joined_;
  SmallParts small_parts_;
  Fourier fourier_;
  std::vector<double> tilted_;
  std::vector<double> tails_;
};

}  // namespace atl
