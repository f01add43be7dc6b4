// The resolved configuration of a run: what defines its result, and what it happens to run on.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/aim.hpp"
#include "src/config/algorithm.hpp"
#include "src/config/holdout_choice.hpp"
#include "src/config/text_form.hpp"
#include "src/config/topology_choice.hpp"
#include "src/core/hash.hpp"
#include "src/core/report.hpp"

namespace atl {

/// A threshold on support, as a share of the rows or as a number of rows.
struct SupportThreshold {
  double share = 0;  ///< in [0, 1]; used if rows is not set
  std::optional<std::uint64_t> rows;

  /// "0.01", "1%" or "500rows". A bare integer other than 0 and 1 is refused, "1" means 100%.
  /// @throws UsageError
  static SupportThreshold parse(std::string_view text);
  /// Reads back to the same threshold.
  std::string to_string() const;
  /// Least count that satisfies the threshold among n rows, at least 1: `rows`, or the least c with
  /// c / n >= share in double, as the measure `support` computes it.
  std::uint64_t minimum_count(std::uint64_t n) const;
  friend bool operator==(const SupportThreshold&, const SupportThreshold&) = default;
};

/// Says whether rows whose consequent has a missing value are counted.
enum class MissingConsequent : std::uint8_t { count, exclude };

/// The bounds that written rules may have: any values, or the ends of bins.
enum class Bounds : std::uint8_t { exact, binned };

/// The individuals that an island sends.
enum class EmigrantChoice : std::uint8_t { best, tournament, random };

/// Says whose places immigrants take.
enum class Replacement : std::uint8_t {
  worst,
  random,
  similar,  ///< the most similar resident's, if the immigrant is better
};

/// Says whether emigrants also stay at home.
enum class Emigration : std::uint8_t { copy, move };

/// Says whether islands wait for each other.
enum class Migration : std::uint8_t {
  synchronous,
  asynchronous,  ///< no island waits for another: what comes when depends on their pace
};

/// Generations of which history has one.
enum class HistoryInterval : std::uint32_t { automatic };

/// Generations without a gain (src/results/archive/gains.hpp) that end the search.
enum class Patience : std::uint32_t { endless };

/// Searches with other seeds that a run's rules are looked for in.
enum class Repeats : std::uint32_t { none };

/// The place of rules that only say how attributes depend on each other.
enum class DefinitionChoice : std::uint8_t {
  apart,    ///< written behind the others, which they take no room of
  include,  ///< are rules like others
};

/// The order of a list about a target.
enum class ListOrder : std::uint8_t {
  news,     ///< by what each rule adds to those before it
  measure,  ///< by `archive_by`
};

/// The names of these in TOML and on the command line, in the order of the enumerators.
constexpr std::array<std::string_view, 2> names_of(MissingConsequent) {
  return {"count", "exclude"};
}
constexpr std::array<std::string_view, 2> names_of(Bounds) {
  return {"exact", "binned"};
}
constexpr std::array<std::string_view, 3> names_of(EmigrantChoice) {
  return {"best", "tournament", "random"};
}
constexpr std::array<std::string_view, 3> names_of(Replacement) {
  return {"worst", "random", "similar"};
}
constexpr std::array<std::string_view, 2> names_of(Emigration) {
  return {"copy", "move"};
}
constexpr std::array<std::string_view, 2> names_of(Migration) {
  return {"synchronous", "asynchronous"};
}
/// The work that the ranks of a team share out among them: the rows of the table, or the rules of a
/// batch.
enum class TeamSplit : std::uint8_t { rows, rules };
constexpr std::array<std::string_view, 2> names_of(TeamSplit) {
  return {"rows", "rules"};
}
constexpr std::array<std::string_view, 2> names_of(ListOrder) {
  return {"news", "measure"};
}
constexpr std::array<std::string_view, 2> names_of(DefinitionChoice) {
  return {"apart", "include"};
}

/// Islands that have something in common, first and last.
struct IslandRange {
  std::uint32_t first = 0, last = 0;

