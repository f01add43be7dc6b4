#include "src/exhaustive/itemsets.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "io/atomic_file.hpp"
#include "io/input_file.hpp"
#include "io/transactions/itemset_rule_writer.hpp"
#include "io/transactions/itemset_writer.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/itemset_levels.hpp"
#include "src/app/option_values.hpp"
#include "src/config/experiment.hpp"
#include "src/core/near_names.hpp"
#include "src/exhaustive/best_itemset_rules.hpp"
#include "src/exhaustive/itemset_rules.hpp"
#include "src/exhaustive/itemset_tree.hpp"
#include "src/measures/measures.hpp"
#include "src/run/standard_streams.hpp"
#include "src/run/transaction_data.hpp"

namespace atl {

namespace {

constexpr const char* standard_output = "-";
constexpr std::uint64_t most_length = ~std::uint32_t{0};

/// Ends a search whose sets nobody reads.
struct ReaderGone {};

struct ItemsetsOptions {
  std::string data, output;
  std::string min_support, min_count;
  std::string min_length = "1";
  std::string max_length;
  std::string min_confidence, max_consequent, measures, sort, top;
  std::string format = "auto", delimiter;
  LevelOptions levels;
  bool count_only = false;
  bool rules = false;
  bool force = false;
};

/// Numbers of options, checked before any file is read.
struct ItemsetsSettings {
  std::optional<SupportThreshold> min_support;
  std::optional<LevelSettings> levels;  ///< of apriori; none: the default search
  TransactionForm form;
  ItemsetLimits limits;
  ItemsetRuleLimits rules;
  std::vector<Measure> measures;
  std::optional<Measure> sort;
  std::size_t top = std::numeric_limits<std::size_t>::max();
  bool to_file = false;
};

/// Of --measures or --sort. @throws UsageError for what itemsets do not tell of, too
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

/// What --rules and the options that it takes say.
void take_rules(const ItemsetsOptions& options, ItemsetsSettings& settings) {
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
  ItemsetRuleLimits& rules = settings.rules;
  if (!options.min_confidence.empty()) {
    rules.min_confidence =
        option_value("--min-confidence", [&] { return parse_share(options.min_confidence); });
  }
  if (!options.max_consequent.empty()) {
    rules.max_consequent = static_cast<std::uint32_t>(
        whole_number_option("--max-consequent", options.max_consequent, 1, most_length));
  }
  rules.min_length = settings.limits.min_length;
  settings.limits.min_length = 1;  // of the sets that are a side alone
  const auto usual = default_measures();
  settings.measures.assign(usual.begin(), usual.end());
  if (!options.measures.empty()) {
    settings.measures = measures_of("--measures", options.measures);
  }
  if (!options.sort.empty()) {
    const std::vector<Measure> by = measures_of("--sort", options.sort);
    if (by.size() != 1) throw UsageError("--sort: expected one measure");
    settings.sort = by.front();
  }
  if (!options.top.empty()) {
    if (!settings.sort) throw UsageError("--top needs --sort, which says which rules are best");
    settings.top = whole_number_option("--top", options.top, 1);
  }
}

ItemsetsSettings settings_from(const ItemsetsOptions& options) {
  ItemsetsSettings settings;
  if (options.min_support.empty() == options.min_count.empty()) {
    throw UsageError("give either --min-support or --min-count");
  }
  if (!options.min_support.empty()) {
    settings.min_support =
        option_value("--min-support", [&] { return SupportThreshold::parse(options.min_support); });
  } else {
    settings.limits.min_count = whole_number_option("--min-count", options.min_count, 1);
  }
  settings.limits.min_length = static_cast<std::uint32_t>(
      whole_number_option("--min-length", options.min_length, 1, most_length));
  if (!options.max_length.empty()) {
    settings.limits.max_length = static_cast<std::uint32_t>(
        whole_number_option("--max-length", options.max_length, 1, most_length));
  }
  if (settings.limits.max_length < settings.limits.min_length) {
    throw UsageError("--max-length is below --min-length");
  }
  if (options.output.empty() && !options.count_only) {
    throw UsageError("-o is missing: a file to write, or - for standard output");
  }
  settings.form = transaction_form(options.format, options.delimiter);
  take_rules(options, settings);
  settings.levels = level_settings(options.levels);
  settings.to_file = !options.output.empty() && options.output != standard_output;
  return settings;
}

std::string count_table(std::span<const std::uint64_t> counts) {
  std::string text = "length\tsets\n";
  for (std::size_t length = 1; length < counts.size(); ++length) {
    if (counts[length] != 0) text += fmt::format("{}\t{}\n", length, counts[length]);
  }
  return text;
}

using WriteText = std::function<void(std::string_view)>;

/// At most 2^64 - 1.
std::uint64_t sum_of(std::span<const std::uint64_t> counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t sets : counts) all = all + sets < all ? ~std::uint64_t{0} : all + sets;
  return all;
}

/// Finds the sets of transactions by the algorithm that was asked for.
class ItemsetSearch {
 public:
  ItemsetSearch(const TransactionSet& transactions, const ItemsetsSettings& settings,
                const Report& report)
      : transactions_(transactions), limits_(settings.limits) {
    if (settings.levels) by_level_ = search_levels(transactions, limits_, *settings.levels, report);
  }

