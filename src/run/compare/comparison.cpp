#include "src/run/compare/comparison.hpp"

#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "io/results/rule_file.hpp"
#include "io/results/true_rules.hpp"
#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/config/search_kind.hpp"
#include "src/core/text/near_names.hpp"
#include "src/eval/counting_options.hpp"
#include "src/results/archive/steering.hpp"
#include "src/results/compare/truth.hpp"
#include "src/rules/item_text.hpp"
#include "src/rules/rule_text.hpp"
#include "src/run/data/dependences.hpp"
#include "src/run/data/job_rows.hpp"
#include "src/run/data/run_data.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {
namespace {

/// What a run has written.
struct Written {
  io::Folder run;
  JobSettings settings;
  std::vector<WrittenRule> rules;

  const Experiment& experiment() const { return settings.configuration.experiment; }
};

/// Of rules that an exhaustive search cannot be compared with.
void expect_comparable(const Experiment& experiment, const std::string& run) {
  expect_kind(rule_kind, experiment, run);
  const std::string name = printable(run);
  if (experiment.aim.concludes_mean()) {
    throw UsageError(name + " mines rules about " +
                     (experiment.aim.concludes_quantile() ? "a quantile" : "a mean") +
                     ", which no exhaustive search here finds");
  }
  if (experiment.holdout.any()) {
    throw BadData(run, "searched only a part of the rows (--holdout), an exhaustive search all");
  }
  if (experiment.missing_consequent == MissingConsequent::exclude) {
    throw BadData(run, "left rows out (--missing-consequent exclude), an exhaustive search none");
  }
}

/// The dataset file that the run was mined from.
std::string dataset_file(const io::Folder& run, const Machine& machine) {
  if (run.has(io::run_names::data)) return run.path_of(io::run_names::data);
  std::error_code absent;
  if (machine.data == standard_input || !std::filesystem::exists(machine.data, absent)) {
    throw MissingInput(machine.data,
                       "No such file or directory; the run was mined from it, and if it has moved, "
                       "change `data` in [machine] of " +
                           run.path_of(io::run_names::config));
  }
  if (!is_hdf5(machine.data)) {
    throw MissingInput(run.path_of(io::run_names::data), "missing, the data as they were mined");
  }
  return machine.data;
}

/// All items that the rules name, as far as they name items.
std::set<std::string> items_of(const io::TrueRules& rules, const std::string& file) {
  std::set<std::string> items;
  for (const io::RuleText& rule : rules.rules) {
    for (const std::string* const side : {&rule.antecedent, &rule.consequent}) {
      const auto names = item_names(*side, file + ": " + rule.place);
      if (names) items.insert(names->begin(), names->end());
    }
  }
  return items;
}

/// Those of the run; of transactions also with items that it left out.
JobRows rows_of(const Written& written, const io::TrueRules& rules, const std::string& file) {
  JobSettings settings = written.settings;
  settings.items = items_of(rules, file);
  LocalCommunicator alone;
  JobRows rows = load_rows(settings, exact_values(written.experiment()), alone);
  const auto silent = [](Severity, const std::string&) {};
  const auto header = io::CheckpointStore(written.run, 1, silent).latest_header();
  if (header && header->dataset != rows.search.fingerprint()) {
    throw BadData(settings.dataset, "holds other data than those the run was mined from");
  }
  return rows;
}

Written read_run(const std::string& folder) {
  io::Folder run = io::find_run(folder);
  const io::RunPaths paths(run.path());
  JobSettings settings;
  settings.folder = folder;
  settings.configuration = parse_run_configuration(io::read_file(run, io::run_names::config),
                                                   paths.config, algorithms());
  expect_comparable(settings.configuration.experiment, folder);
  if (!run.has(io::run_names::rules_json)) {
    throw MissingInput(paths.rules_json,
                       "no rules yet: they are written when a job of the run ends");
  }
  std::vector<WrittenRule> rules = io::read_rules(run);
  settings.dataset = dataset_file(run, settings.configuration.machine);
  return {std::move(run), std::move(settings), std::move(rules)};
}

std::string counts_text(const ContingencyTable& table) {
  return fmt::format("antecedent {}, consequent {}, both {}", table.n_antecedent,
                     table.n_consequent, table.n_both);
}

bool has_equal_counts(const ContingencyTable& a, const ContingencyTable& b) {
  return a.n == b.n && a.n_antecedent == b.n_antecedent && a.n_consequent == b.n_consequent &&
         a.n_both == b.n_both;
}

std::vector<ContingencyTable> tables_of(std::span<const RuleRecord> records, Resident& resident) {
  std::vector<Rule> rules;
  for (const RuleRecord& record : records) rules.push_back(record.rule);
  std::vector<ContingencyTable> tables;
  for (const RuleStatistics& counts : resident.count(rules, {})) tables.push_back(counts.table);
  return tables;
}

/// The rules of a run, and behind them its best rule as it was found.
/// @throws InternalError if a rule has other counts than the run wrote
std::vector<RuleRecord> records_of(const Written& written, Resident& resident) {
  std::vector<const WrittenRule*> rules;
  for (const WrittenRule& rule : written.rules) rules.push_back(&rule);
  for (const WrittenRule& rule : written.rules) {
    for (const WrittenRule& found : rule.as_found) rules.push_back(&found);
  }
  std::vector<RuleRecord> records;
  for (const WrittenRule* const rule : rules) {
    RuleRecord record;
    record.rule = parse_rule(rule->text, resident.dataset().attributes(),
                             "rule " + std::to_string(rule->id) + " of the run");
    record.table = rule->table;
    record.kind = rule->kind;
    records.push_back(std::move(record));
  }
  const auto tables = tables_of(records, resident);
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (has_equal_counts(tables[i], records[i].table)) continue;
    throw InternalError("rule " + std::to_string(rules[i]->id) + " of " +
                        printable(written.settings.folder) + ", " + in_quotes(rules[i]->text) +
                        ", has other counts when counted again: " + counts_text(tables[i]) +
                        ", written were " + counts_text(records[i].table));
  }
  return records;
}

