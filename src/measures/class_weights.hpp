#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace atl {

/// Weight n / (classes * n_c) to the power of `balance` for a row of a class of n_c rows, scaled so
/// that rows weigh 1 on average. 0: all the same; 1: all classes weigh the same.
std::vector<double> class_weights(std::span<const std::uint64_t> class_rows, double balance);

}  // namespace atl
