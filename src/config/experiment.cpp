#include "src/config/experiment.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>

#include "src/config/require.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

void require_room(std::uint64_t islands, const std::string& option, std::uint64_t individuals) {
  if (islands * individuals <= most_individuals) return;
  throw UsageError("--islands " + plain(islands) + " times " + option + " " + plain(individuals) +
                   " is " + plain(islands * individuals) + " individuals, expected at most " +
                   plain(most_individuals));
}

void require_bins(const char* option, std::uint32_t bins) {
  if (bins == 1) throw UsageError(std::string(option) + " is 1, expected 0 (exact) or 2 and more");
}

void validate_topology(const Experiment& experiment) {
  const auto choice = [&] {
    try {
      return parse_topology(experiment.topology);
    } catch (const UsageError& error) {
      throw UsageError(std::string("--topology is ") + error.what());
    }
  }();
  if (choice.kind == TopologyKind::random && choice.sources >= experiment.islands) {
    throw UsageError("--topology " + experiment.topology + " needs more than " +
                     plain(choice.sources) + " islands, there are " + plain(experiment.islands));
  }
  if ((choice.kind == TopologyKind::edges) != !experiment.edges.empty()) {
    throw UsageError("--topology: \"edges\", and no other, goes with a list of edges");
  }
  const auto& edges = experiment.edges;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    const std::string text =
        "--topology: the edge from island " + plain(edge.from) + " to " + plain(edge.to);
    if (i > 0 && edge <= edges[i - 1]) throw UsageError(text + " is there twice");
    if (edge.from == edge.to) throw UsageError(text + " is to itself");
    if (std::max(edge.from, edge.to) >= experiment.islands) {
      throw UsageError(text + " needs more than the " + plain(experiment.islands) +
                       " islands that there are; they are numbered from 0");
    }
  }
}

}  // namespace

void Experiment::validate() const {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max() - 1;
  assert(algorithm != nullptr);
  require("--seed", seed, std::uint64_t{0},
          std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  require("--islands", islands, 1U, (1U << 24) - 1);  // DrawKey::island
  require("--population", population, 4U, most_individuals);
  require_room(islands, "--population", population);
  for (const AlgorithmKey& key : algorithm->keys) {
    if (key.kind != KeyKind::individuals) continue;
    require_room(islands, key.option(), static_cast<std::uint64_t>(settings.at(key.name)));
  }
  require("--generations", generations, 0U, most);
  require("--time-limit", time_limit, 0.0, 1e9);
  require("--holdout", holdout, 0.0, 0.9);
  require_bins("--max-bins", max_bins);
  for (const auto& [name, bins] : attribute_bins) {
    require_bins(("--max-bins of " + printable(name)).c_str(), bins);
  }
  aim.validate();
  validate_topology(*this);
  kind().validate(*this);
}

IslandRange IslandRange::parse(std::string_view text) {
  const auto whole = [](std::string_view part) {
    std::optional<std::uint32_t> number(0);
    const auto read = std::from_chars(part.data(), part.data() + part.size(), *number);
    if (read.ec != std::errc() || read.ptr != part.data() + part.size()) number.reset();
    return number;
  };
  const std::size_t dash = text.find('-');
  const auto first = whole(text.substr(0, dash));
  const auto last = dash == text.npos ? first : whole(text.substr(dash + 1));
  if (first && last && *first <= *last) return {*first, *last};
  throw UsageError("'" + printable(std::string(text)) +
                   "' is no island or range of islands, such as \"3\" or \"4-7\"");
}

std::string IslandRange::to_string() const {
  std::string text = plain(first);
  if (first != last) text.append("-").append(plain(last));
  return text;
}

std::map<std::uint32_t, Experiment> Experiment::by_island() const {
  Experiment usual = *this;
  usual.island_settings.clear();
  std::map<std::uint32_t, Experiment> found = {{0, usual}};
  for (const IslandSettings& settings : island_settings) {
    found.emplace(settings.islands.first, usual);
    if (settings.islands.last + 1 < islands) found.emplace(settings.islands.last + 1, usual);
  }
  const auto set = [](auto& value, const auto& other) {
    if (other) value = *other;
  };
  for (auto& [island, its] : found) {
    for (const IslandSettings& settings : island_settings) {
      if (!settings.islands.holds(island)) continue;
      set(its.maximize, settings.maximize);
      set(its.grammar, settings.grammar);
      set(its.aim.target, settings.target);
      set(its.aim.antecedent, settings.antecedent);
      set(its.aim.consequent, settings.consequent);
      set(its.aim.require, settings.require);
      set(its.aim.exclude, settings.exclude);
      its.settings.replace_by(settings.settings);
    }
  }
  return found;
}

std::vector<std::string> Experiment::all_maximized() const {
  return kind().steered_by(*this);
}

void Experiment::set(std::string_view key, double value) {
  const AlgorithmKey* const found = algorithm->find(key);
  assert(found != nullptr);
  try {
    settings.set(*found, value);
  } catch (const UsageError& error) {
    throw UsageError(found->option() + " " + error.what());
  }
}

double Experiment::max_consequent() const noexcept {
  return settings.find(max_consequent_key.name).value_or(1);
}

Hash128 Experiment::hash() const {
  Hasher hasher;
  hasher.update_text(to_toml(*this));
  return hasher.digest();
}

}  // namespace atl
