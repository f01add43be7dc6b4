#include "src/run/collect/sources.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>

#include "io/results/rule_file.hpp"
#include "io/results/run_comparison.hpp"
#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "islands/algorithms.hpp"
#include "islands/archive_section.hpp"
#include "src/config/experiment_settings.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

std::string absolute_path(const std::string& folder) {
  std::error_code ignored;
  const fs::path path = fs::canonical(folder, ignored);
  return path.string();
}

std::optional<std::uint64_t> written_rules(const io::Folder& run, const Experiment& experiment) {
  if (!run.has(io::run_names::rules_json)) return std::nullopt;
  auto rules = io::read_rules(run);
  if (experiment.definitions == DefinitionChoice::apart) erase_definitions(rules);
  erase_variants(rules);
  return rules.size();
}

Source read_source(const std::string& folder, const Report& report) {
  const io::Folder held = io::find_run(folder);
  Source source{folder, io::RunPaths(held.path()), {}, {}, {}};
  const io::RunPaths& paths = source.paths;
  const auto owner = io::folder_owner(folder);
  source.configuration = parse_run_configuration(io::read_file(held, io::run_names::config),
                                                 paths.config, algorithms());
  if (!source.configuration.experiment.kind().single_rules) {
    throw UsageError(printable(folder) +
                     " learns a decision list; only runs of atoll mine can be collected");
  }
  const Hash128 own = source.configuration.experiment.hash();
  const auto header =
      io::CheckpointStore(held, 1, report).latest_header([&](const RunStateHeader& of) {
        return of.experiment == own;
      });
  if (!header) {
    throw BadData(folder, owner ? "has no checkpoint yet; " + *owner + " works on it"
                                : "has no checkpoint, so no rules to collect");
  }
  if (header->experiment != own) {
    throw BadData(paths.config, "[experiment] is not that of the checkpoints");
  }
  source.dataset = header->dataset;
  if (io::is_collected(held)) {
    source.runs =
        parse_comparison(io::read_file(held, io::run_names::runs), paths.runs, algorithms());
    return source;
  }
  MinedRun run;
  run.path = absolute_path(folder);
  run.experiment = source.configuration.experiment;
  run.state = owner ? "running" : header->finished ? "finished" : "stopped";
  run.rules = written_rules(held, run.experiment);
  if (owner) {
    report(Severity::info,
           fmt::format("{}: {} works on it; taken as of its last checkpoint", folder, *owner));
  }
  source.runs.push_back(std::move(run));
  return source;
}

/// These must be equal, or codes, counts and the order of rules would not mean the same.
constexpr std::array agreeing = {
    "grammar", "archive_by",  "max_bins",   "attribute_bins", "missing_consequent",
    "target",  "antecedent",  "consequent", "require",        "exclude",
    "holdout", "significance"};

std::string shortened(const std::string& value) {
  return printable(value, 40);
}

void expect_agreement(const Source& a, const Source& b) {
  if (a.dataset != b.dataset) {
    throw BadData(b.folder,
                  fmt::format("was mined from other data than {} (fingerprint {}, not {})",
                              a.folder, to_hex(b.dataset), to_hex(a.dataset)));
  }
  const Experiment& of_a = a.configuration.experiment;
  const Experiment& of_b = b.configuration.experiment;
  const auto refuse = [&](const std::string& what) {
    throw UsageError(fmt::format("{}: {}; such rules cannot be collected with those of {}",
                                 b.folder, what, a.folder));
  };
  const auto left = settings_of(of_a), right = settings_of(of_b);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const bool must = std::find(agreeing.begin(), agreeing.end(), left[i].key) != agreeing.end();
    if (!must || left[i] == right[i]) continue;
    refuse(left[i].key == "grammar"
               ? std::string("has another grammar")
               : fmt::format("{} is {}, not {}", left[i].key, shortened(right[i].value),
                             shortened(left[i].value)));
  }
  if (of_a.holdout.share > 0 && of_a.seed_of_rows() != of_b.seed_of_rows()) {
    refuse(fmt::format("holds out other rows, by seed {}, not {}", of_b.seed_of_rows(),
                       of_a.seed_of_rows()));
  }
}

/// Gives each archive back to the run it is from.
void deal_out(const Archive& archive, std::vector<MinedRun>& runs, const std::string& file) {
  for (const RuleRecord& record : archive.rules()) {
    std::uint32_t first = 0;
    const auto run = std::find_if(runs.begin(), runs.end(), [&](const MinedRun& candidate) {
      if (record.island - first < candidate.experiment.islands) return true;
      first += candidate.experiment.islands;
      return false;
    });
    if (run == runs.end()) throw BadData(file, "has rules of more runs than it names");
    run->archive.push_back(record);
    run->archive.back().island -= first;
  }
}

