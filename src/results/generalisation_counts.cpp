#include "src/results/generalisation_counts.hpp"

#include "src/rules/generalisation.hpp"

namespace atl {

GeneralisationCounts count_generalised(std::span<const Rule> rules,
                                       std::span<const Attribute> attributes,
                                       const CountingOptions& options, Resident& resident) {
  const Generalisation generalisation(attributes);
  std::vector<Rule> all(rules.begin(), rules.end());
  std::vector<std::size_t> ends;
  for (const Rule& rule : rules) {
    generalisation.generalise(rule, all);
    ends.push_back(all.size());
  }
  GeneralisationCounts generalised{resident.count(all, options), all.size()};
  std::size_t begin = rules.size();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    note_nearest(generalised.counts[i].table,
                 std::span(generalised.counts).subspan(begin, ends[i] - begin));
    begin = ends[i];
  }
  generalised.counts.resize(rules.size());
  return generalised;
}

}  // namespace atl
