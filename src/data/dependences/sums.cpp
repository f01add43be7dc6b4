#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "src/core/row_hash.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/data/dependences/sample.hpp"

namespace atl {
namespace {

constexpr std::size_t most_sums = 256;

bool is_integer(const Attribute& attribute) {
  constexpr double most = 9007199254740992.0;  // 2^53
  return attribute.kind == AttributeKind::numeric && attribute.missing == 0 &&
         !attribute.binned() &&
         std::all_of(attribute.low.begin(), attribute.low.end(),
                     [](double v) { return v == std::floor(v) && std::abs(v) < most; });
}

/// Modulo 2^64, like all sums here.
std::uint64_t whole(double value) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// A random linear form of the column: that of a sum is the sum of those of its parts.
std::uint64_t form(const DependenceSample& sample, std::uint32_t attribute) {
  const SampleColumn& column = sample.column(attribute);
  const auto& values = sample.dataset().attributes()[attribute].low;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < sample.rows(); ++i)
    sum += row_hash(i) * whole(values[column.codes[column.labels[i]]]);
  return sum;
}

bool holds_on_all(const Dataset& dataset, const Sum& sum) {
  std::vector<std::uint32_t> whole_codes, first, second;
  const auto values = [&](std::uint32_t attribute) -> const std::vector<double>& {
    return dataset.attributes()[attribute].low;
  };
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    const auto rows = static_cast<std::size_t>(dataset.partition_rows(p));
    for (auto* codes : {&whole_codes, &first, &second}) codes->resize(rows);
    dataset.codes(p, sum.whole, whole_codes);
    dataset.codes(p, sum.first, first);
    dataset.codes(p, sum.second, second);
    for (std::size_t i = 0; i < rows; ++i) {
      if (whole(values(sum.whole)[whole_codes[i]]) !=
          whole(values(sum.first)[first[i]]) + whole(values(sum.second)[second[i]]))
        return false;
    }
  }
  return true;
}

}  // namespace

std::vector<Sum> find_sums(const DependenceSample& sample,
                           std::span<const std::uint32_t> attributes,
                           std::span<const AttributeGroup> copies) {
  const Dataset& dataset = sample.dataset();
  std::vector<std::uint32_t> class_of(dataset.attributes().size());
  for (std::uint32_t a = 0; a < class_of.size(); ++a) class_of[a] = a;
  for (const AttributeGroup& group : copies)
    for (const std::uint32_t a : group) class_of[a] = group.front();

  std::vector<std::pair<std::uint64_t, std::uint32_t>> forms;  // ascending
  for (const std::uint32_t a : attributes)
    if (is_integer(dataset.attributes()[a])) forms.emplace_back(form(sample, a), a);
  std::sort(forms.begin(), forms.end());
  forms.erase(std::unique(forms.begin(), forms.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; }),
              forms.end());

  const auto count = static_cast<double>(forms.size());
  std::vector<Sum> found;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    for (std::size_t k = i + 1; k < forms.size(); ++k) {
      const std::uint64_t wanted = forms[i].first + forms[k].first;
      const auto at = std::lower_bound(forms.begin(), forms.end(), std::pair(wanted, 0U));
      if (at == forms.end() || at->first != wanted) continue;
      const auto [first, second] = std::minmax(forms[i].second, forms[k].second);
      const Sum sum{at->second, first, second};
      if (sum.whole == first || sum.whole == second || class_of[first] == class_of[second] ||
          class_of[sum.whole] == class_of[first] || class_of[sum.whole] == class_of[second])
        continue;
      if (!beyond_chance(sample.column(sum.whole).log_ways(), count * count * count)) continue;
      if (sample.is_whole() || holds_on_all(dataset, sum)) found.push_back(sum);
      if (found.size() == most_sums) break;
    }
    if (found.size() == most_sums) break;
  }
  std::sort(found.begin(), found.end(), [](const Sum& a, const Sum& b) {
    return std::tie(a.whole, a.first, a.second) < std::tie(b.whole, b.first, b.second);
  });
  return found;
}

}  // namespace atl