  /// "3" or "4-7". @throws UsageError
  static IslandRange parse(std::string_view text);
  /// Reads back to the same range.
  std::string to_string() const;
  bool holds(std::uint32_t island) const { return first <= island && island <= last; }
  friend bool operator==(const IslandRange&, const IslandRange&) = default;
};

/// The settings that a range of islands has in place of the experiment's.
struct IslandSettings {
  IslandRange islands;
  std::optional<std::vector<std::string>> maximize;
  std::optional<std::string> grammar;  ///< text
  std::optional<std::vector<std::string>> target, antecedent, consequent, require, exclude;
  AlgorithmSettings settings;  ///< of keys that may differ between islands

  friend bool operator==(const IslandSettings&, const IslandSettings&) = default;
};

/// Everything that decides the bytes of rules.csv, rules.json and history.csv. Saved as
/// `[experiment]` of config.toml, hashed, compared on resume.
struct Experiment {
  const AlgorithmDescription* algorithm = nullptr;  ///< `preset`; nullptr only before it is read
  AlgorithmSettings settings;                       ///< of the algorithm, every key it takes
  std::string grammar;                              ///< BNF text, not a file name
  std::uint64_t seed = 0;
  std::uint32_t islands = 0;
  std::uint32_t population = 0;
  std::uint32_t generations = 0;
  double time_limit = 0;  ///< seconds summed over resumes, 0 = none
  SupportThreshold min_support;
  double min_confidence = 0;
  std::uint32_t max_length = 0;       ///< comparisons in a rule, both sides together
  std::vector<std::string> maximize;  ///< names of measures, in order
  std::string archive_by;
  double max_similarity = 0;   ///< of a rule written to a better one, in coverage; 1 = any
  std::uint32_t top = 0;       ///< rules to write; the archive holds 4 times as many
  std::uint32_t max_bins = 0;  ///< 0 = exact values
  std::map<std::string, std::uint32_t> attribute_bins;  ///< max_bins of single attributes
  std::string topology;                                 ///< as parse_topology() reads it
  std::vector<Edge> edges;                              ///< ascending, of the topology "edges"
  std::uint32_t migrate_every = 0;                      ///< generations, 0 = never
  std::uint32_t migrants = 0;
  EmigrantChoice emigrants = EmigrantChoice::best;
  Replacement replacement = Replacement::worst;
  Emigration emigration = Emigration::copy;
  Migration migration = Migration::synchronous;
  HistoryInterval history_every = HistoryInterval::automatic;
  Patience patience = Patience::endless;
  Repeats repeat = Repeats::none;
  /// Holds rows out, of a repeat: the seed of the run that it repeats.
  std::optional<std::uint64_t> rows_seed;
  Bounds bounds = Bounds::exact;
  MissingConsequent missing_consequent = MissingConsequent::count;
  Aim aim;
  std::optional<bool> absences;  ///< may rules only say that something is absent; else as data are
  /// May antecedents of the built-in grammars say that a value is missing or known: of all
  /// attributes that have missing values, or of none; else of those where both matter.
  std::optional<bool> missing_comparisons;
  std::vector<std::string> measures;  ///< names of those that results have, in order
  HoldoutChoice holdout;              ///< rows that the search does not see
  double significance = 0;            ///< greatest adjusted p of a rule to write; 0 = all are
  std::vector<IslandSettings> island_settings;  ///< later ones before earlier ones
  DefinitionChoice definitions = DefinitionChoice::apart;
  ListOrder order = ListOrder::news;

  /// Defaults of an algorithm; grammar and measures are left empty, since they belong to a higher
  /// layer.
  static Experiment defaults(const AlgorithmDescription& algorithm);
  const SearchKind& kind() const noexcept { return *algorithm->traits.kind; }
  /// Sets a key of the algorithm. @pre the algorithm takes the key
  /// @throws UsageError naming the option if the value is out of range
  void set(std::string_view key, double value);
  /// The limit of generations behind `before`, for people; empty if only time is one.
  std::string of_generations(std::string_view before) const;
  /// The seed by which rows are held out.
  std::uint64_t seed_of_rows() const noexcept { return rows_seed.value_or(seed); }
  /// The same search with another seed, on the same rows. @param number  from 1
  Experiment repeated(std::uint32_t number) const;
  /// Greatest p(consequent); 1, which all meet, where the algorithm does not take the key.
  double max_consequent() const noexcept;
  /// Checks all but names of measures and the grammar, which this layer does not know.
  /// @throws UsageError naming the option that is out of range
  void validate() const;
  Hash128 hash() const;  ///< of to_toml()

