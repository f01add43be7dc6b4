#include "src/measures/class_probabilities.hpp"

#include <numeric>

namespace atl {

std::vector<double> class_shares(std::span<const std::uint64_t> decided, std::size_t classes) {
  std::vector<std::uint64_t> rows(classes, 1);
  for (std::size_t i = 0; i < decided.size(); ++i) rows[i % classes] += decided[i];
  const auto all = std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
  std::vector<double> shares;
  for (const std::uint64_t of_class : rows)
    shares.push_back(static_cast<double>(of_class) / static_cast<double>(all));
  return shares;
}

std::vector<std::vector<double>> class_probabilities(std::span<const std::uint64_t> decided,
                                                     const Smoothing& smoothing) {
  const std::size_t classes = smoothing.shares.size();
  std::vector<std::vector<double>> probabilities;
  for (std::size_t first = 0; first < decided.size(); first += classes) {
    const auto rows = decided.subspan(first, classes);
    const auto all = std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
    auto& of_rule = probabilities.emplace_back();
    for (std::size_t c = 0; c < classes; ++c)
      of_rule.push_back(m_estimate(static_cast<double>(rows[c]), static_cast<double>(all),
                                   smoothing.rows, smoothing.shares[c]));
  }
  return probabilities;
}

}  // namespace atl
