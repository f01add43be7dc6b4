#include "src/app/experiment_options.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include <CLI/CLI.hpp>

#include "io/run/run_folder.hpp"
#include "src/app/algorithm_options.hpp"
#include "src/app/command_line.hpp"
#include "src/config/option_values.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/utf8.hpp"
#include "src/grammar/aim.hpp"
#include "src/grammar/grammar.hpp"
#include "src/grammar/split_attribute.hpp"
#include "src/grammar/target_syntax.hpp"
#include "src/results/archive/steering.hpp"
#include "src/rules/class_target.hpp"
#include "src/rules/scanner.hpp"
#include "src/run/preset.hpp"

namespace atl {
namespace {

struct Option {
  const char* name;
  const char* type;
  const char* help;
  void (*apply)(Experiment&, const std::string& option, const std::string& value);
  bool repeatable = false;  ///< apply adds to what is there
  /// Its help where decision lists are searched for, empty if it is the same; null: it is not for
  /// them.
  const char* list_help = nullptr;
};

constexpr bool once = false, repeatable = true;
constexpr const char* same = "";
/// Experiment::validate knows the range.
template <auto Field>
void set_number(Experiment& experiment, const std::string& option, const std::string& value) {
  using Value = std::remove_reference_t<decltype(experiment.*Field)>;
  if constexpr (std::is_enum_v<Value>) {
    experiment.*Field =
        Value{any_whole_number_option<std::underlying_type_t<Value>>(option, value)};
  } else {
    experiment.*Field = any_whole_number_option<Value>(option, value);
  }
}

/// A quantity that is converted by one function.
template <auto Field, auto Parse>
void set_by(Experiment& experiment, const std::string& option, const std::string& value) {
  experiment.*Field = option_value(option, [&] { return Parse(value); });
}

void set_grammar(Experiment& experiment, const std::string&, const std::string& value) {
  if (is_builtin_grammar(value)) {
    experiment.grammar = Grammar::builtin(value);
    return;
  }
  experiment.grammar = read_named_file(value, "a built-in grammar (association, association-full)");
  if (first_invalid_utf8(experiment.grammar) != experiment.grammar.size() ||
      experiment.grammar.find('\0') != std::string::npos) {
    throw BadData(value, "not a text in UTF-8");
  }
  Grammar::parse(experiment.grammar, value);
}

void set_maximize(Experiment& experiment, const std::string& option, const std::string& value) {
  experiment.maximize = list_option(option, value);
}

void set_measures(Experiment& experiment, const std::string& option, const std::string& value) {
  experiment.measures = measures_option(option, value, experiment.aim.concludes_mean());
}

/// One of the names that an enumeration has.
template <auto Field>
void set_choice(Experiment& experiment, const std::string& option, const std::string& value) {
  auto& choice = experiment.*Field;
  const auto names = names_of(choice);
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) {
    throw UsageError(option + ": '" + printable(value) + "', expected " +
                     alternatives({names.begin(), names.end()}));
  }
  choice = static_cast<std::remove_reference_t<decltype(choice)>>(found - names.begin());
}

/// The name of a topology, or a file of edges.
void set_topology(Experiment& experiment, const std::string&, const std::string& value) {
  experiment.edges.clear();
  try {
    experiment.topology = value;
    if (parse_topology(value).kind != TopologyKind::edges) return;
  } catch (const UsageError&) {
    experiment.topology = "edges";
  }
  experiment.edges =
      parse_edges(read_named_file(value, "a topology (" + topology_names() + ")"), value);
}

/// Who names a measure wants the list in its order.
void set_archive_by(Experiment& experiment, const std::string&, const std::string& value) {
  experiment.archive_by = value;
  experiment.order = ListOrder::measure;
}

template <auto List>
void add_names(Experiment& experiment, const std::string& option, const std::string& value) {
  const auto names = list_option(option, value);
  auto& list = experiment.aim.*List;
  list.insert(list.end(), names.begin(), names.end());
}

void add_targets(Experiment& experiment, const std::string& option, const std::string& value) {
  const auto targets = option_value(option, [&] { return split_targets(value); });
  auto& list = experiment.aim.target;
  // The targets here go before those of a preset, of which "none" leaves nothing.
  if (!experiment.aim.has_target() || targets.front() == no_target) list.clear();
  list.insert(list.end(), targets.begin(), targets.end());
}

const Option options[] = {
    {"--grammar", "NAME|FILE",
     "what rules may look like: association (conjunctions of =, <=, >, intervals), "
     "association-full (also !=, NOT, OR), or a file in BNF",
     set_grammar},
    {"--islands", "N", "populations that evolve side by side", set_number<&Experiment::islands>,
     once, same},
    {"--population", "N", "individuals on an island", set_number<&Experiment::population>, once,
     "lists bred in a generation, and about as many kept, on an island for each part of the rows"},
    {"--generations", "N",
     "how long to evolve at most; 0: only the first populations, derived at random",
     set_number<&Experiment::generations>, once,
     "how long to evolve at most; 0: only the lists that islands begin with"},
    {"--time-limit", "DUR",
     "ends the experiment, with exit status 0, after so much searching, summed over all its jobs; "
     "without --generations it is the only limit but --patience; 0: never",
     set_by<&Experiment::time_limit, parse_duration>, once, same},
    {"--patience", "N",
     "ends the search after so many generations in which neither the best rule, nor the weighted "
     "sum of the best --top, nor the strongest of every size gained 0.1%; 0: never",
     set_number<&Experiment::patience>, once,
     "ends the search after so many generations in which what lists get wrong on the inner folds "
     "did not fall by 1%; 0: never"},
    {"--repeat", "N",
     "makes the search again with N other seeds, and says what share found each rule: found_again",
     set_number<&Experiment::repeat>},
    {"--min-support", "X", "least share of the rows that a rule holds on: 0.01, 1% or 500rows",
     set_by<&Experiment::min_support, SupportThreshold::parse>},
    {"--min-confidence", "X", "least confidence: 0.9 or 90%",
     set_by<&Experiment::min_confidence, parse_share>},
    {"--max-length", "N", "comparisons in a rule, both sides together",
     set_number<&Experiment::max_length>, once,
     "comparisons in a rule, or in each conjunction that it joins"},
    {"--target", "T,...",
     "what rules conclude: 'a=*' (any comparison on attribute a) or one comparison such as "
     "'income = >50K' or 'price >= 100000'; or where a number is high: 'mean(price)', "
     "'quantile(price, 0.9)', or low: 'low mean(price)'; takes the place of the grammar's "
     "consequent. none: anything, also where the data designate a target",
     add_targets, repeatable},
    {"--antecedent", "A,...", "the only attributes that antecedents name",
     add_names<&Aim::antecedent>, repeatable},
    {"--consequent", "A,...", "the only attributes that consequents name",
     add_names<&Aim::consequent>, repeatable},
    {"--require", "A,...", "attributes that every rule names once, on either side; at most 6",
     add_names<&Aim::require>, repeatable},
    {"--exclude", "A,...", "attributes that no rule names", add_names<&Aim::exclude>, repeatable,
     same},
    {"--holdout", "X|COND|FILE",
     "rows that are kept from the search, to test what it finds on: a share of all, at most 0.9; "
     "those where an attribute, which no rule names then, says so, as 'split = test'; or a file of "
     "row numbers, one a line, the first being 1",
     set_by<&Experiment::holdout, holdout_from>, once, same},
    {"--significance", "P",
     "write only rules that are significant on them, after Holm's adjustment; 0: write all",
     set_by<&Experiment::significance, parse_share>},
    {"--measures", "M,...|all",
     "measures to write; of a mean: support,mean,mean_rest,mean_difference,deviation,effect_size,"
     "z_score,impact",
     set_measures},
    {"--maximize", "M,...", "measures to maximise, in this order; of a mean: impact,effect_size",
     set_maximize},
    {"--archive-by", "M", "measure that decides which rules are kept; of a mean: impact",
     set_archive_by},
    {"--top", "N", "rules to write", set_number<&Experiment::top>},
    {"--max-bins", "N|A=N,...",
     "bins of a numeric attribute with more values, for all or for attribute A; 0: exact", set_bins,
     once, same},
    {"--bounds", "exact|binned",
     "bounds of the rules written: among all values, fitted after the search, or the search's own, "
     "ends of bins",
     set_choice<&Experiment::bounds>},
    {"--missing-consequent", "count|exclude",
     "rows without a value in the consequent count as not satisfying it, or are left out",
     set_choice<&Experiment::missing_consequent>},
    {"--max-similarity", "X",
     "leaves out rules that are more similar than this to a better one or, where both conclude "
     "bounds, to its mirror NOT X => NOT Y: Jaccard index of the rows of the antecedents times "
     "that of the consequents; with --archive-by contrast also those that a better one explains; "
     "1: however alike",
     set_by<&Experiment::max_similarity, parse_share>},
    {"--order", "news|measure",
     "the order of rules about a target: by what each adds to those before it, or by the measure "
     "of --archive-by, which is the order where that is given",
     set_choice<&Experiment::order>},
    {"--definitions", "apart|include",
     "rules that only say how attributes depend on each other, such as a code and its name: behind "
     "the others (atoll rules --definitions), or among them",
     set_choice<&Experiment::definitions>},
    {"--topology", "T|FILE",
     "which islands send to which: none, ring, two-way-ring, torus, hypercube, star (around island "
     "0), complete, random:K (each takes from K others, drawn anew each time), or a file with two "
     "numbers of islands a line, from and to",
     set_topology, once, same},
    {"--migrate-every", "N", "generations between migrations; 0: never",
     set_number<&Experiment::migrate_every>, once, same},
    {"--migrants", "N", "individuals an island sends, the same to each that takes from it",
     set_number<&Experiment::migrants>, once,
     "lists an island sends, the same to each that takes from it"},
    {"--emigrants", "best|tournament|random",
     "which: the best, winners of tournaments of two, or any", set_choice<&Experiment::emigrants>},
    {"--emigration", "copy|move", "whether emigrants stay at home, too, or leave",
     set_choice<&Experiment::emigration>},
    {"--migration", "synchronous|asynchronous",
     "whether islands wait for each other; if not, a slow one holds nobody up, but what is found "
     "depends on their pace",
     set_choice<&Experiment::migration>, once, same},
    {"--replacement", "worst|random|similar",
     "whose places immigrants take; similar: that of the most similar resident, if they are better",
     set_choice<&Experiment::replacement>},
    {"--history-every", "N",
     "history.csv has every N-th generation, and those that are better than all before; 0: every "
     "one, or of long runs so many that there are about a million lines",
     set_number<&Experiment::history_every>, once, same},
    {"--seed", "N", "of all random numbers", set_number<&Experiment::seed>, once, same},
};

/// CLI11's way to say that the second is the opposite of the first.
constexpr const char* absences_flag = "--no-absences,!--absences";
constexpr const char* missing_flag = "--no-missing-comparisons,!--missing-comparisons";

std::string preset_name(const CLI::App& command, AlgorithmTable algorithms) {
  return command.count("--preset") == 0 ? std::string(algorithms.front().name)
                                        : command.get_option("--preset")->as<std::string>();
}

/// Do the algorithms take the option?
bool takes(AlgorithmTable algorithms, const Option& option) {
  return option.list_help != nullptr || algorithms.front().traits.kind->single_rules;
}

/// Measures of means in place of those that nobody has chosen.
void aim_at_mean(const CLI::App& command, Experiment& experiment) {
  const Experiment usual = Experiment::defaults(*experiment.algorithm);
  if (experiment.max_consequent() != usual.max_consequent())
    throw UsageError("--max-consequent says nothing of a mean, which all rules conclude");
  const auto replace = [&](const char* option, auto& value, const auto& usual_value, auto by) {
    if (command.count(option) == 0 && value == usual_value) value = std::move(by);
  };
  using Names = std::vector<std::string>;
  replace("--maximize", experiment.maximize, usual.maximize, Names{"impact", "effect_size"});
  replace("--archive-by", experiment.archive_by, usual.archive_by, std::string("impact"));
  replace("--measures", experiment.measures, default_measure_names(false),
          default_measure_names(true));
}

/// @param file  the preset's; empty if it is built in
/// @throws BadData if it is the file of the preset that is wrong, UsageError if it is an option
void validate(const Experiment& experiment, const Experiment& preset, const std::string& file) {
  try {
    experiment.validate();
  } catch (const UsageError& error) {
    if (file.empty()) throw;
    try {
      preset.validate();
    } catch (const UsageError& its) {
      if (std::string(its.what()) == error.what()) throw BadData(file, its.what());
    }
    throw;
  }
}

}  // namespace

