#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "io/atomic_file.hpp"
#include "io/tables/schema.hpp"
#include "src/app/commands.hpp"
#include "src/app/option_values.hpp"
#include "src/core/error.hpp"
#include "src/generate/planted.hpp"
#include "src/generate/poker.hpp"
#include "src/generate/truth.hpp"
#include "src/generate/write_table.hpp"

namespace atl {
namespace {

struct PokerOptions {
  std::string output;
  bool force = false;
  std::uint64_t rows = 1'025'010;
  std::uint64_t seed = 1;
};

struct PlantedCommandOptions {
  std::string output;
  bool force = false;
  std::uint64_t rows = 0;
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

ExitStatus generate_poker(const PokerOptions& options) {
  refuse_existing(options.output, options.force);
  write_table(PokerSource(options.seed), options.rows, options.output, [](auto) {});
  return ExitStatus::done;
}

/// @param files  that are to be written; empty names are none
void expect_different(const std::vector<std::string>& files) {
  std::set<std::filesystem::path> seen;
  for (const std::string& file : files) {
    std::error_code ignored;
    if (file.empty() || seen.insert(std::filesystem::weakly_canonical(file, ignored)).second)
      continue;
    throw UsageError(printable(file, 200) +
                     " is to be written twice: give the files different names");
  }
}

ExitStatus generate_planted(const PlantedCommandOptions& options) {
  check_table_name(options.output);
  const PlantedSource source(options.planted);
  TruthCounter counter(source);
  std::string truth_path = options.truth;
  if (truth_path.empty()) {
    truth_path = std::filesystem::path(options.output).replace_extension(".truth.json").string();
  }
  for (const std::string& file : {options.output, truth_path, options.schema}) {
    if (!file.empty()) refuse_existing(file, options.force);
  }
  expect_different({options.output, truth_path, options.schema});
  SideFile truth(truth_path);
  std::optional<SideFile> schema;
  if (!options.schema.empty()) schema.emplace(options.schema);
  write_table(source, options.rows, options.output, [&](auto codes) { counter.add(codes); });
  truth.finish(counter.json(options.planted));
  if (schema) schema->finish(io::to_toml(schema_of(source)));
  return ExitStatus::done;
}

constexpr std::uint64_t most_rows = std::uint64_t{1} << 40;

template <typename Number>
CLI::Option* add_number(CLI::App& command, const std::string& name, Number& value, Number lowest,
                        Number highest, const std::string& help) {
  const auto take = [name, &value, lowest, highest](const std::string& text) {
    value = static_cast<Number>(whole_number_option(name, text, lowest, highest));
  };
  return command.add_option_function<std::string>(name, take, help)->type_name("UINT");
}

CLI::Option* add_rows(CLI::App& command, std::uint64_t& rows) {
  return add_number<std::uint64_t>(command, "--rows", rows, 1, most_rows, "Rows to write");
}

void add_seed(CLI::App& command, std::uint64_t& seed) {
  add_number<std::uint64_t>(command, "--seed", seed, 0, std::numeric_limits<std::uint64_t>::max(),
                            "Seed of all draws")
      ->default_str(std::to_string(seed));
}

}  // namespace

Command add_generate(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "generate", "Write a table whose contents are known (docs/reference/generate.md)");
  command->require_subcommand(1);
  const std::string output_help = "Table to write, .csv or .h5";
  const std::string force_help = "Replace files that are there";

  CLI::App* poker = command->add_subcommand("poker", "Poker hands and their class");
  auto hands = std::make_shared<PokerOptions>();
  poker->add_option("-o,--output", hands->output, output_help)->required();
  poker->add_flag("--force", hands->force, force_help);
  add_rows(*poker, hands->rows)->default_str(std::to_string(hands->rows));
  add_seed(*poker, hands->seed);

  CLI::App* planted =
      command->add_subcommand("planted", "Correlated attributes with rules planted in them");
  auto table = std::make_shared<PlantedCommandOptions>();
  planted->add_option("-o,--output", table->output, output_help)->required();
  planted->add_flag("--force", table->force, force_help);
  add_rows(*planted, table->rows)->required();
  add_seed(*planted, table->planted.seed);
  add_number(*planted, "--attributes", table->planted.attributes, 2U, 10'000U,
             "Attributes; 10 or more with rules")
      ->default_str(std::to_string(table->planted.attributes));
  add_number(*planted, "--rules", table->planted.rules, 0U, 1'000U,
             "Rules; 0: attributes are independent")
      ->default_str(std::to_string(table->planted.rules));
  planted
      ->add_option("--missing", table->planted.missing,
                   "Share of missing values in every fourth attribute")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.9));
  planted->add_option("--truth", table->truth,
                      "The rules that are in the table; default NAME.truth.json beside NAME.csv or "
                      "NAME.h5");
  planted->add_option("--schema", table->schema,
                      "Also write the schema for `atoll import` of the CSV");

  return {command, [=](const Context&) {
            return planted->parsed() ? generate_planted(*table) : generate_poker(*hands);
          }};
}

}  // namespace atl
