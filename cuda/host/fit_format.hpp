// Layout of a batch of groups to be fitted, in words, for the host and the device.
#pragma once

#include <cstdint>

namespace atl::cuda {

/// Stands for a trial or a code that there is not.
inline constexpr std::uint32_t no_fit = 0xFFFFFFFF;
/// Rows that a block of threads looks at together: 32 of each thread. A sample is padded to a
/// multiple of them.
inline constexpr std::uint32_t fit_step_rows = 8192;
/// Words of a group, at most, if the device is to read them from the host's memory.
inline constexpr std::uint32_t most_read_words = 512;
/// Attributes with more codes are not on the device.
inline constexpr std::uint32_t most_fit_codes = 65535;

/// A group begins with this. FitPart[parts] and then FitTrial[trials] follow it, and then what they
/// refer to by the number of words from the group's first.
struct FitGroup {
  std::uint32_t rows;             ///< that a trial uses at most, at most those of the sample
  std::uint32_t rows_to_compare;  ///< likewise, at first, if `compares`
  std::uint32_t compares;         ///< 1 or 0: whether the best two are fitted again
  std::uint32_t parts;
  std::uint32_t trials;    ///< that can be fitted, those of the first part first
  std::uint32_t empty[2];  ///< numbers of the first two that cannot, or no_fit
};

/// A part of a group: trials that look at the same rows.
struct FitPart {
  std::uint32_t trials;
  std::uint32_t comparisons;  ///< word of FitComparison[rest + positives]
  std::uint32_t rest, positives;
};

/// A comparison on the planes of an attribute. If negated it holds on missing values, too, which
/// another one excludes.
struct FitComparison {
  std::uint32_t first_plane;
  std::uint16_t low, high;
  std::uint16_t planes;
  std::uint16_t negated;  ///< 1 or 0
};

/// A trial. It has whole words, which the host puts together in registers.
struct FitTrial {
  std::uint32_t number;  ///< in its group
  std::uint32_t column;  ///< steps of bytes before the attribute's codes
  std::uint32_t edges;   ///< word of the number of edges, which follow; 0 if there are none
  std::uint32_t share;   ///< word of the FitShare; 0 if there is none
  std::uint32_t distinct;
  std::uint32_t code;  ///< through or only
  std::uint32_t flags;
  static constexpr std::uint32_t relation = 7;  ///< mask: the value of a BoundRelation
  static constexpr std::uint32_t refines = 8, through = 16, only = 32;
  static constexpr std::uint32_t two_bytes = 64;  ///< a code has, and else one
};

/// The share of positive rows: positives / rows, low halves first.
struct FitShare {
  std::uint32_t positives[2], rows[2];
};

/// The result of a group.
struct FitResult {
  double chi_squared;
  std::uint32_t winner;
  std::uint32_t low, high;  ///< low is no_fit if nothing gained
};

static_assert(sizeof(FitGroup) == 28 && sizeof(FitPart) == 16 && sizeof(FitComparison) == 12 &&
              sizeof(FitTrial) == 28 && sizeof(FitShare) == 16 && sizeof(FitResult) == 24);

}  // namespace atl::cuda
