#include "src/app/enumerate_options.hpp"

#include <CLI/CLI.hpp>

#include "src/app/command_line.hpp"
#include "src/app/job_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/text_options.hpp"
#include "src/config/option_values.hpp"
#include "src/exhaustive/rules/item_aim.hpp"
#include "src/exhaustive/rules/items.hpp"

namespace atl {

EnumerateSettings settings_from(const EnumerateOptions& options) {
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
  settings.target = option_value("--target", [&] { return enumerated_targets(options.target); });
  return settings;
}

void add_enumerate_options(CLI::App& command, EnumerateOptions& options) {
  command
      .add_option("DATA", options.data,
                  "Dataset file, or a text table (- is standard input), imported first")
      ->required()
      ->type_name("");
  command.add_option("-o,--output", options.output, "JSON file to write; - is standard output")
      ->required()
      ->type_name("OUT.json");
  add_text_options(command, TextKinds::tables);
  add_text(command, "--method", options.method, "NAME",
           "exact, or beam: level-wise beam search, to compare with")
      ->check(CLI::IsMember({"exact", "beam"}))
      ->option_text("exact|beam");
  add_text(command, "--evaluations", options.evaluations, "N", "beam: rules to count at most");
  add_text(command, "--top", options.top, "N",
           "rules by leverage; ties at the last place are all written");
  add_text(command, "--max-length", options.max_length, "N",
           "comparisons in a rule, both sides together, 2 to 8");
  add_text(command, "--min-support", options.min_support, "X",
           "least share of the rows that a rule holds on: 0.01, 1% or 500rows");
  add_text(command, "--max-consequent", options.max_consequent, "X",
           "greatest share of the rows that a consequent may hold on");
  add_text(
      command, "--max-bins", options.max_bins, "N",
      "numbers, dates and ordinal labels as intervals; of numbers and dates of so many bins at "
      "most, 0: of all values");
  add_text(command, "--target", options.target, "T,...",
           "what rules conclude, as of mine: 'a=*' (any comparison on attribute a) or one "
           "comparison such as 'income = >50K' or 'price >= 100000'; none: anything");
  add_threads_option(command);
  command.add_flag("--force", options.force, "replace an existing file");
  add_job_options(command);
}

}  // namespace atl
