#include "src/run/loop/root_parts.hpp"

#include <nlohmann/json.hpp>

#include "io/run/run_folder.hpp"
#include "src/run/log/run_log.hpp"
#include "src/run/loop/repeats.hpp"

namespace atl {

RootParts::RootParts(MiningParts& parts, Search& search, const JobSettings& the_settings,
                     const Report& report)
    : settings(the_settings),
      task(make_task(parts, search, settings, report)),
      store(settings.lock->folder(), settings.configuration.machine.checkpoints_kept, report) {}

void RootParts::show(const std::string& line) {
  display->show(repeat_text(settings) + line);
}

bool RootParts::gains_no_more(std::uint32_t generation, const Results& found) {
  const auto worth = task->worth(found);
  if (!worth) return false;
  if (gains.look(generation, *worth))
    settings.log->write("gain", {{"generation", generation}, {"worth", *worth}});
  return gains.over(generation,
                    static_cast<std::uint32_t>(settings.configuration.experiment.patience));
}

std::optional<GainWatch> RootParts::gains_with(std::uint32_t generation,
                                               const Results& found) const {
  const auto worth = task->worth(found);
  if (!worth) return std::nullopt;
  GainWatch until = gains;
  until.look(generation, *worth);
  return until;
}

}  // namespace atl
