#include "islands/archive_section.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "islands/archipelago/run_sections.hpp"
#include "islands/rule_bytes.hpp"
#include "src/config/experiment.hpp"
#include "src/results/archive/archive.hpp"

namespace atl {

namespace {

constexpr std::size_t least_record_bytes = 6 * sizeof(std::uint64_t) + 1;  // its table

void put(ByteWriter& out, const RuleRecord& record) {
  encode(out, record.rule);
  encode(out, record.table);
  out.put(record.missing_consequent);
  out.put(record.generation);
  out.put(record.island);
  out.put(record.bucket);
}

RuleRecord get_record(ByteReader& in, std::span<const Attribute> attributes) {
  RuleRecord record;
  record.rule = decode_rule(in, attributes);
  const std::size_t comparisons =
      record.rule.antecedent.comparisons().size() + record.rule.consequent.comparisons().size();
  require_bytes(comparisons <= most_rule_comparisons,
                "an archived rule has more comparisons than any may");
  // There is at most one negation of each comparison and each connective, or the canonical form
  // takes long.
  require_bytes(symbols(record.rule) < 6 * comparisons, "an archived rule has idle negations");
  require_bytes(record.rule == canonical(record.rule, attributes),
                "an archived rule is not in canonical form");
  record.table = decode_table(in);
  record.missing_consequent = in.get<std::uint64_t>();
  record.generation = in.get<std::uint32_t>();
  record.island = in.get<std::uint32_t>();
  record.bucket = in.get<std::uint32_t>();
  return record;
}

}  // namespace

void RuleResults::offer(std::span<const ArchiveCandidate> candidates) {
  if (candidates.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const auto& [record, niche] : candidates) {
    archive_.offer(record, niche);
    bars_.raise(niche, archive_.bars(niche));
  }
}

std::size_t RuleResults::size() const {
  const std::scoped_lock lock(mutex_);
  return archive_.size();
}

std::vector<double> RuleResults::best() const {
  const std::scoped_lock lock(mutex_);
  std::vector<double> best;
  for (const Measure measure : maximized_) best.push_back(archive_.best(measure));
  return best;
}

std::uint32_t RuleResults::version() const {
  return archive_version;
}

void RuleResults::save(ByteWriter& out) const {
  const std::scoped_lock lock(mutex_);
  encode(out, archive_);
}

void RuleResults::merge(ByteReader& in) {
  const Archive other = decode_archive(in, attributes_);
  if (other.by() != archive_.by() || other.capacity() != archive_.capacity() ||
      other.per_bucket() != archive_.per_bucket()) {
    throw BadBytes("the archive is not that of the experiment");
  }
  const std::scoped_lock lock(mutex_);
  archive_.merge(other);
}

// The results that a search makes for rules are of this kind.
const Archive& rules_of(const Results& results) {
  return dynamic_cast<const RuleResults&>(results).archive();
}

void encode(ByteWriter& out, const Archive& archive) {
  out.put(archive.by());
  out.put(static_cast<std::uint64_t>(archive.capacity()));
  out.put(static_cast<std::uint64_t>(archive.per_bucket()));
  const std::vector<RuleRecord> rules = archive.rules();
  out.put(static_cast<std::uint64_t>(rules.size()));
  for (const RuleRecord& record : rules) put(out, record);
}

Archive decode_archive(ByteReader& in, std::span<const Attribute> attributes) {
  const auto by = in.get<std::underlying_type_t<Measure>>();
  const auto known = measures();
  const bool orders = std::any_of(known.begin(), known.end(), [by](const MeasureInfo& m) {
    return m.steers && static_cast<std::underlying_type_t<Measure>>(m.measure) == by;
  });
  require_bytes(orders, "the archive's measure is none that orders archives");
  const auto capacity = in.get<std::uint64_t>();
  Archive archive(static_cast<Measure>(by), capacity, in.get<std::uint64_t>());
  const std::size_t count = in.get_count(least_record_bytes);
  std::vector<Rule> order;
  for (std::size_t i = 0; i < count; ++i) {
    const RuleRecord record = get_record(in, attributes);
    archive.offer(record, niche(record, attributes));
    order.push_back(record.rule);
  }
  // One that lost a rule or put one elsewhere was not written by us.
  const std::vector<RuleRecord> rules = archive.rules();
  require_bytes(std::equal(rules.begin(), rules.end(), order.begin(), order.end(),
                           [](const RuleRecord& a, const Rule& b) { return a.rule == b; }),
                "the archive is out of order");
  // A rule with two tables would be in the archive twice, and it does not tell their places.
  std::sort(order.begin(), order.end());
  require_bytes(std::adjacent_find(order.begin(), order.end()) == order.end(),
                "the archive has a rule twice");
  return archive;
}

Section section_of(const Archive& archive) {
  ByteWriter out;
  encode(out, archive);
  return {results_section, archive_version, std::move(out).take()};
}

Archive archive_of(const RunState& state, std::span<const Attribute> attributes) {
  std::optional<Archive> all;
  for (const auto bytes : results_of(state, archive_version)) {
    ByteReader in(bytes);
    Archive archive = decode_archive(in, attributes);
    in.expect_end();
    if (all) {
      require_bytes(archive.by() == all->by() && archive.capacity() == all->capacity() &&
                        archive.per_bucket() == all->per_bucket(),
                    "the archives of two parts are not of one experiment");
      all->merge(archive);
    } else {
      all = std::move(archive);
    }
  }
  require_bytes(all.has_value(), "the section results is missing");
  return std::move(*all);
}

}  // namespace atl
