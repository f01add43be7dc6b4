#include "src/run/data/job_rows.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "io/hdf5/data_file.hpp"
#include "islands/algorithms.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/memory_limit.hpp"
#include "src/core/option_value.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/core/time_line.hpp"
#include "src/data/binning.hpp"
#include "src/data/divide.hpp"
#include "src/data/row_codes.hpp"
#include "src/data/shared_dataset.hpp"
#include "src/data/split.hpp"
#include "src/grammar/split_attribute.hpp"
#include "src/results/written/holdout.hpp"
#include "src/rules/class_target.hpp"
#include "src/rules/item_table.hpp"

namespace atl {
namespace {

/// Attributes that some island is to conclude any value of.
std::vector<std::string> attributes_of_any_value(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const auto& [island, its] : experiment.by_island()) {
    for (const std::string& target : its.aim.target) {
      if (auto name = any_value_of(target)) names.push_back(std::move(*name));
    }
  }
  return names;
}

}  // namespace

io::LoadOptions search_bins(const Experiment& experiment) {
  io::LoadOptions bins{experiment.max_bins, experiment.attribute_bins};
  if (const auto target = experiment.aim.numeric_target()) bins.exact.push_back(target->attribute);
  if (auto split = split_attribute(experiment)) bins.exact.push_back(std::move(*split));
  return bins;
}

io::LoadOptions exact_values(const Experiment& experiment) {
  io::LoadOptions exact{.max_bins = 0, .attribute_bins = experiment.attribute_bins};
  for (auto& [name, bins] : exact.attribute_bins) bins = 0;
  return exact;
}

std::uint32_t most_bins(const Experiment& experiment, const Attribute& attribute) {
  const auto own = experiment.attribute_bins.find(attribute.name);
  return own == experiment.attribute_bins.end() ? experiment.max_bins : own->second;
}

void expect_two_attributes(const Dataset& dataset, const std::string& data) {
  if (dataset.attributes().size() >= 2) return;
  throw BadData(
      data,
      "one attribute only; a rule needs two (is the delimiter right? are the others constant?)");
}

