#include "src/exhaustive/itemsets.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
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
#include "src/app/itemset_counts.hpp"
#include "src/app/itemset_levels.hpp"
#include "src/app/option_values.hpp"
#include "src/config/experiment.hpp"
#include "src/core/memory_limit.hpp"
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
constexpr const char* fewer_sets = "a greater support, a smaller --max-length or ";

/// Ends a search whose sets nobody reads.
struct ReaderGone {};

struct ItemsetsOptions {
  std::string data, output;
  std::string min_support, min_count;
  std::string min_length = "1";
  std::string max_length;
  std::string min_confidence, max_consequent, measures, sort, top;
  std::string format = "auto", delimiter;
  std::string backend = "auto", threads = "0", device_memory = "0";
  std::string memory_limit, algorithm;
  bool closed = false;
  bool maximal = false;
  bool header = false, no_header = false;
  bool count_only = false;
  bool rules = false;
  bool force = false;
};

/// Numbers of options, checked before any file is read.
struct ItemsetsSettings {
  std::optional<SupportThreshold> min_support;
  bool by_level = false;  ///< apriori, not the default search
  TransactionForm form;
  ItemsetLimits limits;
  ItemsetRuleLimits rules;
  std::vector<Measure> measures;
  std::optional<Measure> sort;
  std::size_t top = std::numeric_limits<std::size_t>::max();
  bool to_file = false;
  ItemsetMachine machine;
  std::uint64_t memory_limit = 0;  ///< bytes
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
  if (options.closed || options.maximal) {
    throw UsageError("--rules needs all frequent sets, with " +
                     std::string(options.closed ? "--closed" : "--maximal") + " there are fewer");
  }
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

/// In bytes. Without the option some is left to others.
std::uint64_t memory_limit_of(const std::string& text) {
  if (text.empty()) return memory_left() / 10 * 9;
  const std::uint64_t limit = bytes_option("--memory-limit", text);
  constexpr std::uint64_t least = std::uint64_t{16} << 20;
  if (limit < least) throw UsageError("--memory-limit: expected 16M or more");
  return limit;
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
  if (options.closed && options.maximal) throw UsageError("give either --closed or --maximal");
  if (options.closed) settings.limits.family = ItemsetFamily::closed;
  if (options.maximal) settings.limits.family = ItemsetFamily::maximal;
  if (options.output.empty() && !options.count_only) {
    throw UsageError("-o is missing: a file to write, or - for standard output");
  }
  settings.form = transaction_form(
      options.format, options.delimiter,
      options.header || options.no_header ? std::optional(options.header) : std::nullopt);
  take_rules(options, settings);
  settings.by_level = is_apriori(options.algorithm);
  if (settings.by_level && settings.limits.family != ItemsetFamily::all) {
    throw UsageError("--algorithm apriori knows no --closed and no --maximal");
  }
  ItemsetMachine& machine = settings.machine;
  machine.threads =
      static_cast<unsigned>(whole_number_option("--threads", options.threads, 0, max_threads));
  if (machine.threads == 0) machine.threads = available_cpus();
  machine.backend = options.backend;
  const bool is_reference = settings.by_level && machine.backend == "reference";
  if (machine.backend != "auto" && machine.backend != "cpu" && machine.backend != "cuda" &&
      !is_reference) {
    throw UsageError("--backend: '" + printable(machine.backend) + "', expected auto, cpu or cuda");
  }
  machine.device_memory = device_memory_option(options.device_memory);
  settings.memory_limit = memory_limit_of(options.memory_limit);
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

/// At most 2^64 - 1.
std::uint64_t sum_of(std::span<const std::uint64_t> counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t sets : counts) all = all + sets < all ? ~std::uint64_t{0} : all + sets;
  return all;
}

/// @param what  takes too much
[[noreturn]] void throw_too_much(const std::string& what, const std::string& instead,
                                 const MemoryLimit& memory) {
  throw UsageError(
      fmt::format("{} more than the memory limit of {} MiB: take {}a greater "
                  "--memory-limit",
                  what, memory.bytes() >> 20, instead));
}

/// What `work` returns. @throws UsageError if memory is refused to it
template <typename Work>
auto within(const MemoryLimit& memory, const std::string& what, const std::string& instead,
            const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // beyond all memory
  }
  throw_too_much(what, instead, memory);
}

/// Finds the sets of transactions by the algorithm that was asked for.
class ItemsetSearch {
 public:
  /// All must outlive it.
  ItemsetSearch(const TransactionSet& transactions, const ItemsetsSettings& settings,
                const MemoryLimit& memory, ThreadPool& pool, const Report& report)
      : transactions_(transactions), settings_(settings), pool_(pool), report_(report) {
    if (!settings.by_level) return;
    by_level_ = search_levels(transactions, settings.limits, settings.machine, memory.left(), pool,
                              report);
  }

  const TransactionSet& transactions() const noexcept { return transactions_; }
  std::vector<std::uint64_t> count() const {
    if (by_level_) return by_level_->by_length(settings_.limits);
    return count_itemsets_on(settings_.machine, transactions_, settings_.limits, pool_, report_);
  }
  void list(ItemsetSink& sink) const {
    if (by_level_) return by_level_->hand_over(settings_.limits, sink);
    list_itemsets(transactions_, settings_.limits, sink);
  }
  /// @return how many there are
  std::uint64_t write(const MakeItemsetText& make, const WriteText& write) const {
    if (!by_level_) return list_itemsets(transactions_, settings_.limits, make, write, pool_);
    const std::unique_ptr<ItemsetText> text = make(write);
    by_level_->hand_over(settings_.limits, *text);
    return text->finish();
  }