  std::vector<std::uint64_t> count() const {
    return by_level_ ? by_level_->by_length(limits_) : count_itemsets(transactions_, limits_);
  }
  void list(ItemsetSink& sink) const {
    if (by_level_) return by_level_->hand_over(limits_, sink);
    list_itemsets(transactions_, limits_, sink);
  }
  const TransactionSet& transactions() const noexcept { return transactions_; }

 private:
  const TransactionSet& transactions_;
  ItemsetLimits limits_;
  std::optional<ItemsetLevels> by_level_;  // of apriori
};

// What was written, in words.

std::string write_counts(const ItemsetSearch& search, const WriteText& write) {
  const std::vector<std::uint64_t> counts = search.count();
  write(count_table(counts));
  return counted(sum_of(counts), "set");
}

std::string write_sets(const ItemsetSearch& search, const WriteText& write) {
  io::ItemsetWriter writer(search.transactions().names(), write);
  search.list(writer);
  return counted(writer.finish(), "set");
}

/// The sets, which are first counted, as that takes little time and no memory.
ItemsetTree kept_sets(const ItemsetSearch& search, const Report& report) {
  const std::uint64_t sets = sum_of(search.count());
  if (sets > ItemsetTree::most_sets) {
    throw UsageError("rules would be made of " + counted(sets, "set") + ", at most " +
                     std::to_string(ItemsetTree::most_sets) +
                     ": take a greater support, or --max-length");
  }
  report(Severity::info,
         "making rules of " + counted(sets, "set") + ", which are held in memory, 12 bytes each");
  ItemsetTree kept(search.transactions().item_count(), sets);
  search.list(kept);
  return kept;
}

std::string write_rules(const ItemsetSearch& search, const ItemsetsSettings& settings,
                        const WriteText& write, const Report& report) {
  const TransactionSet& transactions = search.transactions();
  const ItemsetTree sets = kept_sets(search, report);
  io::ItemsetRuleWriter writer(transactions.names(), settings.measures, write);
  const auto write_rule = [&](const ItemsetRule& rule) { writer.write(rule); };
  if (!settings.sort) {
    for_each_rule(sets, transactions.size(), settings.rules, write_rule);
    return counted(writer.finish(), "rule");
  }
  BestItemsetRules best(*settings.sort, settings.top);
  std::uint64_t all = 0;
  for_each_rule(sets, transactions.size(), settings.rules, [&](const ItemsetRule& rule) {
    best.take(rule);
    ++all;
  });
  best.hand_over(write_rule);
  const std::uint64_t written = writer.finish();
  return (written < all ? "the best " + std::to_string(written) + " of " : "") +
         counted(all, "rule");
}

ExitStatus find_itemsets(const ItemsetsOptions& options, const Context& context) {
  ItemsetsSettings settings = settings_from(options);
  std::optional<io::AtomicFile> file;
  if (settings.to_file) {
    refuse_existing(options.output, options.force);
    io::refuse_to_overwrite(options.data, options.output);
    file.emplace(options.output);
  }
  const auto write = [&](std::string_view text) {
    if (file) {
      file->append(std::as_bytes(std::span(text)));
    } else if (!write_stdout_exactly(text)) {
      throw ReaderGone();
    }
  };
  const TransactionSet transactions =
      read_transactions(options.data, settings.form, context.report);
  ItemsetLimits& limits = settings.limits;
  if (settings.min_support) {
    limits.min_count = settings.min_support->minimum_count(transactions.size());
  }
  const ItemsetSearch search(transactions, settings, context.report);
  std::string found;
  try {
    if (options.count_only) {
      found = write_counts(search, write);
    } else if (options.rules) {
      found = write_rules(search, settings, write, context.report);
    } else {
      found = write_sets(search, write);
    }
  } catch (const ReaderGone&) {
    return ExitStatus::done;
  }
  if (file) file->commit();
  context.report(Severity::info, fmt::format("{} in at least {} of {}", found, limits.min_count,
                                             counted(transactions.size(), "transaction")));
  return ExitStatus::done;
}

}  // namespace

