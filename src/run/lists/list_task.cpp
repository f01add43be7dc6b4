#include <memory>

#include <fmt/format.h>

#include "io/run/run_files.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "islands/list_results.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/shell_word.hpp"
#include "src/rules/class_target.hpp"
#include "src/run/lists/classifier_files.hpp"
#include "src/run/loop/job_task.hpp"

namespace atl {

namespace {

class ListTask final : public JobTask {
 public:
  ListTask(MiningParts& parts, const JobSettings& settings, const Report& report)
      : parts_(parts), settings_(settings), report_(report) {}

  void report_data(const Report& report) override {
    const Attribute& attribute = parts_.dataset().attributes()[class_attribute()];
    report(Severity::info,
           fmt::format("class '{}': {} of {}", printable(attribute.name),
                       counted(attribute.distinct(), "value"),
                       counted(parts_.dataset().rows() - attribute.missing, "row")));
    warn_of_quantity(attribute, report);
  }

  JobOutcome write(const RunState& found, std::vector<HistoryRow> history,
                   const std::function<bool(const std::string& line)>&) override {
    const ListFront front = list_front(*parts_.search, found);
    const WrittenList written =
        write_classifier(front, history, class_attribute(), parts_.rows, settings_, report_);
    const std::string& folder = settings_.folder;
    JobOutcome outcome;
    outcome.counts = {{"rules", written.rules}, {"comparisons", written.comparisons}};
    outcome.text = fmt::format("a list of {} in {}", counted(written.rules, "rule"),
                               printable(folder) + "/" + io::run_names::classifier_text);
    outcome.print = "atoll classify rules " + shell_word(folder);
    return outcome;
  }

 private:
  std::uint32_t class_attribute() const {
    return atl::class_attribute(experiment_.aim, parts_.dataset().attributes());
  }

  MiningParts& parts_;
  const JobSettings& settings_;
  const Report& report_;
  const Experiment& experiment_ = settings_.configuration.experiment;
};

}  // namespace

std::unique_ptr<JobTask> make_list_task(MiningParts& parts, const JobSettings& settings,
                                        const Report& report) {
  return std::make_unique<ListTask>(parts, settings, report);
}

}  // namespace atl
