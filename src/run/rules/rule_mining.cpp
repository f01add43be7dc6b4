#include "src/run/rules/rule_mining.hpp"

#include <utility>

#include "islands/algorithms.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/archipelago/search.hpp"
#include "islands/archive_section.hpp"
#include "src/core/error.hpp"
#include "src/core/option_value.hpp"
#include "src/grammar/aim.hpp"
#include "src/grammar/grammar.hpp"
#include "src/measures/measures.hpp"
#include "src/results/archive/gains.hpp"
#include "src/run/data/default_target.hpp"
#include "src/run/data/job_rows.hpp"

namespace atl {
namespace {

/// The experiment as a run would have it in its config.toml.
Experiment aimed(Experiment experiment, const Dataset& exact, const Report& report) {
  if (!experiment.kind().single_rules) {
    throw UsageError("--preset " + std::string(experiment.algorithm->name) + " " +
                     std::string(experiment.kind().does));
  }
  if (experiment.repeat != Repeats::none)
    throw UsageError("--repeat makes runs in the folder of a run, and here is none");
  const bool of_mean = experiment.aim.concludes_mean();
  if (experiment.grammar.empty()) experiment.grammar = Grammar::builtin("association");
  if (experiment.measures.empty()) {
    for (const Measure measure : default_measures(of_mean))
      experiment.measures.emplace_back(info(measure).name);
  }
  experiment.validate();
  option_value("--measures", [&] { return measures_named(experiment.measures, of_mean); });
  const auto attributes = exact.attributes();
  io::DatasetSummary data;
  data.rows = exact.rows();
  data.attributes.assign(attributes.begin(), attributes.end());
  return with_designated_target(std::move(experiment), data, report);
}

}  // namespace

std::optional<MiningResult> mine_rules(const Dataset& exact, Experiment given, Backend& backend,
                                       ThreadPool& pool, const std::function<bool()>& stop,
                                       const Report& report) {
  const Experiment experiment = aimed(std::move(given), exact, report);
  const JobRows rows = rows_in_memory(exact, search_bins(experiment), experiment, pool);
  const auto exact_rows = [&] { return std::move(*rows.exact); };
  const auto attributes = rows.search.attributes();
  const auto bound = bind_grammars(experiment, attributes, "the grammar");
  const IslandGrammars grammars(bound);
  const auto resident = backend.load(rows.search, pool);
  JobTables tables(rows, exact_rows, backend, resident, pool, report);
  const auto search = make_search(experiment, grammars, *resident);
  GainWatch gains;
  const auto patience = static_cast<std::uint32_t>(experiment.patience);
  const auto done = [&](std::uint32_t at, const Results& found) {
    gains.look(at, worth_of(rules_of(found), experiment.top));
    return gains.over(at, patience);
  };
  const auto state = search_to_end(experiment, *search, exact.fingerprint(), pool, stop,
                                   {generations_between_looks(patience), done});
  if (!state) return std::nullopt;

  const Dependences dependences = find_dependences(tables.exact_rows().search, pool);
  const auto go_on = [&](const ChoiceProgress&) { return !stop(); };
  const RunChoice chosen = choose_run_rules(archive_of(*state, attributes),
                                            {experiment, grammars, tables, dependences, go_on});
  if (!chosen.list.complete) return std::nullopt;
  return MiningResult{list_rules(chosen.list, chosen.searched.dataset().attributes(), experiment,
                                 chosen.searched, chosen.held_out),
                      history_of(*state).rows()};
}

}  // namespace atl
