#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "io/tables/columns/schema.hpp"
#include "src/app/commands.hpp"
#include "src/app/generate_baskets.hpp"
#include "src/app/generate_options.hpp"
#include "src/app/job_options.hpp"
#include "src/app/output_options.hpp"
#include "src/config/option_values.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/generate/planted.hpp"
#include "src/generate/poker.hpp"
#include "src/generate/truth.hpp"
#include "src/generate/write_table.hpp"
#include "src/work/task_folder.hpp"

namespace atl {
namespace {

struct PokerOptions {
  OutputOptions common = {.output = {}, .rows = 1'025'010};
  std::uint64_t seed = 1;
};

struct PlantedCommandOptions {
  OutputOptions common;
  PlantedOptions planted;
  std::string truth;   ///< next to the output if empty
  std::string schema;  ///< not written if empty
};

bool is_text(const OutputOptions& options) {
  return !options.to_file() || options.output.ends_with(".csv");
}

/// What is wrong with the output. Collective. @throws UsageError
void expect_output(const CLI::App& command, const OutputOptions& options, const Context& context) {
  if (options.to_file()) check_table_name(options.output);
  if (!is_text(options)) {
    refuse_job_options(command, "a dataset file is written in one go; text is what can go on");
  }
  on_root(context.communicator, [&] {
    if (options.to_file()) refuse_existing(options.output, options.force);
  });
}

/// Makes a dataset file in one go, which no other command makes meanwhile.
void write_alone(const OutputOptions& options, const RowSource& source, const RowVisitor& visit,
                 const Makers& crew, const Context& context) {
  std::optional<TaskFolder> held;  // of rank 0
  on_root(context.communicator, [&] {
    const io::AtomicFile probe(options.output);  // a place that cannot be written is found out now
    held.emplace(probe.path(), context.report);
    held->expect_nothing_kept("generate", options.force);
  });
  write_dataset(source, options.rows, options.output, visit, crew);
}

ExitStatus generate_poker(const CLI::App& command, const PokerOptions& options,
                          const Context& context) {
  expect_output(command, options.common, context);
  const PokerSource source(options.seed);
  if (is_text(options.common)) {
    return write_as_task(command, options.common, table_lines(source), {}, context);
  }
  write_alone(options.common, source, {}, makers(options.common, context), context);
  return ExitStatus::done;
}

/// Files that are written beside a table with planted rules.
struct PlantedFiles {
  /// @throws UsageError if one of them or the table is there already, or two are the same
  explicit PlantedFiles(const PlantedCommandOptions& options) {
    std::string beside = options.truth;
    const bool to_file = options.common.to_file();
    if (beside.empty() && to_file) {
      beside =
          std::filesystem::path(options.common.output).replace_extension(".truth.json").string();
    }
    if (beside == standard_output || options.schema == standard_output) {
      throw UsageError("--truth and --schema are files: only the table may go to standard output");
    }
    const std::string table = to_file ? options.common.output : "";
    for (const std::string& file : {table, beside, options.schema}) {
      if (!file.empty()) refuse_existing(file, options.common.force);
    }
    expect_different({table, beside, options.schema});
    if (!beside.empty()) truth.emplace(beside);
    if (!options.schema.empty()) schema.emplace(options.schema);
  }
  static void finish(std::optional<io::AtomicFile>& file, const std::string& text) {
    if (!file) return;
    file->append(std::as_bytes(std::span(text)));
    file->commit();
  }

  std::optional<io::AtomicFile> truth, schema;  // a folder that cannot be written is found out now
};

ExitStatus generate_planted(const CLI::App& command, const PlantedCommandOptions& options,
                            const Context& context) {
  Communicator& communicator = context.communicator;
  expect_output(command, options.common, context);
  const PlantedSource source(options.planted);
  std::optional<PlantedFiles> files;  // of rank 0
  on_root(communicator, [&] { files.emplace(options); });
  TruthCounters counters(source);
  const RowVisitor visit = [&](auto codes, unsigned worker) { counters.add(codes, worker); };
  const auto finish = [&](const std::vector<std::uint64_t>& counts) {
    TruthCounter counted(source);
    std::ranges::copy(counts, counted.counts().begin());
    PlantedFiles::finish(files->truth, counted.json(options.planted));
    PlantedFiles::finish(files->schema, io::to_toml(schema_of(source)));
  };
  if (is_text(options.common)) {
    LineCounts counts{counters.size(), [&](unsigned threads) { counters.begin(threads); },
                      [&] { return counters.take(); }};
    return write_as_task(command, options.common, table_lines(source, visit), std::move(counts),
                         context, finish);
  }
  const Makers crew = makers(options.common, context);
  counters.begin(crew.threads);
  write_alone(options.common, source, visit, crew, context);
  std::vector<std::uint64_t> counts = counters.take();
  communicator.all_reduce_sum(counts);
  on_root(communicator, [&] { finish(counts); });
  return ExitStatus::done;
}

}  // namespace

Command add_generate(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "generate",
      "Write a table or transactions whose contents are known, on one rank or many "
      "(docs/reference/generate.md)");
  command->require_subcommand(1);

  CLI::App* poker = command->add_subcommand("poker", "Poker hands and their class");
  auto hands = std::make_shared<PokerOptions>();
  add_output(*poker, hands->common, "Table", ".csv, or .h5, which starts again after a stop");
  add_seed(*poker, hands->seed);

  CLI::App* planted =
      command->add_subcommand("planted", "Correlated attributes with rules planted in them");
  auto table = std::make_shared<PlantedCommandOptions>();
  add_output(*planted, table->common, "Table", ".csv, or .h5, which starts again after a stop");
  add_seed(*planted, table->planted.seed);
  add_number(*planted, "--attributes", table->planted.attributes, 2U, 10'000U,
             "Attributes; 10 or more with rules")
      ->default_str(std::to_string(table->planted.attributes));
  add_number(*planted, "--rules", table->planted.rules, 0U, 1'000U,
             "Rules; 0: attributes are independent")
      ->default_str(std::to_string(table->planted.rules));
  add_real(*planted, "--missing", table->planted.missing, 0, 0.9,
           "Share of missing values in every fourth attribute");
  planted->add_option("--truth", table->truth,
                      "The rules that are in the table; default NAME.truth.json beside NAME.csv or "
                      "NAME.h5, and none with -o -");
  planted->add_option("--schema", table->schema,
                      "Also write the schema for `atoll import` of the CSV");

  const Command quest = add_quest(*command);
  const Command baskets = add_random_baskets(*command);
  return {command,
          [=](const Context& context) {
            if (planted->parsed()) return generate_planted(*planted, *table, context);
            if (quest.options->parsed()) return quest.run(context);
            if (baskets.options->parsed()) return baskets.run(context);
            return generate_poker(*poker, *hands, context);
          },
          true};
}

}  // namespace atl
