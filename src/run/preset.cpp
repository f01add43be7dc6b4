#include "src/run/preset.hpp"

#include <filesystem>

#include "io/run/run_folder.hpp"
#include "islands/algorithms.hpp"
#include "src/core/error.hpp"
#include "src/grammar/grammar.hpp"
#include "src/measures/measures.hpp"

namespace atl {

bool is_builtin_grammar(const std::string& name) {
  return name == "association" || name == "association-full";
}

std::string read_named_file(const std::string& name, const std::string& otherwise) {
  std::error_code error;
  if (std::filesystem::status(name, error).type() == std::filesystem::file_type::not_found)
    throw MissingInput(name, "no such file, nor " + otherwise);
  return io::read_file(name);
}

namespace {

HoldoutChoice with_rows_of(const std::string& file) {
  const std::string text =
      read_named_file(file, "a share such as 0.3 or a condition such as 'split = test'");
  HoldoutChoice holdout;
  holdout.rows = parse_row_numbers(text, file);
  constexpr std::size_t most = std::size_t{1} << 25;  // config.toml has them, too
  if (holdout.text().size() > most) {
    throw BadData(file,
                  "more runs of rows than config.toml can hold; let an attribute of the data "
                  "say which are held out, as --holdout 'split = test'");
  }
  return holdout;
}

}  // namespace

HoldoutChoice holdout_from(const std::string& text) {
  HoldoutChoice choice = HoldoutChoice::parse(text);
  return choice.file.empty() ? choice : with_rows_of(choice.file);
}

std::vector<std::string> default_measure_names(bool of_means) {
  std::vector<std::string> names;
  for (const Measure measure : default_measures(of_means)) names.emplace_back(info(measure).name);
  return names;
}

Experiment preset_from(const std::string& name, AlgorithmTable algorithms, const Report& report) {
  Experiment experiment;
  if (const auto* const algorithm = algorithm_called(algorithms, name)) {
    if (algorithm->name != name && report) {
      report(Severity::warning, "--preset " + name + " is called " + std::string(algorithm->name) +
                                    " now; the former name goes with the next version");
    }
    experiment = Experiment::defaults(*algorithm);
  } else if (const auto* const other = algorithm_called(atl::algorithms(), name)) {
    const SearchKind& kind = *other->traits.kind;
    throw UsageError("--preset " + name + " " + std::string(kind.does) + ": " +
                     std::string(kind.begin_command));
  } else {
    const std::string text =
        read_named_file(name, "a built-in preset (" + algorithm_names(algorithms) + ")");
    experiment = parse_preset(text, name, algorithms, report);
    HoldoutChoice& holdout = experiment.holdout;
    const auto folder = std::filesystem::path(name).parent_path();
    if (!holdout.file.empty()) holdout = with_rows_of((folder / holdout.file).string());
  }
  if (!experiment.kind().single_rules) return experiment;
  std::string& grammar = experiment.grammar;
  if (grammar.empty()) grammar = default_grammar;
  if (is_builtin_grammar(grammar)) grammar = Grammar::builtin(grammar);
  for (IslandSettings& settings : experiment.island_settings) {
    auto& its = settings.grammar;
    if (its && is_builtin_grammar(*its)) its = Grammar::builtin(*its);
  }
  if (experiment.measures.empty()) experiment.measures = default_measure_names(false);
  return experiment;
}

}  // namespace atl
