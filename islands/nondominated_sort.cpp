#include "islands/nondominated_sort.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace atl {

namespace {

// For points in descending lexicographic order an earlier one cannot be dominated by a later one,
// and dominates it if it is nowhere less and not equal.
bool earlier_dominates(std::span<const double> earlier, std::span<const double> later) {
  bool greater = false;
  for (std::size_t m = 0; m < earlier.size(); ++m) {
    if (earlier[m] < later[m]) return false;
    greater |= earlier[m] > later[m];
  }
  return greater;
}

double gap(double lower, double upper, double extent) {
  if (lower == upper) return 0;
  if (std::isinf(lower) || std::isinf(upper)) return 1;
  return (upper - lower) / extent;
}

// Greatest less smallest of the finite values.
double finite_extent(const Objectives& objectives, std::span<const std::uint32_t> sorted,
                     std::size_t m) {
  double lowest = 0;
  double highest = 0;
  bool any = false;
  for (const std::uint32_t point : sorted) {
    const double value = objectives[point][m];
    if (std::isinf(value)) continue;
    if (!any) lowest = value;
    highest = value;
    any = true;
  }
  return highest - lowest;
}

}  // namespace

// Efficient non-dominated sort with binary search (Zhang, Tian, Cheng, Jin 2015): points in
// lexicographic order go into the first front without a dominating point; if a front has none, no
// later front has.
std::span<const std::vector<std::uint32_t>> NondominatedSort::operator()(
    const Objectives& objectives) {
  order_.resize(objectives.points());
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto va = objectives[a];
    const auto vb = objectives[b];
    for (std::size_t m = 0; m < va.size(); ++m) {
      if (va[m] != vb[m]) return va[m] > vb[m];
    }
    return a < b;
  });

  std::size_t used = 0;
  for (const std::uint32_t point : order_) {
    const auto is_dominated_in = [&](std::size_t front) {
      const auto& members = fronts_[front];
      return std::any_of(members.rbegin(), members.rend(), [&](std::uint32_t member) {
        return earlier_dominates(objectives[member], objectives[point]);
      });
    };
    std::size_t low = 0;
    std::size_t high = used;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (is_dominated_in(middle)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == used) {
      if (used == fronts_.size()) fronts_.emplace_back();
      fronts_[used++].clear();
    }
    fronts_[low].push_back(point);
  }
  for (std::size_t f = 0; f < used; ++f) std::sort(fronts_[f].begin(), fronts_[f].end());
  return std::span(fronts_).first(used);
}

void crowding_distance(const Objectives& objectives, std::span<const std::uint32_t> front,
                       std::span<double> distance) {
  for (const std::uint32_t point : front) distance[point] = 0;
  std::vector<std::uint32_t> sorted;
  for (std::size_t m = 0; m < objectives.count; ++m) {
    sorted.assign(front.begin(), front.end());
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
      return objectives[a][m] < objectives[b][m];
    });
    if (sorted.empty() || objectives[sorted.front()][m] == objectives[sorted.back()][m]) continue;
    const double extent = finite_extent(objectives, sorted, m);
    for (std::size_t i = 1; i + 1 < sorted.size(); ++i) {
      distance[sorted[i]] +=
          gap(objectives[sorted[i - 1]][m], objectives[sorted[i + 1]][m], extent);
    }
    distance[sorted.front()] = std::numeric_limits<double>::infinity();
    distance[sorted.back()] = std::numeric_limits<double>::infinity();
  }
}

}  // namespace atl