  /// The experiment that each island follows, without island_settings. The key is the first of the
  /// islands that it is for, up to the next. @pre validate() passes
  std::map<std::uint32_t, Experiment> by_island() const;
  /// The measures that islands maximise, each once: those of the experiment, then of the settings
  /// in turn. For lists it is the share of the rows, weighted by class, that they classify right.
  /// history.csv has a column for each.
  std::vector<std::string> all_maximized() const;
  friend bool operator==(const Experiment&, const Experiment&) = default;
};

/// The time between checkpoints: so many seconds or so many generations.
struct CheckpointInterval {
  double seconds = 60;
  std::uint32_t generations = 0;  ///< used instead of seconds if not 0

  /// A whole number is generations ("10"), anything with a unit a duration ("60s", "15m").
  /// @throws UsageError
  static CheckpointInterval parse(std::string_view text);
  /// Reads back to the same interval.
  std::string to_string() const;
  friend bool operator==(const CheckpointInterval&, const CheckpointInterval&) = default;
};

/// Most threads a rank may be given.
inline constexpr std::uint32_t max_threads = 4096;
/// Most ranks of a team.
inline constexpr std::uint32_t most_team = 1'000'000;
inline constexpr std::uint32_t most_rule_comparisons = 100;  ///< of a rule, both sides together
/// Most generations: those of a run that has no other limit than time.
inline constexpr std::uint32_t endless_generations = 4'294'967'294;
/// Least and most of `device_memory`, in bytes, beside 0.
inline constexpr std::uint64_t least_device_memory = std::uint64_t{1} << 20;
inline constexpr std::uint64_t most_device_memory = std::uint64_t{1} << 50;

/// The settings that a run may change without changing its result. Saved as `[machine]`.
struct Machine {
  std::string backend = "auto";       ///< auto, reference, cpu, cuda
  std::uint32_t threads = 0;          ///< 0 = suitable_threads() (src/run)
  std::uint64_t device_memory = 0;    ///< bytes of a GPU's memory at most; 0 = what is free
  std::optional<std::uint32_t> team;  ///< ranks that work on the same islands; not set: each alone
  TeamSplit split = TeamSplit::rows;  ///< in a team
  CheckpointInterval checkpoint_every;
  std::uint32_t checkpoints_kept = 3;
  std::optional<bool> write_holdout;  ///< are the rows held out written, as holdout.csv
  bool migration_log = false;         ///< every move of a migration in log.jsonl
  std::string data;                   ///< absolute path of the dataset or text file
  TextForm text = {};                 ///< how it is to be read, if it is a text
  /// The user whose word `data` is, where it is not this one's: that of a run that somebody else
  /// began.
  std::optional<std::uint64_t> data_named_by_uid;
  friend bool operator==(const Machine&, const Machine&) = default;
};

struct RunConfiguration {
  Experiment experiment;
  Machine machine;
  friend bool operator==(const RunConfiguration&, const RunConfiguration&) = default;
};

/// Seconds of "90", "90s", "15m", "2h", "1d" or sums of these such as "1h30m". @throws UsageError
double parse_duration(std::string_view text);
/// A number in [0, 1], as "0.9" or "90%". @throws UsageError
double parse_share(std::string_view text);

/// A preset of a user: [experiment] with some keys, `preset` with the algorithm's name among them,
/// and the algorithm's section with some of its keys; absent ones have their defaults. Or the
/// configuration of a run, whose experiment it is. Values of common keys that are out of range are
/// left to validate(), as others may take their place.
/// @param report  gets a warning for each former name or place
/// @throws BadData naming the file, line and column; unknown keys are errors, too
Experiment parse_preset(std::string_view toml, const std::string& file, AlgorithmTable algorithms,
                        const Report& report = {});

/// [experiment] and the algorithm's section, every key written, in a fixed order; numbers in the
/// one number format.
std::string to_toml(const Experiment& experiment);
std::string to_toml(const RunConfiguration& configuration);
/// Reads a configuration, also by former names and places.
/// @throws BadData naming the file and, but for values out of range, line, column and key; unknown
///         and absent keys are errors, too
RunConfiguration parse_run_configuration(std::string_view toml, const std::string& file,
                                         AlgorithmTable algorithms);

}  // namespace atl
