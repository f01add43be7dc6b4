#include "src/results/refinement/exact_codes.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "src/core/error.hpp"

namespace atl {

namespace {

Expression in_exact_codes(const Expression& side, std::span<const Attribute> binned,
                          std::span<const Attribute> exact) {
  std::vector<Comparison> comparisons(side.comparisons().begin(), side.comparisons().end());
  for (Comparison& c : comparisons) {
    if (!binned[c.attribute].binned()) continue;
    const auto& values = exact[c.attribute].low;
    const auto first =
        std::lower_bound(values.begin(), values.end(), binned[c.attribute].low[c.low]);
    const auto end =
        std::upper_bound(values.begin(), values.end(), binned[c.attribute].high[c.high]);
    if (first >= end) throw InternalError("a bin without a value");
    c.low = static_cast<std::uint32_t>(first - values.begin());
    c.high = static_cast<std::uint32_t>(end - values.begin()) - 1;
  }
  return {std::vector<Op>(side.program().begin(), side.program().end()), std::move(comparisons)};
}

}  // namespace

Rule in_exact_codes(const Rule& rule, std::span<const Attribute> binned,
                    std::span<const Attribute> exact) {
  return {in_exact_codes(rule.antecedent, binned, exact),
          in_exact_codes(rule.consequent, binned, exact)};
}

BinEdges bin_edges(std::span<const Attribute> binned, std::span<const Attribute> exact) {
  BinEdges edges(binned.size());
  for (std::size_t a = 0; a < binned.size(); ++a) {
    if (!binned[a].binned()) continue;
    const auto& values = exact[a].low;
    for (std::size_t bin = 1; bin < binned[a].low.size(); ++bin) {
      const auto first = std::lower_bound(values.begin(), values.end(), binned[a].low[bin]);
      edges[a].push_back(static_cast<std::uint32_t>(first - values.begin()));
    }
  }
  return edges;
}

}  // namespace atl
