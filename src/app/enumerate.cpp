#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/results/rule_file.hpp"
#include "src/app/command_line.hpp"
#include "src/app/commands.hpp"
#include "src/app/job_options.hpp"
#include "src/app/machine_options.hpp"
#include "src/app/output_options.hpp"
#include "src/app/text_options.hpp"
#include "src/config/experiment.hpp"
#include "src/config/option_values.hpp"
#include "src/core/agreement.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/rules/beam.hpp"
#include "src/exhaustive/rules/enumerate_task.hpp"
#include "src/exhaustive/rules/space.hpp"
#include "src/run/data/run_data.hpp"
#include "src/work/run_task.hpp"
#include "src/work/task_output.hpp"

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
};

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
  return settings;
}

/// The table of an enumeration, and what is written of its rules. On rank 0 alone.
class EnumeratedTable {
 public:
  /// All must outlive it.
  EnumeratedTable(const EnumerateOptions& options, const EnumerateSettings& settings,
                  const TextForm& form, const Report& report)
      : options_(options), settings_(settings), form_(form), report_(report) {}

  Items read() {
    io::LoadOptions load;
    if (settings_.max_bins) load.max_bins = *settings_.max_bins;
    const Dataset dataset = read_data(options_.data, load, report_, {}, form_);
    if (!settings_.max_bins) {
      tell_left_out(dataset, report_,
                    "--max-bins 8 takes intervals, " + nominal_hint(options_.data));
    }
    Items items(dataset, settings_.max_bins ? OrderedItems::intervals : OrderedItems::labels);
    if (items.by_attribute().size() < 2) {
      throw BadData(options_.data, settings_.max_bins
                                       ? "fewer than two attributes; a rule needs two"
                                       : "fewer than two nominal attributes; a rule needs two");
    }
    attributes_.assign(dataset.attributes().begin(), dataset.attributes().end());
    fingerprint_ = to_hex(dataset.fingerprint());
    min_count_ = settings_.min_support.minimum_count(items.rows());
    space_ = space_size(items.by_attribute(), settings_.limits.max_length);
    return items;
  }

  std::vector<Identity::Mark> marks() const {
    return {
        {"other data", fingerprint_},
        {"another --max-bins", settings_.max_bins ? std::to_string(*settings_.max_bins) : "none"}};
  }

  /// @return what it tells of
  std::string write(MinedRules mined, const WriteText& write) const {
    for (RuleRecord& record : mined.rules) {  // consequents are one comparison
      const std::uint32_t concluded = record.rule.consequent.comparisons()[0].attribute;
      record.missing_consequent = attributes_[concluded].missing;
    }
    nlohmann::ordered_json result = {
        {"method", options_.method},
        {"top", settings_.top},
        {"max_length", settings_.limits.max_length},
        {"min_count", min_count_},
        {"max_consequent", settings_.limits.max_consequent},
        {"max_bins", nullptr},
        {"fingerprint", fingerprint_},
        {"space", space_},
        {"evaluated", mined.counted},
        {"rules",
         nlohmann::ordered_json::parse(io::rules_json(to_written(mined.rules, attributes_)))}};
    if (settings_.max_bins) result["max_bins"] = *settings_.max_bins;
    write(result.dump(1) + '\n');
    return fmt::format(
        "{} in {}; counted {} of the {} in the space, A => B and B => A as one{}",
        counted(mined.rules.size(), "rule"),
        options_.output == standard_output ? "standard output" : options_.output, mined.counted,
        space_,
        settings_.evaluations == 0 && mined.counted < space_ ? "; no other can be among them" : "");
  }

 private:
  const EnumerateOptions& options_;
  const EnumerateSettings& settings_;
  const TextForm& form_;
  const Report& report_;
  std::vector<Attribute> attributes_;
  std::string fingerprint_;
  std::uint64_t min_count_ = 0, space_ = 0;
};

void search_by_beam(EnumeratedTable& table, const EnumerateSettings& settings,
                    const std::string& output, const Report& report) {
  TaskOutput file = output == standard_output ? TaskOutput() : TaskOutput(output);
  const Items items = table.read();
  RuleLimits limits = settings.limits;
  limits.min_count = settings.min_support.minimum_count(items.rows());
  const std::string told =
      table.write(beam_search(items, limits, settings.top, settings.evaluations),
                  [&](std::string_view text) { file.write(text); });
  if (file.is_file()) file.commit();
  report(Severity::info, told);
}

ExitStatus enumerate(const CLI::App& command, const EnumerateOptions& options,
                     const Context& context) {
  const EnumerateSettings settings = settings_from(options);
  const TextForm form = text_form_from(command, TextKinds::tables, options.data);
  TaskJob job = task_job(command, options.output, options.force);
  job.what_takes_memory = "the search takes";
  job.less_memory = "a greater --min-support, fewer --threads or ";
  expect_output(job, options.data, context.communicator);
  EnumeratedTable table(options, settings, form, context.report);
  if (settings.evaluations != 0) {
    refuse_job_options(command, "a beam search, which one rank makes, has no checkpoints");
    on_root(context.communicator,
            [&] { search_by_beam(table, settings, options.output, context.report); });
    return ExitStatus::done;
  }
  EnumerateParts parts;
  parts.read = [&] { return table.read(); };
  parts.marks = [&] { return table.marks(); };
  parts.finish = [&](const MinedRules& mined, const WriteText& write) {
    return table.write(mined, write);
  };
  EnumerateTask task(settings.limits, settings.min_support, settings.top, std::move(parts));
  return run_task(task, job, context);
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
  add_threads_option(command);
  command.add_flag("--force", options.force, "replace an existing file");
  add_job_options(command);
}

void expect_enumerate_job(const CLI::App& command, const EnumerateOptions& options) {
  if (settings_from(options).evaluations != 0) {
    throw UsageError("--method beam has no checkpoints that a next job could go on from");
  }
  (void)task_job(command, options.output, options.force);
}

}  // namespace

Command add_enumerate(CLI::App& program) {
  auto options = std::make_shared<EnumerateOptions>();
  CLI::App* command = program.add_subcommand(
      "enumerate", "Find exactly the best rules by leverage, to measure a search by");
  add_enumerate_options(*command, *options);
  command->footer(
      "Rules are conjunctions of = on nominal and ordinal attributes that imply one\n"
      "=. With --max-bins they may have =, <=, > and intervals of what has an order,\n"
      "as in a run with the same --max-bins and --bounds binned. Of rules that cover\n"
      "the same rows one is written, X => Y and Y => X count as one, and what a more\n"
      "general rule makes superfluous is left out, as in a run. Ranks share an exact\n"
      "search. SIGINT, SIGTERM, SIGUSR1 and SIGXCPU stop it with exit status 75, and\n"
      "the same command goes on from OUT.json.checkpoint.");
  return {
      command,
      [command, options](const Context& context) { return enumerate(*command, *options, context); },
      true,
      submittable_file("enumerate", {"enumerate"}, add_enumerate_options, expect_enumerate_job)};
}

}  // namespace atl