void add_experiment_options(CLI::App& command, AlgorithmTable algorithms) {
  const auto add = [&](const char* name, const char* type, const std::string& help) {
    return command.add_option(name, help)->type_name(type)->group("Experiment");
  };
  const SearchKind& kind = *algorithms.front().traits.kind;
  if (kind.classifies)
    add("--class,--target", "A", "the attribute to be learnt [the one that the data designate]");
  add("--preset", "NAME|FILE",
      "algorithm and its defaults: " + algorithm_names(algorithms) +
          ", or a TOML file, such as a changed copy of what --print-preset prints or the "
          "config.toml of a run [" +
          std::string(algorithms.front().name) + "]");
  command
      .add_option_function<std::string>(
          "--print-preset",
          [algorithms](const std::string& name) {
            const std::string text(find_algorithm(algorithms, name, "--print-preset").defaults);
            throw CLI::Success(text, CLI::ExitCodes::Success);
          },
          "print a built-in preset and exit")
      ->type_name("NAME")
      ->group("Experiment");
  const auto defaults = defaults_by_key(algorithms);
  for (const Option& option : options) {
    if (!takes(algorithms, option)) continue;
    std::string key = option.name + 2;
    std::replace(key.begin(), key.end(), '-', '_');
    const std::string& value = defaults.at(key);
    const bool own = !kind.single_rules && *option.list_help != '\0';
    const std::string help = own ? option.list_help : option.help;
    CLI::Option* added =
        add(option.name, option.type, help + (value.empty() ? "" : " [" + value + "]"));
    if (option.repeatable) added->take_all();
  }
  add_algorithm_options(command, algorithms, defaults);
  if (!kind.single_rules) return;
  const std::string absences =
      "whether rules may only say that something is absent, such as item = 0 "
      "(docs/how-to/absences.md) "
      "[--no-absences where nearly all attributes are items that few rows have]";
  command.add_flag(absences_flag, absences)->group("Experiment");
  const std::string missing =
      "whether antecedents may say of an attribute that its value is missing or known, of every "
      "one that has missing values; a grammar of your own says it itself "
      "[of those where 0.5% to 99.5% are missing]";
  command.add_flag(missing_flag, missing)->group("Experiment");
}