std::vector<MinedRun> with_archives(const Source& source, std::span<const Attribute> attributes,
                                    const Report& report) {
  const Experiment& experiment = source.configuration.experiment;
  const io::Folder run(source.paths.folder, io::Access::read);
  std::optional<Archive> archive;
  const auto state = io::CheckpointStore(run, 1, report).latest([&](const RunState& read) {
    if (read.header.experiment != experiment.hash()) throw BadBytes("is of another experiment");
    if (read.header.dataset != source.dataset) throw BadBytes("is of other data");
    archive = archive_of(read, attributes);
  });
  if (!state) throw BadData(source.folder, "has no checkpoint any more");
  std::vector<MinedRun> runs = source.runs;
  if (io::is_collected(run)) {
    deal_out(*archive, runs, source.paths.runs);
    return runs;
  }
  runs[0].generation = state->header.generation;
  runs[0].seconds = state->header.seconds;
  runs[0].archive = archive->rules();
  for (const std::string& measure : experiment.all_maximized()) {
    runs[0].best[measure] = archive->best(measure_named(measure));
  }
  return runs;
}

auto place(const MinedRun& run) {
  return std::tie(run.experiment.seed, run.path);
}

/// Number of parts at the ends of two different paths that are the same.
std::size_t shared_parts(const std::string& a, const std::string& b) {
  std::size_t same = 0, parts = 0;
  while (same < a.size() && same < b.size() && a[a.size() - 1 - same] == b[b.size() - 1 - same]) {
    parts += a[a.size() - 1 - same] == '/' ? 1U : 0U;
    ++same;
  }
  // A whole path may be the end of another.
  const auto ends = [&](const std::string& path) {
    return same == path.size() || path[path.size() - 1 - same] == '/';
  };
  return parts + (ends(a) && ends(b) ? 1 : 0);
}

std::string last_parts(const std::string& path, std::size_t parts) {
  std::size_t at = path.size();
  for (; parts > 0 && at != 0 && at != std::string::npos; --parts) at = path.rfind('/', at - 1);
  return at == std::string::npos ? path : path.substr(at == 0 && parts > 0 ? 0 : at + 1);
}

/// Names each run by as many parts at the end of its path as tell it from all others. Those that
/// share most with it are beside it in the order of the paths read backwards.
void name(std::vector<MinedRun>& runs) {
  std::vector<MinedRun*> order;
  for (MinedRun& run : runs) order.push_back(&run);
  std::sort(order.begin(), order.end(), [](const MinedRun* a, const MinedRun* b) {
    return std::lexicographical_compare(a->path.rbegin(), a->path.rend(), b->path.rbegin(),
                                        b->path.rend());
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t shared = 0;
    if (i > 0) shared = shared_parts(order[i]->path, order[i - 1]->path);
    if (i + 1 < order.size())
      shared = std::max(shared, shared_parts(order[i]->path, order[i + 1]->path));
    order[i]->name = last_parts(order[i]->path, shared + 1);
  }
}

}  // namespace

std::vector<Source> read_sources(const std::vector<std::string>& folders, const Report& report) {
  std::vector<Source> sources;
  sources.reserve(folders.size());
  for (const std::string& folder : folders) sources.push_back(read_source(folder, report));
  return sources;
}

void expect_agreement(const std::vector<Source>& sources) {
  for (const Source& source : sources) expect_agreement(sources.front(), source);
}

std::vector<MinedRun> read_runs(const std::vector<Source>& sources,
                                std::span<const Attribute> attributes, const Report& report) {
  std::vector<MinedRun> runs;
  for (const Source& source : sources) {
    for (MinedRun& run : with_archives(source, attributes, report)) {
      const auto known = std::find_if(
          runs.begin(), runs.end(), [&](const MinedRun& other) { return other.path == run.path; });
      if (known == runs.end()) {
        runs.push_back(std::move(run));
      } else if (known->experiment != run.experiment) {
        throw UsageError(run.path + ": is another run now than when it was collected before");
      } else {
        // One of its archives may have what the other no longer has: with both, nesting does not
        // matter.
        if (known->generation < run.generation) std::swap(*known, run);
        known->archive.insert(known->archive.end(), run.archive.begin(), run.archive.end());
      }
    }
  }
  std::sort(runs.begin(), runs.end(),
            [](const MinedRun& a, const MinedRun& b) { return place(a) < place(b); });
  name(runs);
  return runs;
}

}  // namespace atl
