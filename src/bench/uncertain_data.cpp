#include "src/bench/uncertain_data.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include "src/bench/workload.hpp"
#include "src/generate/quest.hpp"
#include "src/run/data/transaction_data.hpp"

namespace atl {
namespace {

constexpr std::uint64_t uncertain_seed = 1;
constexpr ProbabilityModel uniform = {};
constexpr ProbabilityModel normal = {ProbabilityModel::Kind::normal, 0.5, 0.02};

/// The whole file, or else a part of it, or nothing.
std::string file_of(const std::string& name, const std::string& folder) {
  if (folder.empty() || !std::filesystem::is_directory(folder)) return {};
  std::vector<std::string> parts;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (file == name + ".dat" || file == name + ".dat.xz") return entry.path().string();
    if (!file.starts_with(name + "-")) continue;
    if (file.ends_with(".dat") || file.ends_with(".dat.xz")) parts.push_back(entry.path().string());
  }
  if (parts.empty()) return {};
  return *std::min_element(parts.begin(), parts.end());
}

/// 7,537 items occur; the thesis does not say how many its generator was given, nor patterns.
TransactionSet generated_transactions(std::uint32_t rows) {
  QuestOptions options;
  options.length = 25;
  options.pattern_length = 10;
  options.items = 12'250;
  options.seed = uncertain_seed;
  return quest_transactions(options, rows);
}

TransactionSet repeated(const TransactionSet& transactions, std::uint32_t rows) {
  if (transactions.size() == rows) return transactions;
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> items;
  for (std::uint32_t t = 0; t < rows; ++t) {
    const auto row = transactions.transaction(t % transactions.size());
    items.insert(items.end(), row.begin(), row.end());
    starts.push_back(items.size());
  }
  return {transactions.names(), std::move(starts), std::move(items)};
}

std::uint32_t occurring_items(const TransactionSet& transactions) {
  const auto& supports = transactions.supports();
  return static_cast<std::uint32_t>(
      supports.size() - static_cast<std::size_t>(std::count(supports.begin(), supports.end(), 0U)));
}

}  // namespace

const std::vector<UncertainDataset>& uncertain_datasets() {
  static const std::vector<UncertainDataset> all = {
      {"connect", 129, 67'557, 0.33, uniform, 0.48, {0.46, 0.48, 0.5}},
      {"accidents", 468, 340'183, 0.072, normal, 0.35, {0.33, 0.35, 0.37}},
      {"T25I10D500K",
       7'558,
       499'960,
       0.0033,
       uniform,
       0.0065,
       {0.006, 0.0065, 0.007, 0.0075, 0.008}},
      {"kosarak", 41'270, 990'002, 0.0002, normal, 0.003, {0.0025, 0.003, 0.0035}}};
  return all;
}

std::optional<UncertainData> uncertain_data(const UncertainDataset& dataset, std::uint32_t rows,
                                            const std::string& folder, const Report& report) {
  const std::string name = dataset.name;
  const bool generates = name == "T25I10D500K";
  const std::string file = generates ? "" : file_of(name, folder);
  if (!generates && file.empty()) return {};
  TransactionSet source =
      generates ? generated_transactions(rows) : read_transactions(file, {}, report);
  TransactionSet transactions =
      repeated(source, rows).with_probabilities(drawn_probabilities(dataset.model, rows));
  const std::uint32_t items = occurring_items(transactions);
  return UncertainData{std::move(transactions), std::min(source.size(), rows), items};
}

std::vector<double> drawn_probabilities(const ProbabilityModel& model, std::uint32_t rows) {
  std::vector<double> probabilities(rows);
  for (std::uint32_t t = 0; t < rows; ++t)
    probabilities[t] = draw_probability(model, uncertain_seed, t);
  return probabilities;
}

TransactionSet paired_transactions(std::uint32_t rows, std::span<const std::uint32_t> ranks) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 2 * ranks.size(); ++i) names.push_back(std::to_string(i));
  // A step that has no divisor in common with the number of rows visits each row once.
  std::uint64_t step = rows / 2 + rows / 8 + 1;
  while (std::gcd(step, std::uint64_t{rows}) != 1) ++step;
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> items;
  for (std::uint32_t t = 0; t < rows; ++t) {
    for (std::uint32_t k = 0; k < ranks.size(); ++k) {
      const std::uint64_t place = (t * step + k * std::uint64_t{7919}) % rows;
      if (place >= std::uint64_t{1} << ranks[k]) continue;
      items.push_back(2 * k);
      items.push_back(2 * k + 1);
    }
    starts.push_back(items.size());
  }
  return TransactionSet(std::move(names), std::move(starts), std::move(items))
      .with_probabilities(drawn_probabilities(uniform, rows));
}

}  // namespace atl