std::string grammar_name(const CLI::App& command, AlgorithmTable algorithms) {
  if (command.count("--grammar") == 0) {
    const std::string preset = preset_name(command, algorithms);
    return algorithm_called(algorithms, preset) != nullptr ? "grammar association"
                                                           : preset + ", grammar";
  }
  const auto name = command.get_option("--grammar")->as<std::string>();
  return is_builtin_grammar(name) ? "grammar " + name : name;
}

Experiment experiment_from(const CLI::App& command, AlgorithmTable algorithms,
                           const Report& report) {
  const std::string name = preset_name(command, algorithms);
  const Experiment preset = preset_from(name, algorithms, report);
  Experiment experiment = preset;
  for (const Option& option : options) {
    if (!takes(algorithms, option) || command.count(option.name) == 0) continue;
    for (const std::string& text : command.get_option(option.name)->results()) {
      option.apply(experiment, option.name, text);
    }
  }
  // Whoever gives a time alone wants all of it.
  const bool usual = preset.generations == Experiment::defaults(*preset.algorithm).generations;
  if (command.count("--time-limit") != 0 && experiment.time_limit > 0 && usual &&
      command.count("--generations") == 0)
    experiment.generations = endless_generations;
  apply_algorithm_options(command, algorithms, experiment);
  const std::string file = algorithm_called(algorithms, name) == nullptr ? name : "";
  if (experiment.kind().classifies) {
    if (command.count("--class") != 0) {
      const auto given = command.get_option("--class")->as<std::string>();
      const std::string name = any_value_of(given).value_or(given);
      experiment.aim.target = {quoted_if_needed(name, relation_characters) + "=*"};
    }
    exclude_split_attribute(experiment);
    validate(experiment, preset, file);
    return experiment;
  }
  expect_target_syntax(experiment);
  exclude_split_attribute(experiment);
  if (command.count("--min-support") != 0)
    tell_of_all_rows(command.get_option("--min-support")->as<std::string>(), report);
  if (command.count("--absences") != 0)
    experiment.absences = !command.get_option("--absences")->as<bool>();
  if (command.count("--missing-comparisons") != 0)
    experiment.missing_comparisons = !command.get_option("--missing-comparisons")->as<bool>();
  if (experiment.aim.concludes_mean()) aim_at_mean(command, experiment);
  validate(experiment, preset, file);
  option_value("--maximize", [&] {
    suggest_measures(experiment.all_maximized());
    return all_steering_measures(experiment);
  });
  option_value("--measures", [&] {
    return measures_named(experiment.measures, experiment.aim.concludes_mean());
  });
  option_value("--archive-by", [&] {
    suggest_measures({experiment.archive_by});
    return steering_measure(experiment.archive_by, experiment);
  });
  return experiment;
}

}  // namespace atl
