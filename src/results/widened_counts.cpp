#include "src/results/widened_counts.hpp"

#include "src/rules/widening.hpp"

namespace atl {

WidenedCounts count_widened(std::span<const Rule> rules, std::span<const Attribute> attributes,
                            const EvaluateOptions& options, Evaluator& evaluator) {
  const Widening widening(attributes);
  std::vector<Rule> all(rules.begin(), rules.end());
  std::vector<std::size_t> ends;
  for (const Rule& rule : rules) {
    widening.widen(rule, all);
    ends.push_back(all.size());
  }
  WidenedCounts widened{count(all, options, evaluator), all.size()};
  std::size_t begin = rules.size();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    note_nearest(widened.counts[i].table,
                 std::span(widened.counts).subspan(begin, ends[i] - begin));
    begin = ends[i];
  }
  widened.counts.resize(rules.size());
  return widened;
}

}  // namespace atl