Command add_itemsets(CLI::App& program) {
  auto options = std::make_shared<ItemsetsOptions>();
  CLI::App* command =
      program.add_subcommand("itemsets", "Find all sets of items that are frequent together");
  command
      ->add_option("DATA", options->data,
                   "Transactions (- is standard input), a line each: numbers of items, or names "
                   "with a delimiter; or a table, with --format table")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output", options->output,
                   "File to write; - is standard output, the default of --count-only")
      ->type_name("OUT");
  add_text(*command, "--min-support", options->min_support, "X",
           "least share of the transactions that a set is in: 0.01, 1% or 500rows");
  add_text(*command, "--min-count", options->min_count, "N", "or so many transactions");
  add_text(*command, "--min-length", options->min_length, "N", "items in a set, at least");
  add_text(*command, "--max-length", options->max_length, "N", "items in a set, at most");
  add_text(*command, "--format", options->format, "F",
           "auto, fimi (numbers of items, .dat), baskets (names) or table (attribute = label)");
  add_text(*command, "--delimiter", options->delimiter, "C",
           "of baskets: what is between names, one character, tab or blank");
  command->add_flag("--rules", options->rules,
                    "write rules as CSV instead of the sets: IF some items THEN another");
  add_text(*command, "--min-confidence", options->min_confidence, "X",
           "of --rules: least confidence, 0.9 or 90%");
  add_text(*command, "--max-consequent", options->max_consequent, "N",
           "of --rules: items that a rule concludes, at most; without it 1");
  add_text(*command, "--measures", options->measures, "M,...",
           "of --rules: measures to write, or all");
  add_text(*command, "--sort", options->sort, "M", "of --rules: the greatest of a measure first");
  add_text(*command, "--top", options->top, "N", "of --rules: only so many, by --sort");
  command->add_flag("--count-only", options->count_only,
                    "a table of the number of sets by length instead of the sets");
  add_level_options(*command, options->levels);
  command->add_flag("--force", options->force, "replace an existing file");
  command->footer(
      "Each line of OUT is a set: its items from the rarest to the most frequent, and\n"
      "in parentheses the number of transactions that have all of them. .xz and .gz\n"
      "are read as they are. Counting is much faster than listing.");
  return {command, [options](const Context& context) { return find_itemsets(*options, context); }};
}

}  // namespace atl