/// Counts that a file and the run's rows do not agree on.
[[noreturn]] void fail_on_counts(const std::string& file, const io::RuleText& text,
                                 const ContingencyTable& counts, bool same_data) {
  const std::string problem =
      fmt::format("{}, '{} => {}', has counts ({}) other than on the rows of the run ({})",
                  text.place, printable(text.antecedent), printable(text.consequent),
                  counts_text(text.table), counts_text(counts));
  if (same_data) throw InternalError(file + ": " + problem + ", which are the same data");
  throw BadData(file, problem + ": not of the same data");
}

/// Each rule once. @throws BadData if they are not of the run's data
std::vector<RuleRecord> true_records(const io::TrueRules& read, const std::string& file,
                                     Resident& resident) {
  const Dataset& data = resident.dataset();
  std::vector<RuleRecord> records;
  for (const io::RuleText& text : read.rules) {
    if (text.table.n != data.rows()) {
      throw BadData(file, fmt::format("{} is of {}, the run searched {}: not the same data",
                                      text.place, counted(text.table.n, "row"), data.rows()));
    }
    RuleRecord record;
    try {
      const auto attributes = data.attributes();
      record.rule = {parse_items(text.antecedent, attributes, text.place),
                     parse_items(text.consequent, attributes, text.place)};
    } catch (const BadCell& error) {
      throw BadData(file, fmt::format("{}: '{}' is not of the data of the run, expected {}",
                                      text.place, printable(error.found), error.expected));
    }
    record.table = text.table;
    records.push_back(std::move(record));
  }
  const auto tables = tables_of(records, resident);
  const bool same_data = read.fingerprint == to_hex(data.fingerprint());
  std::set<Rule> known;
  std::vector<RuleRecord> distinct;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!has_equal_counts(tables[i], records[i].table)) {
      fail_on_counts(file, read.rules[i], tables[i], same_data);
    }
    if (known.insert(records[i].rule).second) distinct.push_back(records[i]);
  }
  return distinct;
}

io::TrueRules read_rules_of(const std::string& path, Measure measure, std::size_t most) {
  const TemporaryFolder folder;
  return io::read_true_rules(
      io::TextInput(path, folder.folder().path(), {}, io::TextContent::table_or_json), measure,
      most);
}

void tell_of_best(const io::TrueRules& read, const std::string& file, Measure measure,
                  const Report& report) {
  if (read.rules.size() < read.all) {
    report(Severity::info,
           fmt::format("the best {} of {} rules of {} by {} (--top)", read.rules.size(), read.all,
                       printable(file), info(measure).name));
  }
  if (read.best_by && *read.best_by != measure) {
    report(Severity::warning,
           fmt::format("{} has the best rules by {}, the run is after {}: what is best by that may "
                       "not be among them",
                       printable(file), info(*read.best_by).name, info(measure).name));
  }
}

}  // namespace

void compare_run(const std::string& run, const std::string& rules, std::size_t top,
                 const Report& report, const std::function<void(const io::TrueRuleReport&)>& show) {
  std::error_code absent;
  if (rules != standard_input && !std::filesystem::exists(rules, absent)) {
    throw MissingInput(rules, "No such file or directory");
  }
  const Written written = read_run(run);
  const Experiment& experiment = written.experiment();
  const Measure measure = steering_measure(experiment.archive_by, experiment);
  if (measure == Measure::contrast) {
    throw UsageError(printable(run) +
                     " orders its rules by contrast, which exhaustive searches do not tell of");
  }
  const io::TrueRules read = read_rules_of(rules, measure, top);
  if (read.rules.empty()) throw BadData(rules, "no rules");
  tell_of_best(read, rules, measure, report);

  ThreadPool pool(available_cpus());
  const JobRows rows = rows_of(written, read, rules);
  const auto resident = make_cpu_device(pool)->load(rows.search);
  const auto attributes = rows.search.attributes();
  const std::vector<RuleRecord> records = records_of(written, *resident);
  const auto truth = true_records(read, rules, *resident);
  const Definitions definitions(dependences_of(rows, pool), experiment.definitions,
                                target_attributes(experiment, attributes));
  const RunReach reach(experiment, attributes);
  const std::vector<TrueRule> judged =
      judge_true_rules(truth, {experiment, records, reach, definitions, measure}, *resident);
  show({measure, judged, written.rules, attributes, rows.search.rows()});
}

}  // namespace atl
