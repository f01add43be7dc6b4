#include "src/measures/multiple_testing.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace atl {
namespace {

std::vector<std::size_t> ascending(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending(p);
  std::vector<double> adjusted(p.size());
  double greatest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    greatest = std::max(greatest, p[order[i]] * static_cast<double>(order.size() - i));
    adjusted[order[i]] = std::min(greatest, 1.0);
  }
  return adjusted;
}

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  const std::vector<std::size_t> order = ascending(p);
  std::vector<double> adjusted(p.size());
  double least = 1;
  for (std::size_t i = order.size(); i-- > 0;) {
    least = std::min(least,
                     p[order[i]] * static_cast<double>(order.size()) / static_cast<double>(i + 1));
    adjusted[order[i]] = least;
  }
  return adjusted;
}

}  // namespace atl
