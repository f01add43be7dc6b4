#include "src/data/pair_counts.hpp"

#include <algorithm>
#include <tuple>

#include "src/core/portable_math.hpp"

namespace atl {
namespace {

constexpr std::uint64_t most_dense_pairs = std::uint64_t{1} << 20;

}  // namespace

PairCounts::PairCounts(std::uint32_t a_values, std::uint32_t b_values) : b_values_(b_values) {
  const std::uint64_t pairs = std::uint64_t{a_values} * b_values;
  if (pairs <= most_dense_pairs) dense_.resize(static_cast<std::size_t>(pairs));
}

std::vector<PairCounts::Entry> PairCounts::entries() const {
  std::vector<Entry> all;
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    if (dense_[i][0] + dense_[i][1] == 0) continue;
    all.push_back({static_cast<std::uint32_t>(i / b_values_),
                   static_cast<std::uint32_t>(i % b_values_), dense_[i]});
  }
  for (const auto& [pair, rows] : sparse_)
    all.push_back({static_cast<std::uint32_t>(pair >> 32), static_cast<std::uint32_t>(pair), rows});
  std::sort(all.begin(), all.end(),
            [](const Entry& x, const Entry& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
  return all;
}

PairCounts::Outcome PairCounts::outcome() const {
  const std::vector<Entry> all = entries();
  std::vector<std::array<std::uint64_t, 2>> of_b;
  for (const Entry& entry : all) {
    if (entry.b >= of_b.size()) of_b.resize(entry.b + 1);
    for (const unsigned half : {0U, 1U}) of_b[entry.b][half] += entry.rows[half];
  }
  const auto total = [](const auto& halves) { return halves[0] + halves[1]; };
  const auto mode_by = [&](auto rows_of) {  // the first of several
    std::size_t mode = 0;
    for (std::size_t b = 1; b < of_b.size(); ++b)
      if (rows_of(of_b[b]) > rows_of(of_b[mode])) mode = b;
    return mode;
  };

  Outcome made;
  if (all.empty()) return made;
  const std::array<std::size_t, 2> modes = {mode_by([](const auto& halves) { return halves[0]; }),
                                            mode_by([](const auto& halves) { return halves[1]; })};
  std::array<std::uint64_t, 2> rows{};
  for (const auto& halves : of_b)
    for (const unsigned half : {0U, 1U}) rows[half] += halves[half];
  made.rows = total(rows);
  const std::size_t mode = mode_by(total);
  made.off_mode = made.rows - total(of_b[mode]);
  for (const unsigned half : {0U, 1U}) {
    made.log_ways += log_factorial(rows[half]);
    for (const auto& halves : of_b) made.log_ways -= log_factorial(halves[half]);
  }

  for (auto begin = all.begin(); begin != all.end();) {
    const auto end =
        std::find_if(begin, all.end(), [&](const Entry& e) { return e.a != begin->a; });
    for (const unsigned half : {0U, 1U}) {
      const unsigned other = 1 - half;
      std::uint32_t best = 0;
      std::size_t predicted = modes[other];
      std::uint64_t here = 0, right = 0;
      for (auto e = begin; e != end; ++e) {
        here += e->rows[half];
        if (e->rows[other] <= best) continue;
        best = e->rows[other];
        predicted = e->b;
      }
      for (auto e = begin; e != end; ++e)
        if (e->b == predicted) right = e->rows[half];
      made.exceptions += here - right;
    }
    std::uint64_t rows_here = 0, most = 0;
    for (auto e = begin; e != end; ++e) {
      rows_here += std::uint64_t{e->rows[0]} + e->rows[1];
      most = std::max(most, std::uint64_t{e->rows[0]} + e->rows[1]);
    }
    made.least_exceptions += rows_here - most;
    begin = end;
  }
  return made;
}

}  // namespace atl
