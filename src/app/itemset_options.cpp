#include "src/app/itemset_options.hpp"

#include <algorithm>
#include <utility>

#include <CLI/CLI.hpp>

#include "src/app/command_line.hpp"
#include "src/app/job_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/output_options.hpp"
#include "src/app/text_options.hpp"
#include "src/config/option_values.hpp"
#include "src/core/error.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/data/text_form.hpp"

namespace atl {
namespace {

constexpr std::uint64_t most_length = ~std::uint32_t{0};

/// Measures named by --measures or --sort. @throws UsageError also for those that itemsets lack
std::vector<Measure> measures_of(const std::string& option, const std::string& text) {
  std::vector<Measure> chosen = measures_named(measures_option(option, text, false));
  const auto end = std::remove(chosen.begin(), chosen.end(), Measure::contrast);
  if (end != chosen.end() && text != "all") {
    throw UsageError(option +
                     ": contrast needs counts of generalisations, which are not made here");
  }
  chosen.erase(end, chosen.end());
  return chosen;
}

/// Takes what --rules and the options that it takes say.
void take_rules(const ItemsetsOptions& options, ItemsetJob& job) {
  if (!options.rules) {
    for (const auto& [name, text] : {std::pair{"--min-confidence", &options.min_confidence},
                                     {"--max-consequent", &options.max_consequent},
                                     {"--measures", &options.measures},
                                     {"--sort", &options.sort},
                                     {"--top", &options.top}}) {
      if (!text->empty()) throw UsageError(std::string(name) + " is of --rules, which is missing");
    }
    return;
  }
  if (options.count_only) throw UsageError("give either --rules or --count-only");
  if (options.maximal) {
    throw UsageError("--rules needs supports that --maximal sets do not tell: give --closed");
  }
  ItemsetRuleLimits& rules = job.rules.limits;
  if (!options.min_confidence.empty()) {
    rules.min_confidence =
        option_value("--min-confidence", [&] { return parse_share(options.min_confidence); });
  }
  if (!options.max_consequent.empty()) {
    rules.max_consequent = static_cast<std::uint32_t>(
        whole_number_option("--max-consequent", options.max_consequent, 1, most_length));
  }
  rules.min_length = job.limits.min_length;
  job.limits.min_length = 1;  // of the sets that are a side alone
  const auto usual = default_measures();
  job.measures.assign(usual.begin(), usual.end());
  if (!options.measures.empty()) {
    job.measures = measures_of("--measures", options.measures);
  }
  if (!options.sort.empty()) {
    const std::vector<Measure> by = measures_of("--sort", options.sort);
    if (by.size() != 1) throw UsageError("--sort: expected one measure");
    job.rules.sort = by.front();
  }
  if (!options.top.empty()) {
    if (!job.rules.sort) throw UsageError("--top needs --sort, which says which rules are best");
    job.rules.top = whole_number_option("--top", options.top, 1);
  }
}

/// The form that is said: for a table all of it, else what may be said of transactions.
TransactionForm form_from(const ItemsetsOptions& options) {
  TextForm text = table_form_from(*options.command, options.data);
  TransactionForm form = transaction_form(options.format, options.delimiter, text.header);
  if (form.format == TransactionFormat::table) {
    if (!options.delimiter.empty()) text.delimiter = options.delimiter;
    text.is_table = true;
    expect_text_form(text, TextKinds::tables);
  } else if (form.format != TransactionFormat::automatic) {
    expect_of_transactions(text);
  }
  form.text = std::move(text);
  return form;
}

ItemsetWords words_of(const ItemsetsOptions& options, const std::string& backend) {
  ItemsetWords words;
  words.algorithm = options.algorithm;
  words.representation = options.representation;
  words.min_probability = options.min_probability;
  words.probabilities = options.probabilities;
  words.probability_column = options.probability_column;
  words.backend = backend;
  words.rules = options.rules;
  return words;
}

/// Where they are. @throws UsageError
void take_probabilities(const ItemsetsOptions& options, ItemsetJob& job) {
  for (const char* const option : {"--probabilities", "--probability-column"}) {
    const auto* const given = options.command->get_option(option);
    if (given->count() != 0 && given->as<std::string>().empty()) {
      throw UsageError(std::string(option) + ": there is no name");
    }
  }
  if (options.data == standard_input && options.probabilities == standard_input) {
    throw UsageError("standard input ('-') can be given only once");
  }
  job.probabilities = options.probabilities;
  job.form.probability_column = options.probability_column;
}

}  // namespace

ItemsetJob job_from(const ItemsetsOptions& options) {
  ItemsetJob job;
  job.data = options.data;
  job.count_only = options.count_only;
  job.makes_rules = options.rules;
  if (options.min_support.empty() == options.min_count.empty()) {
    throw UsageError("give either --min-support or --min-count");
  }
  if (!options.min_support.empty()) {
    job.min_support =
        option_value("--min-support", [&] { return SupportThreshold::parse(options.min_support); });
  } else {
    job.limits.min_count = whole_number_option("--min-count", options.min_count, 1);
  }
  job.limits.min_length = static_cast<std::uint32_t>(
      whole_number_option("--min-length", options.min_length, 1, most_length));
  if (!options.max_length.empty()) {
    job.limits.max_length = static_cast<std::uint32_t>(
        whole_number_option("--max-length", options.max_length, 1, most_length));
  }
  if (job.limits.max_length < job.limits.min_length) {
    throw UsageError("--max-length is below --min-length");
  }
  if (options.closed && options.maximal) throw UsageError("give either --closed or --maximal");
  if (options.closed) job.limits.family = ItemsetFamily::closed;
  if (options.maximal) job.limits.family = ItemsetFamily::maximal;
  if (options.output.empty() && !options.count_only) {
    throw UsageError("-o is missing: a file to write, or - for standard output");
  }
  job.form = form_from(options);
  apply_counting_options(*options.command, job.machine);
  job.how = itemset_algorithm(words_of(options, job.machine.backend), job.limits);
  take_probabilities(options, job);
  take_rules(options, job);
  job.is_task = !options.rules || job.how.pairs;
  if (!job.is_task) refuse_checkpoints(*options.command, "there are none with --rules");
  job.task = task_job(*options.command, options.output, options.force);
  return job;
}

namespace {

void add_sets_options(CLI::App& command, ItemsetsOptions& options) {
  command
      .add_option("DATA", options.data,
                  "Transactions (- is standard input), a line each: numbers of items, or names "
                  "with a delimiter; or what --format says; or a file that atoll import made")
      ->required()
      ->type_name("");
  command
      .add_option("-o,--output", options.output,
                  "File to write; - is standard output, the default of --count-only")
      ->type_name("OUT");
  add_text(command, "--min-support", options.min_support, "X",
           "least share of the transactions that a set is in: 0.01, 1% or 500rows");
  add_text(command, "--min-count", options.min_count, "N", "or so many transactions");
  add_text(command, "--min-length", options.min_length, "N", "items in a set, at least");
  add_text(command, "--max-length", options.max_length, "N", "items in a set, at most");
  command.add_flag("--closed", options.closed,
                   "only sets that lose transactions with each further item");
  command.add_flag("--maximal", options.maximal,
                   "only sets that are frequent with no further item");
  command.add_flag(
      "--rules", options.rules,
      "write rules as CSV instead of the sets: IF some items THEN another; with --closed "
      "only those whose items together are a closed set");
  add_text(command, "--min-confidence", options.min_confidence, "X",
           "of --rules: least confidence, 0.9 or 90%");
  add_text(command, "--max-consequent", options.max_consequent, "N",
           "of --rules: items that a rule concludes, at most; without it 1");
  add_text(command, "--measures", options.measures, "M,...",
           "of --rules: measures to write, or all");
  add_text(command, "--sort", options.sort, "M", "of --rules: the greatest of a measure first");
  add_text(command, "--top", options.top, "N", "of --rules: only so many, by --sort");
  command.add_flag("--count-only", options.count_only,
                   "a table of the number of sets by length instead of the sets");
  add_text(command, "--algorithm", options.algorithm, "NAME",
           "apriori: level by level, with the same output; pairs: all sets of two items, counted "
           "one with all others; probabilistic: each transaction exists with a probability; "
           "without it the fastest way: a search depth first, or, of sets of two items alone, "
           "pairs");
  add_text(command, "--representation", options.representation, "F",
           "of pairs: how items are held and counted: auto, batmap, bitmap, lists or product; the "
           "output is the same [auto]");
  command.add_flag("--force", options.force, "replace an existing file");
}

void add_probability_options(CLI::App& command, ItemsetsOptions& options) {
  add_text(command, "--min-probability", options.min_probability, "P",
           "of probabilistic: least probability that a set has the least support: 0.9 or 90%");
  add_text(command, "--probabilities", options.probabilities, "FILE",
           "of probabilistic: the probability that each transaction exists, a number a line");
  add_text(command, "--probability-column", options.probability_column, "NAME",
           "of probabilistic: the column of a table that holds it, and is no item");
}

void add_input_options(CLI::App& command, ItemsetsOptions& options) {
  add_counting_options(
      command,
      "what --count-only, apriori, pairs and probabilistic count with: auto, cpu or "
      "cuda; the last three also with reference; auto takes a GPU for large searches [auto]");
  add_job_options(command);
  add_text(command, "--format", options.format, "F",
           "auto, fimi (numbers of items, .dat), baskets (names), long (a transaction and an item "
           "a line), onehot (1 and 0, yes and no, in a column for each item) or table (attribute = "
           "label)")
      ->group(reading_group);
  add_text(command, "--delimiter", options.delimiter, "C",
           "of all but fimi: what is between names, one character, tab or, of baskets, blank")
      ->group(reading_group);
  add_table_options(command);
  options.command = &command;
}

}  // namespace

void add_itemsets_options(CLI::App& command, ItemsetsOptions& options) {
  add_sets_options(command, options);
  add_probability_options(command, options);
  add_input_options(command, options);
}

}  // namespace atl