namespace {

/// @throws UsageError for bins of items, or fewer than two of them that are frequent
Dataset read_items(const JobSettings& settings, const io::Hdf5Reader& file,
                   std::optional<ItemChoice>& items) {
  const RunConfiguration& configuration = settings.configuration;
  if (!configuration.experiment.kind().transactions) {
    throw BadData(configuration.machine.data, "holds transactions, expected a table");
  }
  if (!configuration.experiment.attribute_bins.empty()) {
    throw UsageError("--max-bins: items of transactions have no bins");
  }
  const io::StoredTransactions stored = io::read_transactions(file);
  items = choose_items(stored.transactions, configuration.experiment, settings.items);
  expect_memory_for(8 * words_for(stored.transactions.size()) * items->names.size(),
                    counted(items->names.size(), "item") + " kept of " +
                        counted(stored.transactions.size(), "transaction"),
                    "a greater --min-support");
  return item_table(stored.transactions, items->names, stored.partition_transactions,
                    stored.fingerprint);
}

/// Does the search see the rows as if those held out were not known?
bool is_apart(const Experiment& experiment) {
  return experiment.kind().classifies && experiment.holdout.any();
}

/// @param bins  of search_bins() or exact_values()
io::LoadOptions options_of(const Experiment& experiment, const io::LoadOptions& bins) {
  io::LoadOptions options = is_apart(experiment) ? exact_values(experiment) : bins;
  options.labels = attributes_of_any_value(experiment);
  return options;
}

/// @param dataset  loaded by options_of()
JobRows divided(Dataset&& dataset, const Experiment& experiment, ThreadPool& pool) {
  if (experiment.holdout.none()) return {std::move(dataset), std::nullopt};
  const TimedPhase phase("hold-out");
  time_line().add_bytes(dataset.bytes_held());
  RowMask bits = held_out_rows(experiment, dataset, pool);
  SplitDataset parts = split(std::move(dataset), bits, pool);
  if (is_apart(experiment)) {
    const std::vector<std::uint8_t> all(parts.rest.rows(), 1);
    parts.rest =
        row_subset(parts.rest, all, [&](const Attribute& a) { return most_bins(experiment, a); });
  }
  return {std::move(parts.rest), std::move(parts.drawn), {}, {}, std::move(bits)};
}

/// Rows of a search for rules, from the whole table.
/// @param exact  loaded without bins
JobRows divided_and_binned(Dataset&& exact, const io::LoadOptions& bins,
                           const Experiment& experiment, ThreadPool& pool) {
  const auto attributes = exact.attributes();
  const BinPlan plan = option_value("--max-bins", [&] {
    return plan_bins({attributes.begin(), attributes.end()},
                     {bins.max_bins, bins.attribute_bins, bins.exact, bins.labels});
  });
  const bool some_binned = std::any_of(plan.attributes.begin(), plan.attributes.end(),
                                       [](const Attribute& a) { return a.binned(); });
  JobRows whole = divided(std::move(exact), experiment, pool);
  if (!some_binned) return whole;
  const TimedPhase phase("bins");
  time_line().add_bytes(whole.search.bytes_held());
  JobRows rows{with_bins(whole.search, plan, pool), std::nullopt};
  if (whole.held_out) rows.held_out = with_bins(*whole.held_out, plan, pool);
  rows.bits = std::move(whole.bits);
  rows.exact = std::make_unique<JobRows>(std::move(whole));
  return rows;
}

Dataset read_table(const JobSettings& settings, io::Hdf5Reader file,
                   const io::LoadOptions& options) {
  const TimedPhase phase("read");
  Dataset table =
      option_value("--max-bins", [&] { return io::read_dataset(std::move(file), options); });
  time_line().add_bytes(table.bytes_held());
  expect_two_attributes(table, settings.configuration.machine.data);
  return table;
}

JobRows read_rows(const JobSettings& settings, const io::LoadOptions& bins) {
  const Experiment& experiment = settings.configuration.experiment;
  const std::uint32_t threads = settings.configuration.machine.threads;
  ThreadPool pool(threads != 0 ? threads : available_cpus());
  io::LoadOptions options = options_of(experiment, bins);
  options.threads = threads;
  if (settings.lock != nullptr) options.folder = &settings.lock->folder();
  io::Hdf5Reader file =
      in_phase("open and check", [&] { return io::open_data(settings.dataset, options.folder); });
  switch (io::kind_of(file)) {
    case io::DataKind::transactions: {
      std::optional<ItemChoice> items;
      Dataset table = in_phase("read", [&] { return read_items(settings, file, items); });
      expect_two_attributes(table, settings.configuration.machine.data);
      JobRows rows = divided(std::move(table), experiment, pool);
      rows.items = std::move(items);
      return rows;
    }
    case io::DataKind::table:
      break;
  }
  if (experiment.kind().classifies)
    return divided(read_table(settings, std::move(file), options), experiment, pool);
  io::LoadOptions exact = options;
  exact.max_bins = 0;
  exact.attribute_bins.clear();
  return divided_and_binned(read_table(settings, std::move(file), exact), options, experiment,
                            pool);
}

/// The share of each table that this rank counts.
RowShare own_share(const Teams* teams) {
  if (teams == nullptr || teams->members() == nullptr || !teams->counting()->splits_rows())
    return {};
  return {teams->members()->rank(), teams->members()->size()};
}

/// @param read  on rank 0
JobRows shared_rows(const std::function<JobRows()>& read, const Experiment& experiment,
                    Communicator& communicator, const Teams* teams) {
  std::optional<Dataset> search, held_out;  // of rank 0
  std::unique_ptr<JobRows> exact;
  std::optional<ItemChoice> items;
  RowMask held_out_bits;
  on_root(communicator, [&] {
    JobRows rows = read();
    exact = std::move(rows.exact);
    held_out_bits = std::move(rows.bits);
    search = std::move(rows.search);
    held_out = std::move(rows.held_out);
    items = std::move(rows.items);
  });
  const RowShare own = own_share(teams);
  SharedDataset shared =
      in_phase("share", [&] { return share(std::move(search), communicator, own); });
  JobRows rows{std::move(shared.dataset), std::move(held_out),      std::move(shared.copies),
               std::move(items),          std::move(held_out_bits), std::move(exact)};
  const bool team_has_held_out = experiment.holdout.any() && teams != nullptr &&
                                 teams->members() != nullptr && teams->in_first_team();
  on_all(communicator, [&] {  // other teams would wait for one that has failed
    if (!team_has_held_out) return;
    rows.held_out = share(std::move(rows.held_out), *teams->members(), own).dataset;
  });
  if (own.of > 1) {
    divide(rows.search, own);
    if (rows.held_out) divide(*rows.held_out, own);
  }
  return rows;
}

}  // namespace

