#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "io/atomic_file.hpp"
#include "io/schema.hpp"
#include "src/app/commands.hpp"
#include "src/app/generate/planted.hpp"
#include "src/app/generate/poker.hpp"
#include "src/app/generate/truth.hpp"
#include "src/app/generate/write_table.hpp"

namespace atl {
namespace {

struct PokerOptions {
  std::string output;
  std::uint64_t rows = 1'025'010;
  std::uint64_t seed = 1;
};

struct PlantedCommandOptions {
  std::string output;
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

ExitStatus generate_planted(const PlantedCommandOptions& options) {
  check_table_name(options.output);
  const PlantedSource source(options.planted);
  TruthCounter counter(source);
  std::string truth_path = options.truth;
  if (truth_path.empty()) {
    truth_path = (std::filesystem::path(options.output).parent_path() / "truth.json").string();
  }
  SideFile truth(truth_path);
  std::optional<SideFile> schema;
  if (!options.schema.empty()) schema.emplace(options.schema);
  write_table(source, options.rows, options.output, [&](auto codes) { counter.add(codes); });
  truth.finish(counter.json(options.planted));
  if (schema) schema->finish(io::to_toml(schema_of(source)));
  return ExitStatus::done;
}

}  // namespace

Command add_generate(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "generate", "Write a table whose contents are known (docs/generate.md)");
  command->require_subcommand(1);
  const std::string output_help = "Table to write, .csv or .h5";
  const std::string seed_help = "Seed of all draws";

  CLI::App* poker = command->add_subcommand("poker", "Poker hands and their class");
  auto hands = std::make_shared<PokerOptions>();
  poker->add_option("-o,--output", hands->output, output_help)->required();
  poker->add_option("--rows", hands->rows, "Rows to write")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  poker->add_option("--seed", hands->seed, seed_help)->capture_default_str();

  CLI::App* planted =
      command->add_subcommand("planted", "Correlated attributes with rules planted in them");
  auto table = std::make_shared<PlantedCommandOptions>();
  planted->add_option("-o,--output", table->output, output_help)->required();
  planted->add_option("--rows", table->rows, "Rows to write")
      ->required()
      ->check(CLI::PositiveNumber);
  planted->add_option("--seed", table->planted.seed, seed_help)->capture_default_str();
  planted
      ->add_option("--attributes", table->planted.attributes, "Attributes; 10 or more with rules")
      ->capture_default_str()
      ->check(CLI::Range(2U, 10'000U));
  planted->add_option("--rules", table->planted.rules, "Rules; 0: attributes are independent")
      ->capture_default_str()
      ->check(CLI::Range(0U, 1'000U));
  planted
      ->add_option("--missing", table->planted.missing,
                   "Share of missing values in every fourth attribute")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 0.9));
  planted->add_option("--truth", table->truth,
                      "The rules that are in the table; default truth.json beside it");
  planted->add_option("--schema", table->schema,
                      "Also write the schema for `atoll import` of the CSV");

  return {command, [=](const Context&) {
            if (planted->parsed()) return generate_planted(*table);
            write_table(PokerSource(hands->seed), hands->rows, hands->output, [](auto) {});
            return ExitStatus::done;
          }};
}

}  // namespace atl