 private:
  const TransactionSet& transactions_;
  const ItemsetsSettings& settings_;
  ThreadPool& pool_;
  const Report& report_;
  std::optional<ItemsetLevels> by_level_;  // of apriori
};

// What was written, in words.

std::string write_counts(const ItemsetSearch& search, const WriteText& write) {
  const std::vector<std::uint64_t> counts = search.count();
  write(count_table(counts));
  return counted(sum_of(counts), "set");
}

std::string write_sets(const ItemsetSearch& search, const WriteText& write) {
  const auto make = [&](WriteText part) {
    return std::make_unique<io::ItemsetWriter>(search.transactions().names(), std::move(part));
  };
  return counted(search.write(make, write), "set");
}

/// The sets, which are first counted, as that takes little time and no memory.
ItemsetTree kept_sets(const ItemsetSearch& search, const MemoryLimit& memory,
                      const Report& report) {
  const std::uint64_t sets = sum_of(search.count());
  if (sets > ItemsetTree::most_sets) {
    throw UsageError("rules would be made of " + counted(sets, "set") + ", at most " +
                     std::to_string(ItemsetTree::most_sets) +
                     ": take a greater support, or --max-length");
  }
  if (sets * ItemsetTree::set_bytes > memory.left()) {
    throw_too_much(counted(sets, "set") + " to make rules of take 12 bytes each,", fewer_sets,
                   memory);
  }
  report(Severity::info,
         "making rules of " + counted(sets, "set") + ", which are held in memory, 12 bytes each");
  ItemsetTree kept(search.transactions().item_count(), sets);
  search.list(kept);
  return kept;
}

std::string write_rules(const ItemsetSearch& search, const ItemsetsSettings& settings,
                        const WriteText& write, const MemoryLimit& memory, const Report& report) {
  const TransactionSet& transactions = search.transactions();
  const ItemsetTree sets = kept_sets(search, memory, report);
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
  const bool counts_all = options.count_only && !options.closed && !options.maximal;
  if (!counts_all && !settings.by_level) {
    if (settings.machine.backend == "cuda") {
      context.report(Severity::info,
                     "the cores search: a GPU does so for --count-only of all sets alone");
    }
    settings.machine.backend = "cpu";
  }
  ThreadPool pool(settings.machine.threads);
  const MemoryLimit memory(settings.memory_limit);
  const TransactionSet transactions = within(memory, options.data + " takes", {}, [&] {
    return read_transactions(options.data, settings.form, context.report);
  });
  ItemsetLimits& limits = settings.limits;
  if (settings.min_support) {
    limits.min_count = settings.min_support->minimum_count(transactions.size());
  }
  const auto find = [&] {
    return ItemsetSearch(transactions, settings, memory, pool, context.report);
  };
  std::string found;
  try {
    if (options.rules) {
      found = within(memory, "rules take", fewer_sets, [&] {
        return write_rules(find(), settings, write, memory, context.report);
      });
    } else {
      found = within(memory, "the search takes", "a greater support, fewer --threads or ", [&] {
        return options.count_only ? write_counts(find(), write) : write_sets(find(), write);
      });
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
                   "with a delimiter; or what --format says; or a file that atoll import made")
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
  command->add_flag("--closed", options->closed,
                    "only sets that each further item takes transactions from");
  command->add_flag("--maximal", options->maximal,
                    "only sets that no further item leaves frequent");
  add_text(*command, "--backend", options->backend, "B",
           "of --count-only or apriori: auto, cpu, cuda or, of apriori, reference; auto has a GPU "
           "search where that gains");
  add_text(*command, "--threads", options->threads, "N", "0: as many as the CPU affinity allows");
  add_text(*command, "--device-memory", options->device_memory, "SIZE",
           "of a GPU's memory, at most so much, such as 4GiB; 0: what is free");
  add_text(*command, "--memory-limit", options->memory_limit, "SIZE",
           "for transactions, search and sets of rules: 500M, 4G; without it 9/10 of what is free");
  add_text(*command, "--format", options->format, "F",
           "auto, fimi (numbers of items, .dat), baskets (names), long (a transaction and an item "
           "a line) or table (attribute = label)");
  add_text(*command, "--delimiter", options->delimiter, "C",
           "of baskets and long: what is between names, one character, tab or blank");
  CLI::Option* header =
      command->add_flag("--header", options->header, "of long: the first line is names [detected]");
  command->add_flag("--no-header", options->no_header, "of long: the first line is data")
      ->excludes(header);
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
  add_text(*command, "--algorithm", options->algorithm, "NAME",
           "apriori: level by level, with the same output; without it the fastest search, depth "
           "first");
  command->add_flag("--force", options->force, "replace an existing file");
  command->footer(
      "Each line of OUT is a set: its items from the rarest to the most frequent, and\n"
      "in parentheses the number of transactions that have all of them. .xz and .gz\n"
      "are read as they are. Counting is much faster than listing. Sets are closed or\n"
      "maximal among all frequent sets, whatever their lengths, and their items may\n"
      "stand in another order.");
  return {command, [options](const Context& context) { return find_itemsets(*options, context); }};
}

}  // namespace atl
