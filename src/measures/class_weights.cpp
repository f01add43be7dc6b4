#include "src/measures/class_weights.hpp"

#include <cstddef>

#include "src/core/portable_math.hpp"

namespace atl {

std::vector<double> class_weights(std::span<const std::uint64_t> class_rows, double balance) {
  std::vector<double> weights(class_rows.size(), 1);
  if (balance == 0) return weights;
  double all = 0, sum = 0;
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const auto rows = static_cast<double>(class_rows[c]);
    if (rows == 0) continue;
    weights[c] = balance == 1 ? 1 / rows : portable_exp(-balance * portable_log(rows));
    all += rows;
    sum += rows * weights[c];
  }
  for (double& weight : weights) weight *= all / sum;
  return weights;
}

}  // namespace atl
