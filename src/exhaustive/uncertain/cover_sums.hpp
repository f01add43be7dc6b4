// Exact sums over the transactions that have all items of a set.
#pragma once

#include <cmath>
#include <cstdint>

#include "src/core/word_hash.hpp"

namespace atl {

/// A sum of numbers from 0 to 1, each rounded to a multiple of 2^-48 once: it depends neither on
/// the order of its terms nor on the machine. Up to 2^32 terms.
class FixedSum {
 public:
  static constexpr int bits = 48;
  static constexpr int half = 24;  ///< bits of the lower part
  /// Terms that a sum of 64 bits has room for.
  static constexpr std::uint32_t terms_of_word = 1U << 15;

  /// @param value  0 to 1
  static std::uint64_t fixed(double value) noexcept {
    return static_cast<std::uint64_t>(std::ldexp(value, bits) + 0.5);
  }

  FixedSum() = default;
  /// Parts of a sum that were added apart.
  /// @param high  in units of 2^-24 @param low  of 2^-48, below 2^63
  static FixedSum of_parts(std::uint64_t high, std::uint64_t low) noexcept {
    FixedSum sum;
    sum.high_ = high;
    sum.add(low);
    return sum;
  }
  /// @param terms  the sum of up to terms_of_word values that fixed() made
  void add(std::uint64_t terms) noexcept {
    low_ += terms & low_mask;
    high_ += (terms >> half) + (low_ >> half);
    low_ &= low_mask;
  }
  void add(const FixedSum& other) noexcept {
    low_ += other.low_;
    high_ += other.high_ + (low_ >> half);
    low_ &= low_mask;
  }
  /// @pre all terms of the other are terms of this one
  void subtract(const FixedSum& other) noexcept {
    const std::uint64_t borrow = low_ < other.low_ ? 1 : 0;
    low_ = (low_ - other.low_) & low_mask;
    high_ -= other.high_ + borrow;
  }
  double value() const noexcept {
    return std::ldexp(static_cast<double>(high_), half - bits) +
           std::ldexp(static_cast<double>(low_), -bits);
  }

  friend bool operator==(const FixedSum&, const FixedSum&) = default;

 private:
  static constexpr std::uint64_t low_mask = (std::uint64_t{1} << half) - 1;

  std::uint64_t high_ = 0;  // in units of 2^-24
  std::uint64_t low_ = 0;   // of 2^-48, below 2^24
};

/// The hash of a cover: the sum of those of its words that are not 0. A word has 64 transactions.
struct CoverHash {
  std::uint64_t low = 0, high = 0;

  /// @param place  the word's number in its column
  void add(std::uint64_t place, std::uint64_t word) noexcept {
    if (word == 0) return;
    const WordHash hash = WordHash::of(place, word);
    low += hash.low;
    high += hash.high;
  }
  /// @pre the word was added
  void subtract(std::uint64_t place, std::uint64_t word) noexcept {
    const WordHash hash = WordHash::of(place, word);
    low -= hash.low;
    high -= hash.high;
  }

  friend bool operator==(const CoverHash&, const CoverHash&) = default;
};

/// The sums of a set of items.
struct CoverSums {
  std::uint32_t rows = 0;     ///< transactions that have all its items: the count
  std::uint32_t certain = 0;  ///< of them those that exist with probability 1
  FixedSum mean;              ///< of the probabilities of the others
  FixedSum variance;          ///< of p (1 - p) of the others
  CoverHash cover;            ///< of the words of the others

  friend bool operator==(const CoverSums&, const CoverSums&) = default;

  std::uint32_t uncertain() const noexcept { return rows - certain; }
  double expected_support() const noexcept { return certain + mean.value(); }
};

}  // namespace atl
