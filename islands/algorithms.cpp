#include "islands/algorithms.hpp"

#include <algorithm>
#include <cassert>

#include "islands/algorithm_defaults.hpp"
#include "islands/g3parm/g3parm.hpp"
#include "islands/niching/niching.hpp"
#include "islands/random_search/random_search.hpp"
#include "islands/rule_search.hpp"
#include "islands/rule_sets/rule_set_search.hpp"

namespace atl {
namespace {

struct Registered {
  std::string_view name;
  std::string_view folder;
  std::vector<std::string_view> former_names;
  AlgorithmParts parts;
};

/// A line for each algorithm. Of each kind the first is the default, and kinds may be mixed.
const std::vector<Registered>& registered() {
  static const std::vector<Registered> table = {
      {"niching", "niching", {"pareto"}, niching_parts()},
      {"g3parm", "g3parm", {}, g3parm_parts()},
      {"random-search", "random_search", {}, random_search_parts()},
      {"rule-sets", "rule_sets", {}, rule_sets_parts()},
  };
  return table;
}

auto of_kind(const SearchKind& kind) {
  return [&kind](const AlgorithmDescription& one) { return one.traits.kind == &kind; };
}

/// Those of a kind stand together.
std::vector<AlgorithmDescription> describe() {
  std::vector<AlgorithmDescription> all;
  for (const Registered& one : registered()) {
    all.push_back({one.name, one.former_names, algorithm_defaults(one.folder), one.parts.keys,
                   one.parts.traits});
  }
  std::stable_partition(all.begin(), all.end(), of_kind(*all.front().traits.kind));
  return all;
}

}  // namespace

AlgorithmTable algorithms() {
  static const std::vector<AlgorithmDescription> all = describe();
  return all;
}

AlgorithmTable algorithms(const SearchKind& kind) {
  const AlgorithmTable all = algorithms();
  const auto first = std::find_if(all.begin(), all.end(), of_kind(kind));
  const auto end = std::find_if_not(first, all.end(), of_kind(kind));
  return {first, end};
}

namespace {

const AlgorithmParts& parts_of(const Experiment& experiment) {
  const auto found =
      std::find_if(registered().begin(), registered().end(),
                   [&](const Registered& one) { return one.name == experiment.algorithm->name; });
  assert(found != registered().end());
  return found->parts;
}

}  // namespace

std::unique_ptr<Search> make_search(const Experiment& experiment, const IslandGrammars& grammars,
                                    Resident& resident) {
  const AlgorithmParts& parts = parts_of(experiment);
  if (parts.search != nullptr) return parts.search(experiment, resident);
  return std::make_unique<RuleSearch>(experiment, grammars, resident);
}

std::vector<std::unique_ptr<Algorithm>> make_algorithms(const Experiment& experiment,
                                                        std::span<const IslandAim> islands,
                                                        Resident& resident) {
  return parts_of(experiment).make(experiment, islands, resident);
}

std::vector<std::uint64_t> rows_looked_at(const Experiment& experiment, const Dataset& dataset) {
  std::vector<std::uint64_t> all;
  RowsLookedAt* const rows_of = parts_of(experiment).rows_looked_at;
  if (rows_of == nullptr) return all;
  for (const auto& [island, its] : experiment.by_island()) {
    const std::vector<std::uint64_t> more = rows_of(its, dataset);
    all.insert(all.end(), more.begin(), more.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  return all;
}

}  // namespace atl
