#include "src/app/generate_baskets.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "src/app/generate_options.hpp"
#include "src/app/output_options.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/text/number.hpp"
#include "src/generate/probabilities.hpp"
#include "src/generate/quest.hpp"
#include "src/generate/random_baskets.hpp"
#include "src/generate/write_baskets.hpp"

namespace atl {
namespace {

/// Options that both kinds take.
struct BasketOptions {
  OutputOptions common;
  std::string probabilities;       ///< their model; empty: none
  std::string probabilities_file;  ///< beside the output if empty
};

void add_options(CLI::App& command, BasketOptions& options, std::uint64_t& seed) {
  add_output(command, options.common, "Transactions", ".dat (FIMI)");
  command
      .add_option("--probabilities", options.probabilities,
                  "Also write the probability of each transaction: uniform, or "
                  "normal:MEAN,VARIANCE; what lies outside (0, 1] is drawn again")
      ->type_name("MODEL");
  command.add_option("--probabilities-file", options.probabilities_file,
                     "Where to; default NAME.probabilities.txt beside NAME.dat");
  add_seed(command, seed);
}

/// A slice of transactions is made in memory. @throws UsageError
void expect_short(double mean_items) {
  constexpr double most = 10'000;
  if (mean_items <= most) return;
  throw UsageError("--items times --probability is " + plain_number(mean_items) +
                   " items a transaction; at most " + plain_number(most));
}

/// They are held in memory. @throws UsageError
void expect_few(const QuestOptions& quest) {
  constexpr double most = 20e6;
  const double items = quest.patterns * quest.pattern_length;
  if (items <= most) return;
  throw UsageError("--patterns times --pattern-length is " + plain_number(items) +
                   " items; at most " + plain_number(most));
}

ExitStatus generate_baskets(const CLI::App& command, const BasketSource& source,
                            const BasketOptions& options, std::uint64_t seed,
                            const Context& context) {
  const OutputOptions& common = options.common;
  if (common.to_file()) check_basket_name(common.output);
  const std::string default_place =
      std::filesystem::path(common.output).replace_extension(".probabilities.txt").string();
  std::optional<ProbabilityModel> model;
  std::string beside;
  if (!options.probabilities.empty()) {
    model = parse_probability_model(options.probabilities);
    if (options.probabilities_file.empty() && !common.to_file()) {
      throw UsageError("--probabilities with -o - needs --probabilities-file");
    }
    beside = options.probabilities_file.empty() ? default_place : options.probabilities_file;
  } else if (!options.probabilities_file.empty()) {
    throw UsageError("--probabilities-file needs --probabilities, which says how they are drawn");
  }
  on_root(context.communicator, [&] {
    if (common.to_file()) refuse_existing(common.output, common.force);
    if (model) {
      refuse_existing(beside, common.force);
      expect_different({common.output, beside});
      const io::AtomicFile probe(beside);  // it would be a pity to fail after the work
    } else if (common.to_file() && std::filesystem::exists(default_place)) {
      context.report(Severity::warning, default_place + " is of other transactions");
    }
  });
  const ExitStatus status = write_as_task(command, common, basket_lines(source), {}, context);
  if (model && status == ExitStatus::done) {
    write_probabilities(*model, seed, common.rows, beside, makers(common, context));
  }
  return status;
}

}  // namespace

Command add_quest(CLI::App& generate) {
  CLI::App* command = generate.add_subcommand(
      "quest", "Transactions made of patterns, as IBM's generator does (T, I, D, N, L)");
  const auto baskets = std::make_shared<BasketOptions>();
  const auto quest = std::make_shared<QuestOptions>();
  add_options(*command, *baskets, quest->seed);
  add_real(*command, "--length", quest->length, 1, 500, "T: mean items of a transaction, 1 to 500");
  add_real(*command, "--pattern-length", quest->pattern_length, 1, 500,
           "I: mean items of a pattern, 1 to 500");
  add_number(*command, "--items", quest->items, 1U, 1U << 24,
             "N: different items, at most 16777216")
      ->default_str(std::to_string(quest->items));
  add_number(*command, "--patterns", quest->patterns, 1U, 1'000'000U,
             "L: patterns, at most 1000000")
      ->default_str(std::to_string(quest->patterns));
  add_real(*command, "--correlation", quest->correlation, 0, 1,
           "Mean share of a pattern's items that the pattern before it has, too");
  add_real(*command, "--corruption", quest->corruption, 0, 1,
           "Mean corruption level: an item of a pattern is dropped, and then another, with this "
           "probability");
  return {command,
          [=](const Context& context) {
            expect_few(*quest);
            return generate_baskets(*command, QuestSource(*quest), *baskets, quest->seed, context);
          },
          true};
}

Command add_random_baskets(CLI::App& generate) {
  CLI::App* command = generate.add_subcommand(
      "random-baskets", "Transactions that have each item with the same probability");
  const auto baskets = std::make_shared<BasketOptions>();
  const auto random = std::make_shared<RandomBasketsOptions>();
  add_options(*command, *baskets, random->seed);
  add_number(*command, "--items", random->items, 1U, 1U << 24, "Different items, at most 16777216")
      ->default_str(std::to_string(random->items));
  add_real(*command, "--probability", random->probability, 1e-9, 1,
           "That a transaction has an item");
  return {command,
          [=](const Context& context) {
            expect_short(random->items * random->probability);
            return generate_baskets(*command, RandomBasketsSource(*random), *baskets, random->seed,
                                    context);
          },
          true};
}

}  // namespace atl
