// The format of decision lists for the kernels of Cano et al. 2014. C++17, for the device's
// compiler as well.
#pragma once

#include <cstdint>

namespace atl::cuda {

/// Threads of a block of the coverage and the classification kernel (section 3.2.1), unless another
/// number is tried.
inline constexpr std::uint32_t pittsburgh_threads = 192;

/// Instances of an attribute, and of a rule's results, so that accesses are aligned.
constexpr std::uint64_t padded_instances(std::uint64_t rows) noexcept {
  return (rows + pittsburgh_threads - 1) / pittsburgh_threads * pittsburgh_threads;
}

/// The meaning of a float of a rule. A comparison is in prefix notation, with its attribute and its
/// value behind it; connectives are in postfix notation, on a stack of truths.
enum class PittsburghSymbol : int {
  greater,
  greater_equal,
  less,
  less_equal,
  equal,
  not_equal,
  conjunction,
  disjunction,
  negation,
  end_rule,
};
/// Truths on the stack at once, at most.
inline constexpr std::uint32_t pittsburgh_levels = 32;

/// The coverage kernel's verdict on a rule and an instance, as Listing 1 numbers it.
enum class Match : std::uint8_t { true_positive, true_negative, false_positive, false_negative };

}  // namespace atl::cuda
