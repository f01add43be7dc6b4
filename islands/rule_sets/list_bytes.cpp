#include "islands/rule_sets/list_bytes.hpp"

#include <span>
#include <utility>

namespace atl {

void encode(ByteWriter& out, const SampledList& list) {
  encode(out, list.list());
  out.put_all(std::span<const std::uint64_t>(list.counts.covered));
  out.put_all(std::span<const std::uint64_t>(list.counts.decided));
}

SampledList decode_list(ByteReader& in, const ClassSample& sample, const ListJudge& judge,
                        const Part& part, std::size_t most_rules) {
  RuleSet read = decode_rule_set(in, sample.attributes(), sample.class_attribute());
  require_bytes(read.rules.size() <= most_rules, "a list has more rules than it may");
  SampledList list;
  list.default_class = read.default_class;
  const RuleSet as_read = read;
  for (ClassRule& rule : read.rules) list.rules.push_back(sampled(std::move(rule), sample));
  list.counts.covered = in.get_all<std::uint64_t>();
  list.counts.decided = in.get_all<std::uint64_t>();
  const std::size_t cells = std::size_t{judge.folds} * judge.classes();
  require_bytes(list.counts.covered.size() == as_read.rules.size() * cells &&
                    list.counts.decided.size() == (as_read.rules.size() + 1) * cells,
                "a list has other counts than its rules and classes need");
  settle(list, judge, part);
  require_bytes(list.list() == as_read, "a list is not as its counts would have it");
  return list;
}

}  // namespace atl
