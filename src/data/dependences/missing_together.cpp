// Finds attributes whose values are missing on the same rows.
#include <algorithm>
#include <bit>

#include "src/data/dependences/dependence.hpp"

namespace atl {
namespace {

constexpr std::uint64_t exceptions_of = 20;  // one in so many

struct Presence {
  std::uint32_t attribute = 0;
  std::uint64_t missing = 0, known = 0;
  std::vector<std::uint64_t> rows;  // bits of those of the sample without a value

  std::uint64_t fewer() const noexcept { return std::min(missing, known); }
};

/// Is one missing where the other is, but for 5% of the rows that tell?
/// @param slack  in standard deviations, of what is drawn
bool alike(std::uint64_t differing, std::uint64_t fewer, double slack) {
  const double most = static_cast<double>(fewer) / exceptions_of;
  const double beyond = static_cast<double>(differing) - most;
  return beyond <= 0 || beyond * beyond <= slack * slack * most;
}

std::uint64_t differing_rows(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  std::uint64_t rows = 0;
  for (std::size_t w = 0; w < words; ++w) {
    rows += static_cast<std::uint64_t>(std::popcount(a[w] ^ b[w]));
  }
  return rows;
}

Presence presence_in(const DependenceSample& sample, std::uint32_t attribute) {
  const SampleColumn& column = sample.column(attribute);
  Presence found{attribute, sample.rows() - column.rows, column.rows, {}};
  found.rows.resize((sample.rows() + 63) / 64);
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    const bool missing = column.labels[row] == column.missing_label;
    found.rows[row / 64] |= std::uint64_t{missing} << row % 64;
  }
  return found;
}

/// Could chance have made it? At least (n / m)^m ways lead to m rows of n.
bool is_beyond_chance(const Presence& one, double attributes) {
  if (one.fewer() == 0) return false;
  const auto m = static_cast<double>(one.fewer());
  const auto n = static_cast<double>(one.missing + one.known);
  return beyond_chance(m * portable_log(n / m), attributes * attributes);
}

bool holds_on_all(const Dataset& dataset, std::uint32_t a, std::uint32_t b) {
  std::uint64_t differing = 0;
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    const auto one = dataset.present(p, a), other = dataset.present(p, b);
    differing += differing_rows(one.data(), other.data(), one.size());
  }
  std::uint64_t fewer = dataset.rows();
  for (const std::uint32_t attribute : {a, b}) {
    const std::uint64_t missing = dataset.attributes()[attribute].missing;
    fewer = std::min({fewer, missing, dataset.rows() - std::min(missing, dataset.rows())});
  }
  return alike(differing, fewer, 0);
}

}  // namespace

std::vector<AttributeGroup> find_missing_together(const DependenceSample& sample) {
  const Dataset& dataset = sample.dataset();
  const double slack = sample.is_whole() ? 0 : 3;
  std::vector<Presence> firsts;  // of the groups
  std::vector<AttributeGroup> groups;
  for (const std::uint32_t a : sample.attributes()) {
    if (!dataset.attributes()[a].has_missing) continue;
    Presence one = presence_in(sample, a);
    if (!is_beyond_chance(one, static_cast<double>(sample.attributes().size()))) continue;
    const auto first = std::find_if(firsts.begin(), firsts.end(), [&](const Presence& other) {
      const std::uint64_t differing =
          differing_rows(one.rows.data(), other.rows.data(), one.rows.size());
      return alike(differing, std::min(one.fewer(), other.fewer()), slack) &&
             (sample.is_whole() || holds_on_all(dataset, other.attribute, a));
    });
    if (first != firsts.end()) {
      groups[static_cast<std::size_t>(first - firsts.begin())].push_back(a);
    } else {
      groups.push_back({a});
      firsts.push_back(std::move(one));
    }
  }
  std::erase_if(groups, [](const AttributeGroup& group) { return group.size() < 2; });
  return groups;
}

}  // namespace atl
