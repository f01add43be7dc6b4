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
#include "src/app/option_values.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/generate/planted.hpp"
#include "src/generate/poker.hpp"
#include "src/generate/truth.hpp"
#include "src/generate/write_table.hpp"

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

/// Opens a text file that is to appear together with the table, so that a folder that cannot be
/// written is found out at once.
class SideFile {
 public:
  explicit SideFile(const std::string& path) : file_(path) {}
  void finish(const std::string& text) {
    file_.append(std::as_bytes(std::span(text)));
    file_.commit();
  }

 private:
  io::AtomicFile file_;
};

io::Schema schema_of(const RowSource& source) {
  io::Schema schema;
  for (const Attribute& attribute : source.attributes()) {
    io::Column column;
    column.name = attribute.name;
    column.kind = attribute.kind;
    column.missing = {""};
    if (attribute.kind == AttributeKind::ordinal) column.order = attribute.labels;
    column.reason = "as generated";
    schema.columns.push_back(std::move(column));
  }
  return schema;
}

ExitStatus generate_poker(const PokerOptions& options, const Context& context) {
  const OutputPlace place(options.common.output, ".csv", context.communicator);
  check_table_name(place.path());
  on_root(context.communicator, [&] { refuse_existing(place.path(), options.common.force); });
  write_table(
      PokerSource(options.seed), options.common.rows, place.path(), [](auto, unsigned) {},
      makers(options.common, context));
  place.finish(context.communicator);
  return ExitStatus::done;
}

/// What is written beside a table with planted rules.
struct PlantedFiles {
  /// @throws UsageError if one of them or the table is there already, or two are the same
  explicit PlantedFiles(const PlantedCommandOptions& options) {
    std::string beside = options.truth;
    const bool to_file = options.common.output != standard_output;
    if (beside.empty() && to_file) {
      beside =
          std::filesystem::path(options.common.output).replace_extension(".truth.json").string();
    }
    const std::string table = to_file ? options.common.output : "";
    for (const std::string& file : {table, beside, options.schema}) {
      if (!file.empty()) refuse_existing(file, options.common.force);
    }
    expect_different({table, beside, options.schema});
    if (!beside.empty()) truth.emplace(beside);
    if (!options.schema.empty()) schema.emplace(options.schema);
  }

  std::optional<SideFile> truth, schema;
};

/// What all threads of all ranks have counted, on every rank. Collective.
TruthCounter sum_of(std::vector<TruthCounter> counters, Communicator& communicator) {
  TruthCounter sum = std::move(counters.front());
  for (std::size_t other = 1; other < counters.size(); ++other) {
    const auto counts = counters[other].counts();
    for (std::size_t i = 0; i < counts.size(); ++i) sum.counts()[i] += counts[i];
  }
  communicator.all_reduce_sum(sum.counts());
  return sum;
}

ExitStatus generate_planted(const PlantedCommandOptions& options, const Context& context) {
  Communicator& communicator = context.communicator;
  const OutputPlace place(options.common.output, ".csv", communicator);
  check_table_name(place.path());
  const PlantedSource source(options.planted);
  std::optional<PlantedFiles> files;  // of rank 0
  on_root(communicator, [&] { files.emplace(options); });
  const Makers crew = makers(options.common, context);
  std::vector<TruthCounter> counters(crew.threads, TruthCounter(source));
  write_table(
      source, options.common.rows, place.path(),
      [&](auto codes, unsigned worker) { counters[worker].add(codes); }, crew);
  const TruthCounter counted = sum_of(std::move(counters), communicator);
  on_root(communicator, [&] {
    if (files->truth) files->truth->finish(counted.json(options.planted));
    if (files->schema) files->schema->finish(io::to_toml(schema_of(source)));
  });
  place.finish(communicator);
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
  add_output(*poker, hands->common, "Table", ".csv or .h5");
  add_seed(*poker, hands->seed);

  CLI::App* planted =
      command->add_subcommand("planted", "Correlated attributes with rules planted in them");
  auto table = std::make_shared<PlantedCommandOptions>();
  add_output(*planted, table->common, "Table", ".csv or .h5");
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
            if (planted->parsed()) return generate_planted(*table, context);
            if (quest.options->parsed()) return quest.run(context);
            if (baskets.options->parsed()) return baskets.run(context);
            return generate_poker(*hands, context);
          },
          true};
}

}  // namespace atl
