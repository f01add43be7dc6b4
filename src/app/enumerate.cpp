#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "io/results/enumeration_json.hpp"
#include "src/app/commands.hpp"
#include "src/app/enumerate_options.hpp"
#include "src/app/job_options.hpp"
#include "src/app/output_options.hpp"
#include "src/app/text_options.hpp"
#include "src/config/option_values.hpp"
#include "src/core/agreement.hpp"
#include "src/core/text/near_names.hpp"
#include "src/exhaustive/rules/beam.hpp"
#include "src/exhaustive/rules/enumerate_task.hpp"
#include "src/exhaustive/rules/item_aim.hpp"
#include "src/exhaustive/rules/space.hpp"
#include "src/rules/class_target.hpp"
#include "src/run/data/run_data.hpp"
#include "src/work/run_task.hpp"
#include "src/work/task_folder.hpp"
#include "src/work/task_output.hpp"

namespace atl {
namespace {

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
    io::ImportOptions import;
    import.kept = names_of_targets(settings_.target);
    for (const std::string& target : settings_.target) {
      if (auto name = any_value_of(target)) load.labels.push_back(std::move(*name));
    }
    if (import.kept.size() == 1 && load.labels.empty()) load.exact = import.kept;
    const Dataset dataset = read_data(options_.data, load, report_, import, form_);
    if (!settings_.max_bins) {
      tell_left_out(dataset, report_,
                    "--max-bins 8 takes intervals, " + nominal_hint(options_.data), load.exact);
    }
    ItemAim aim;
    if (!settings_.target.empty()) aim = bind_targets(settings_.target, dataset.attributes());
    Items items(dataset, settings_.max_bins ? OrderedItems::intervals : OrderedItems::labels, aim);
    if (items.by_attribute().size() < 2) {
      throw BadData(options_.data, settings_.max_bins
                                       ? "fewer than two attributes; a rule needs two"
                                       : "fewer than two nominal attributes; a rule needs two");
    }
    if (consequents(items, {.max_consequent = 1}).empty()) {
      throw UsageError("--target: " + in_quotes(settings_.target.front()) +
                       " is of numbers, which rules conclude as intervals only (--max-bins)");
    }
    attributes_.assign(dataset.attributes().begin(), dataset.attributes().end());
    const RuleLimits& limits = settings_.limits;
    found_ = {.method = options_.method,
              .top = settings_.top,
              .max_length = limits.max_length,
              .min_count = settings_.min_support.minimum_count(items.rows()),
              .max_consequent = limits.max_consequent,
              .max_bins = settings_.max_bins,
              .target = settings_.target,
              .fingerprint = to_hex(dataset.fingerprint()),
              .space = space_size(items, limits.max_length)};
    return items;
  }

  std::vector<Identity::Mark> marks() const {
    return {
        {"other data", found_.fingerprint},
        {"another --max-bins", settings_.max_bins ? std::to_string(*settings_.max_bins) : "none"},
        {"another --target", fmt::format("{}", fmt::join(settings_.target, ","))}};
  }

  /// @return what it tells of
  std::string write(const MinedRules& mined, const WriteText& write) {
    found_.evaluated = mined.counted;
    found_.rules = mined.rules;
    write(io::enumeration_json(found_, attributes_));
    const bool is_exact = settings_.evaluations == 0;
    return fmt::format(
        "{} in {}; counted {} of the {} in the space{}{}", counted(mined.rules.size(), "rule"),
        options_.output == standard_output ? "standard output" : options_.output, mined.counted,
        found_.space, settings_.target.empty() ? ", A => B and B => A as one" : "",
        is_exact && mined.counted < found_.space ? "; no other can be among them" : "");
  }

  /// The rules that a beam search finds, written at once.
  void search_by_beam() {
    TaskOutput file =
        options_.output == standard_output ? TaskOutput() : TaskOutput(options_.output);
    std::optional<TaskFolder> held;
    if (file.is_file()) {
      held.emplace(file.path(), report_);
      held->expect_nothing_kept("enumerate --method beam", options_.force);
    }
    const Items items = read();
    RuleLimits limits = settings_.limits;
    limits.min_count = found_.min_count;
    const std::string told = write(beam_search(items, limits, settings_.top, settings_.evaluations),
                                   [&](std::string_view text) { file.write(text); });
    if (held) {
      (void)held->held();
      file.commit();
    }
    report_(Severity::info, told);
  }

 private:
  const EnumerateOptions& options_;
  const EnumerateSettings& settings_;
  const TextForm& form_;
  const Report& report_;
  std::vector<Attribute> attributes_;
  io::Enumeration found_;  // but for the rules, until they are written
};

ExitStatus enumerate(const CLI::App& command, const EnumerateOptions& options,
                     const Context& context) {
  const EnumerateSettings settings = settings_from(options);
  tell_of_all_rows(options.min_support, context.report);
  const TextForm form = text_form_from(command, TextKinds::tables, options.data);
  TaskJob job = task_job(command, options.output, options.force);
  job.what_takes_memory = "the search takes";
  job.less_memory = "a greater --min-support, fewer --threads or ";
  expect_output(job, options.data, context.communicator);
  EnumeratedTable table(options, settings, form, context.report);
  if (settings.evaluations != 0) {
    refuse_job_options(command, "a beam search, which one rank makes, has no checkpoints");
    on_root(context.communicator, [&] { table.search_by_beam(); });
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
