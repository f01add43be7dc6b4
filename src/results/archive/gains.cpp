#include "src/results/archive/gains.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace atl {
namespace {

constexpr std::array coverages = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
constexpr double normal_quantile = 1.96;  // of a 95% interval
constexpr std::uint32_t section_version = 1;

using Front = std::array<double, coverages.size()>;

/// The deviation of a mean is that of all rows, as archives have no other.
double lower_bound(const ContingencyTable& table) {
  const TargetMoments& target = table.target;
  if (target.side == TargetMoments::Side::none) return evaluate(Measure::confidence_low, table);
  if (table.n_both == 0 || target.deviation_all <= 0) return 0;
  const double above = (target.mean - target.mean_all) / target.deviation_all;
  const double wanted = target.side == TargetMoments::Side::low ? -above : above;
  return wanted - normal_quantile / std::sqrt(static_cast<double>(table.n_both));
}

void raise(Front& front, const ContingencyTable& table) {
  const double bound = lower_bound(table);
  const auto share = static_cast<double>(table.n_antecedent) / static_cast<double>(table.n);
  for (std::size_t i = 0; i < coverages.size() && share >= coverages[i]; ++i) {
    front[i] = std::max(front[i], bound);
  }
}

}  // namespace

ArchiveWorth worth_of(const Archive& archive, std::size_t top) {
  std::vector<double> values;
  std::map<std::uint64_t, Front> fronts;
  std::set<std::uint64_t> buckets;
  archive.for_each([&](const Niche& niche, double value, const RuleRecord& record) {
    if (std::isfinite(value) && buckets.insert(niche.bucket).second) values.push_back(value);
    raise(fronts[niche.consequent], record.table);
  });
  const auto counted = static_cast<std::ptrdiff_t>(std::min(top, values.size()));
  std::partial_sort(values.begin(), values.begin() + counted, values.end(), std::greater());
  ArchiveWorth worth = {};
  if (!values.empty() && top > 0) worth[0] = values.front();
  for (std::size_t i = 0; i < static_cast<std::size_t>(counted); ++i)
    worth[1] += values[i] / static_cast<double>(i + 1);
  for (const auto& [consequent, front] : fronts) {
    for (const double bound : front) worth[2] += bound;
  }
  return worth;
}

bool GainWatch::look(std::uint32_t generation, const ArchiveWorth& worth) {
  bool gained = false;
  for (std::size_t i = 0; i < worth.size(); ++i) {
    gained = gained || worth[i] - worth_[i] > least_gain_ * std::abs(worth_[i]);
  }
  if (!gained) return false;
  last_gain_ = generation;
  worth_ = worth;
  return true;
}

Section GainWatch::section() const {
  ByteWriter out;
  out.put(last_gain_);
  for (const double value : worth_) out.put(value);
  return {section_name, section_version, std::move(out).take()};
}

void GainWatch::load(const RunState& state) {
  *this = GainWatch(least_gain_);
  const auto is_ours = [](const Section& section) { return section.name == section_name; };
  if (std::none_of(state.sections.begin(), state.sections.end(), is_ours)) return;
  ByteReader in(state.section(section_name, section_version));
  last_gain_ = in.get<std::uint32_t>();
  for (double& value : worth_) value = in.get<double>();
  in.expect_end();
  require_bytes(last_gain_ <= state.header.generation, "its last gain is yet to come");
  require_bytes(
      std::all_of(worth_.begin(), worth_.end(), [](double v) { return std::isfinite(v); }),
      "its worth is no number");
}

}  // namespace atl
