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

/// The numbers of transactions that a part of them is likely to have: the others have less than
/// twice exp(-log_lost) of the probability in all (Bernstein's inequality, Boucheron, Lugosi and
/// Massart 2013, corollary 2.11).
struct CountWindow {
  std::uint32_t first, last;
};
CountWindow likely_counts(std::uint32_t rows, double mean, double variance,
                          double log_lost) noexcept;

/// Finds tails by divide and conquer (Sun et al. 2010): the distributions of parts are convolved,
/// directly where they are short, by Fourier transforms where they are long. Of each only the
/// likely counts are kept, some 19 standard deviations instead of one for each transaction. For one
/// thread, as it keeps its memory.
class TailFinder {
 public:
  /// The probability that at least `least` of the transactions exist. Absolute error below 1e-12
  /// for up to 2^32 transactions: 2e-18 is lost in each of n / 16 parts, and n log2(n) 2^-53 times
  /// the greatest probability of a count is lost by transforms.
  /// @param least  from 1 to the number of probabilities, as below
  double find(std::span<const double> probabilities, std::uint32_t least);

  /// The same with a small relative error, without transforms, whose errors are absolute: for
  /// decisions that hang on the last digits. Where the tail is small, all terms are of the
  /// distribution that is tilted to have its mean at `least` (Esscher 1932), so that none of them
  /// is lost beside larger ones.
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
    double log_lost;
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
