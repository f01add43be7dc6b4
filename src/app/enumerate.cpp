#include "src/exhaustive/rules/enumerate.hpp"

#include <optional>
#include <span>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/results/rule_file.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/option_values.hpp"
#include "src/app/text_options.hpp"
#include "src/config/experiment.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/input_file.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/rules/beam.hpp"
#include "src/exhaustive/rules/space.hpp"
#include "src/run/data/run_data.hpp"
#include "src/work/standard_streams.hpp"

namespace atl {

namespace {

struct EnumerateOptions {
  std::string data, output;
  std::string method = "exact";
  std::string evaluations;
  std::string top = "100";
  std::string max_length = "5";
  std::string min_support = "0.1%";
  std::string max_consequent = "0.9";
  std::string max_bins;
  bool force = false;
};

/// Numbers of options, checked before any file is read.
struct EnumerateSettings {
  std::uint64_t evaluations = 0;  ///< of beam search; 0: exact
  std::uint64_t top = 0;
  RuleLimits limits;
  SupportThreshold min_support;
  std::optional<std::uint32_t> max_bins;  ///< none: numbers are left out
  unsigned threads = 0;
};

EnumerateSettings settings_from(const CLI::App& command, const EnumerateOptions& options) {
  EnumerateSettings settings;
  const bool beam = options.method == "beam";
  if (beam == options.evaluations.empty()) {
    throw UsageError(beam ? "--method beam needs --evaluations"
                          : "--evaluations: the exact method counts what it has to");
  }
  if (beam) {
    settings.evaluations =
        whole_number_option("--evaluations", options.evaluations, 1, std::uint64_t{1} << 40);
  }
  settings.top = whole_number_option("--top", options.top, 1, 1'000'000);
  settings.limits.max_length = static_cast<std::uint32_t>(
      whole_number_option("--max-length", options.max_length, 2, most_comparisons));
  settings.min_support =
      option_value("--min-support", [&] { return SupportThreshold::parse(options.min_support); });
  settings.limits.max_consequent =
      option_value("--max-consequent", [&] { return parse_share(options.max_consequent); });
  if (!options.max_bins.empty()) {
    settings.max_bins = static_cast<std::uint32_t>(
        whole_number_option("--max-bins", options.max_bins, 0, most_items));
  }
  Machine machine;
  apply_counting_options(command, machine);
  settings.threads = machine.threads == 0 ? available_cpus() : machine.threads;
  return settings;
}

MinedRules search(const Items& items, const EnumerateSettings& settings) {
  if (settings.evaluations != 0) {
    return beam_search(items, settings.limits, settings.top, settings.evaluations);
  }
  ThreadPool pool(settings.threads);
  return enumerate_rules(items, settings.limits, settings.top, pool);
}

ExitStatus enumerate(const CLI::App& command, const EnumerateOptions& options,
                     const Context& context) {
  EnumerateSettings settings = settings_from(command, options);
  const TextForm form = text_form_from(command, TextKinds::tables, options.data);
  std::optional<io::AtomicFile> file;  // none: standard output
  if (options.output != standard_output) {
    refuse_existing(options.output, options.force);
    io::refuse_to_overwrite(options.data, options.output);
    file.emplace(options.output);
  }
  io::LoadOptions load;
  if (settings.max_bins) load.max_bins = *settings.max_bins;
  const Dataset dataset = read_data(options.data, load, context.report, {}, form);
  if (!settings.max_bins) {
    tell_left_out(dataset, context.report,
                  "--max-bins 8 takes intervals, " + nominal_hint(options.data));
  }
  const Items items(dataset, settings.max_bins ? OrderedItems::intervals : OrderedItems::labels);
  if (items.by_attribute().size() < 2) {
    throw BadData(options.data, settings.max_bins
                                    ? "fewer than two attributes; a rule needs two"
                                    : "fewer than two nominal attributes; a rule needs two");
  }
  settings.limits.min_count = settings.min_support.minimum_count(items.rows());

  MinedRules mined = search(items, settings);
  for (RuleRecord& record : mined.rules) {  // consequents are one comparison
    const std::uint32_t concluded = record.rule.consequent.comparisons()[0].attribute;
    record.missing_consequent = dataset.attributes()[concluded].missing;
  }
  const std::uint64_t space = space_size(items.by_attribute(), settings.limits.max_length);
  nlohmann::ordered_json result = {{"method", options.method},
                                   {"top", settings.top},
                                   {"max_length", settings.limits.max_length},
                                   {"min_count", settings.limits.min_count},
                                   {"max_consequent", settings.limits.max_consequent},
                                   {"max_bins", nullptr},
                                   {"fingerprint", to_hex(dataset.fingerprint())},
                                   {"space", space},
                                   {"evaluated", mined.counted},
                                   {"rules", nlohmann::ordered_json::parse(io::rules_json(
                                                 to_written(mined.rules, dataset.attributes())))}};
  if (settings.max_bins) result["max_bins"] = *settings.max_bins;
  const std::string text = result.dump(1) + '\n';
  if (file) {
    file->append(std::as_bytes(std::span(text)));
    file->commit();
  } else {
    write_stdout(text);
  }
  context.report(
      Severity::info,
      fmt::format("{} in {}; counted {} of the {} in the space, A => B and B => A as one{}",
                  counted(mined.rules.size(), "rule"), file ? options.output : "standard output",
                  mined.counted, space,
                  settings.evaluations == 0 && mined.counted < space
                      ? "; no other can be among them"
                      : ""));
  return ExitStatus::done;
}

}  // namespace

Command add_enumerate(CLI::App& program) {
  auto options = std::make_shared<EnumerateOptions>();
  CLI::App* command = program.add_subcommand(
      "enumerate", "Find exactly the best rules by leverage, to measure a search by");
  command
      ->add_option("DATA", options->data,
                   "Dataset file, or a text table (- is standard input), imported first")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options->output, "JSON file to write; - is standard output")
      ->required()
      ->type_name("OUT.json");
  add_text_options(*command, TextKinds::tables);
  add_text(*command, "--method", options->method, "NAME",
           "exact, or beam: level-wise beam search, to compare with")
      ->check(CLI::IsMember({"exact", "beam"}))
      ->option_text("exact|beam");
  add_text(*command, "--evaluations", options->evaluations, "N", "beam: rules to count at most");
  add_text(*command, "--top", options->top, "N",
           "rules by leverage; ties at the last place are all written");
  add_text(*command, "--max-length", options->max_length, "N",
           "comparisons in a rule, both sides together, 2 to 8");
  add_text(*command, "--min-support", options->min_support, "X",
           "least share of the rows that a rule holds on: 0.01, 1% or 500rows");
  add_text(*command, "--max-consequent", options->max_consequent, "X",
           "greatest share of the rows that a consequent may hold on");
  add_text(
      *command, "--max-bins", options->max_bins, "N",
      "numbers, dates and ordinal labels as intervals; of numbers and dates of so many bins at "
      "most, 0: of all values");
  add_threads_option(*command);
  command->add_flag("--force", options->force, "replace an existing file");
  command->footer(
      "Rules are conjunctions of = on nominal and ordinal attributes that imply one\n"
      "=. With --max-bins they may have =, <=, > and intervals of what has an order,\n"
      "as in a run with the same --max-bins and --bounds binned. Of rules that cover\n"
      "the same rows one is written, X => Y and Y => X count as one, and what a more\n"
      "general rule makes superfluous is left out, as in a run.");
  return {command, [command, options](const Context& context) {
            return enumerate(*command, *options, context);
          }};
}

}  // namespace atl
