#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace atl {

/// Consecutive words of a mask, of which the bits set count alike.
struct WordRun {
  std::size_t first = 0, end = 0;
};

/// Sets of bits are interleaved by eights: the first words of eight sets, then their second words.
inline constexpr std::size_t interleaved_sets = 8;
/// @param words  of each set
/// @return where a word of a set is
constexpr std::size_t interleaved_word(std::size_t set, std::size_t word,
                                       std::size_t words) noexcept {
  return (set / interleaved_sets * words + word) * interleaved_sets + set % interleaved_sets;
}

/// The bits of a mask, run by run. Where most words are zero, only the others are looked at.
class RunMask {
 public:
  /// @param words  must stay until the next call
  void set(const std::uint64_t* words, std::span<const WordRun> runs);
  std::size_t runs() const noexcept { return runs_.size(); }

  /// Counts the bits that the mask has in common with each of several sets.
  /// @param sets  the first; the next begins `stride` words behind it
  /// @param out  [count][runs()] overwritten
  void count_common(const std::uint64_t* sets, std::size_t stride, std::size_t count,
                    std::uint32_t* out) const;
  /// The same of sets that are interleaved: faster, as no vector's lanes are to be added up.
  /// @param sets  at a 64-byte boundary, up to a multiple of eight
  /// @param words  of each set
  void count_interleaved(const std::uint64_t* sets, std::size_t words, std::size_t count,
                         std::uint32_t* out) const;

 private:
  const std::uint64_t* words_ = nullptr;
  std::vector<WordRun> runs_;         // of words_
  bool sparse_ = false;               // are most words zero?
  std::vector<WordRun> open_runs_;    // of what follows
  std::vector<std::uint64_t> index_;  // of the words that are not zero
  std::vector<std::uint64_t> value_;
};

}  // namespace atl