JobRows load_rows(const JobSettings& settings, const io::LoadOptions& bins,
                  Communicator& communicator, const Teams* teams) {
  return shared_rows([&] { return read_rows(settings, bins); }, settings.configuration.experiment,
                     communicator, teams);
}

JobRows rows_in_memory(const Dataset& exact, const io::LoadOptions& bins,
                       const Experiment& experiment, ThreadPool& pool) {
  expect_two_attributes(exact, "the table");
  const io::LoadOptions options = options_of(experiment, bins);
  const auto attributes = exact.attributes();
  const BinChoice all{.max_bins = 0, .attribute_bins = {}, .exact = {}, .labels = options.labels};
  const BinPlan same = plan_bins({attributes.begin(), attributes.end()}, all);
  return divided_and_binned(with_bins(exact, same, pool), options, experiment, pool);
}

void keep_sampled_rows(JobRows& rows, const Experiment& experiment, Communicator& communicator) {
  std::uint64_t lacking = rows.search.rows_held() < rows.search.rows() ? 1 : 0;  // ranks
  communicator.all_reduce_sum(std::span(&lacking, 1));
  if (lacking == 0) return;
  std::vector<std::uint64_t> looked_at;
  on_all(communicator, [&] { looked_at = rows_looked_at(experiment, rows.search); });
  keep_rows(rows.search, std::move(looked_at), communicator);
}

JobRows load_exact_rows(const JobSettings& settings, const JobRows& rows, const Teams* teams) {
  LocalCommunicator alone;
  Communicator& readers = teams != nullptr ? *teams->members() : alone;
  return shared_rows([&] { return std::move(*rows.exact); }, settings.configuration.experiment,
                     readers, teams);
}

void warn_of_thin_support(const Experiment& experiment, std::uint64_t rows, const Report& report) {
  constexpr std::uint64_t few = 5;
  const std::uint64_t least = experiment.min_support.minimum_count(rows);
  if (least >= few) return;
  report(Severity::warning,
         fmt::format("--min-support {} is {} of {}; rules that rest on so few are mostly chance",
                     experiment.min_support.to_string(), least, counted(rows, "row")));
}

void tell_of_labels(std::span<const Attribute> attributes, const Report& report) {
  for (const Attribute& attribute : attributes) {
    if (!attribute.as_labels) continue;
    const std::string name = printable(attribute.name);
    report(Severity::info,
           fmt::format("'{}' has {} values, all whole numbers, which are taken as labels; "
                       "--consequent {} concludes bounds on them, --target 'mean({})' where they "
                       "are high",
                       name, attribute.distinct(), name, name));
  }
}

void warn_of_quantity(const Attribute& classes, const Report& report) {
  if (classes.labels.size() <= most_number_labels) return;
  const bool all_numbers = std::all_of(
      classes.labels.begin(), classes.labels.end(),
      [&](const std::string& label) { return label == classes.other || parse_number(label); });
  if (!all_numbers) return;
  const std::string name = printable(classes.name);
  report(Severity::warning,
         fmt::format("class '{}' has {} values, all numbers, taken as labels; if it is a quantity, "
                     "mine where it is high: atoll mine --target 'mean({})'",
                     name, classes.labels.size(), name));
}

}  // namespace atl
