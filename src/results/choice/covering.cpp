#include "src/results/choice/covering.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "src/results/choice/best_parts.hpp"

namespace atl {
namespace {

/// Sums of weights up to 2^16 times gains below 2^17 over 2^20 rows stay below 2^53.
constexpr std::int64_t whole_weight = 1 << 16;

using Part = RowSample::Part;
using Parts = std::vector<Part>;  // ascending

/// A way to make a member longer.
struct CoverExtension {
  std::int64_t gain;
  std::uint32_t parent;
  Part last;  // what the parent has not
};

struct Candidate {
  CoverExtension by;
  Parts parts;
};

/// Working memory of a worker.
struct Scratch {
  std::array<std::vector<std::int64_t>, 2> tables;
  std::array<std::vector<double>, 2> squares;
  LevelGains sums;
  std::vector<LevelRange> ranges;
  std::vector<CoverExtension> found;
  std::int64_t least = 1;  // what an extension gains that may still be wanted
  std::size_t full = 0;    // so many are found before it is raised
};

/// The most that levels gain which follow each other (Kadane). @param of  of a level
template <typename Of>
std::int64_t most_of_ranges(std::uint32_t levels, const Of& of) {
  std::int64_t here = 0, most = 0;
  for (std::uint32_t level = 0; level < levels; ++level) {
    here = std::max<std::int64_t>(here + of(level), 0);
    most = std::max(most, here);
  }
  return most;
}

/// Keeps those that gain no less than the `count`-th. @return what that one gains; 1 of fewer
std::int64_t keep_most_gaining(std::vector<CoverExtension>& all, std::size_t count) {
  if (all.size() < count) return 1;
  const auto last = all.begin() + static_cast<std::ptrdiff_t>(count) - 1;
  std::nth_element(
      all.begin(), last, all.end(),
      [](const CoverExtension& a, const CoverExtension& b) { return a.gain > b.gain; });
  const std::int64_t least = last->gain;
  std::erase_if(all, [&](const CoverExtension& one) { return one.gain < least; });
  return least;
}

struct Member {
  Parts parts;
  std::vector<std::uint32_t> rows;
  std::vector<std::int64_t> gains;  // [rows] weighted
  std::int64_t gain = 0;
};

bool goes_first(std::int64_t gain, const Parts& parts, std::int64_t other_gain,
                const Parts& other) {
  if (gain != other_gain) return gain > other_gain;
  return parts.size() != other.size() ? parts.size() < other.size() : parts < other;
}

class Covering {
 public:
  Covering(const RowSample& sample, const BoundGrammar& grammar, const CoveringTask& task,
           const CoveringLimits& limits, ThreadPool& pool)
      : sample_(sample),
        parts_(sample, grammar),
        task_(task),
        limits_(limits),
        pool_(pool),
        weights_(sample.rows(), whole_weight),
        scratch_(pool.threads()) {
    for (std::uint32_t a = 0; a < sample.attributes().size(); ++a) {
      if (sample.distinct(a) > 1 && task.without.count(a) == 0 && !grammar.has_literal_on(a)) {
        attributes_.push_back(a);
      }
    }
  }

  std::vector<Expression> take_all() {
    std::vector<Expression> taken;
    while (taken.size() < limits_.rules && looks_ < limits_.looks) {
      const auto best = next_best();
      if (!best) break;
      for (const std::uint32_t row : best->rows) weights_[row] = weights_[row] * limits_.kept / 10;
      taken_.insert(best->parts);
      taken.push_back(sample_.conjunction(best->parts));
    }
    return taken;
  }

 private:
  /// The rule of most gain at today's weights that was not taken before.
  std::optional<Member> next_best() {
    std::vector<Member> beam(1);
    beam[0].rows.resize(sample_.rows());
    for (std::uint32_t row = 0; row < sample_.rows(); ++row) beam[0].rows[row] = row;
    weigh(beam[0]);
    std::optional<Member> best;
    for (std::size_t length = 1; length <= limits_.comparisons && !beam.empty(); ++length) {
      std::vector<Candidate> candidates = extend(beam);
      std::vector<Member> longer(candidates.size());
      pool_.wait(pool_.submit(candidates.size(), [&](std::size_t i, unsigned) {
        longer[i] = member(candidates[i], beam[candidates[i].by.parent]);
      }));
      for (const Member& m : longer) {
        if (taken_.count(m.parts) != 0 ||
            (best && !goes_first(m.gain, m.parts, best->gain, best->parts)) || !meets(m)) {
          continue;
        }
        best = m;
      }
      beam = std::move(longer);
    }
    return best;
  }

  void weigh(Member& member) const {
    member.gains.resize(member.rows.size());
    for (std::size_t i = 0; i < member.rows.size(); ++i) {
      const std::uint32_t row = member.rows[i];
      member.gains[i] = weights_[row] * task_.gains[row];
    }
  }

  /// The best ways to make one of them longer, as many as the beam is wide, best first, each
  /// antecedent once.
  std::vector<Candidate> extend(const std::vector<Member>& beam) {
    for (const Member& m : beam) looks_ += m.rows.size() * attributes_.size();
    // The first rule is the best there is: it is worth a wider look than those behind it.
    const std::size_t width = taken_.empty() ? limits_.first_width : limits_.width;
    // Enough where each antecedent may be among them once for each of its parts.
    const std::size_t wanted = width * (beam[0].parts.size() + 1);
    std::vector<CoverExtension> found = extensions(beam, wanted);
    std::vector<Candidate> all;
    for (const CoverExtension& one : found) {
      all.push_back({one, beam[one.parent].parts});
      Parts& parts = all.back().parts;
      parts.insert(std::upper_bound(parts.begin(), parts.end(), one.last), one.last);
    }
    std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      return goes_first(a.by.gain, a.parts, b.by.gain, b.parts);
    });
    const auto same = [](const Candidate& a, const Candidate& b) { return a.parts == b.parts; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    if (all.size() > width) all.resize(width);
    return all;
  }

  /// The ways to make one of them longer that gain no less than the `wanted`-th.
  std::vector<CoverExtension> extensions(const std::vector<Member>& beam, std::size_t wanted) {
    for (Scratch& scratch : scratch_) {
      scratch.found.clear();
      scratch.least = 1;
      scratch.full = 2 * wanted;
    }
    const std::size_t blocks = (beam.size() + members_of_block() - 1) / members_of_block();
    pool_.wait(pool_.submit(blocks * attributes_.size(), [&](std::size_t i, unsigned worker) {
      const std::size_t first = i / attributes_.size() * members_of_block();
      const std::size_t end = std::min(first + members_of_block(), beam.size());
      for (std::size_t m = first; m < end; ++m) {
        extend(beam[m], static_cast<std::uint32_t>(m), attributes_[i % attributes_.size()], wanted,
               scratch_[worker]);
      }
    }));
    std::vector<CoverExtension> all;
    for (const Scratch& scratch : scratch_)
      all.insert(all.end(), scratch.found.begin(), scratch.found.end());
    keep_most_gaining(all, wanted);
    return all;
  }

  /// Members of a task, which look at the same levels: a task is not to be very short.
  std::size_t members_of_block() const {
    constexpr std::size_t rows = std::size_t{1} << 14;
    return std::max<std::size_t>(rows / std::max<std::size_t>(sample_.rows(), 1), 1);
  }

  // Most attributes do not gain enough whatever the range. What a worker leaves out gains less than
  // the `wanted`-th of its own, and so less than that of all.
  void extend(const Member& member, std::uint32_t parent, std::uint32_t attribute,
              std::size_t wanted, Scratch& scratch) const {
    const auto named = [&](const Part& part) { return std::get<0>(part) == attribute; };
    if (std::any_of(member.parts.begin(), member.parts.end(), named)) return;
    const std::uint32_t distinct = sample_.distinct(attribute);
    auto& tables = scratch.tables;
    sum_levels(member, attribute, tables, [](std::int64_t gain) { return gain; });
    const auto gain_of = [&](std::uint32_t level) {
      return std::get<0>(tables)[level] + std::get<1>(tables)[level];
    };
    if (most_of_ranges(distinct, gain_of) < scratch.least) return;
    sum_levels(member, attribute, scratch.squares, [](std::int64_t gain) {
      return static_cast<double>(gain) * static_cast<double>(gain);
    });
    auto& [gains, squares] = scratch.sums;
    gains.resize(distinct);
    squares.resize(distinct);
    for (std::uint32_t level = 0; level < distinct; ++level) {
      gains[level] = gain_of(level);
      squares[level] = scratch.squares[0][level] + scratch.squares[1][level];
    }
    scratch.ranges.clear();
    parts_.find(attribute, scratch.sums, scratch.ranges);
    for (const auto& [low, high, gain] : scratch.ranges) {
      if (gain >= scratch.least) scratch.found.push_back({gain, parent, {attribute, low, high}});
    }
    if (scratch.found.size() < scratch.full) return;
    scratch.least = keep_most_gaining(scratch.found, wanted);
    scratch.full = 2 * std::max(scratch.found.size(), wanted);
  }

  // Most rows may be of one level: in turns they go to one of two tables, so that each sum need not
  // wait for the one before.
  template <typename Sum, typename Of>
  void sum_levels(const Member& member, std::uint32_t attribute,
                  std::array<std::vector<Sum>, 2>& tables, const Of& of) const {
    // The last place collects what is missing.
    const std::uint32_t distinct = sample_.distinct(attribute);
    for (auto& table : tables) table.assign(std::size_t{distinct} + 1, 0);
    const auto levels = sample_.levels(attribute);
    const auto add = [&](std::vector<Sum>& table, std::size_t i) {
      table[std::min<std::uint32_t>(levels[member.rows[i]], distinct)] += of(member.gains[i]);
    };
    auto& [even, odd] = tables;
    std::size_t i = 0;
    for (; i + 1 < member.rows.size(); i += 2) {
      add(even, i);
      add(odd, i + 1);
    }
    if (i < member.rows.size()) add(even, i);
  }

  Member member(const Candidate& candidate, const Member& parent) const {
    Member made;
    made.parts = candidate.parts;
    made.gain = candidate.by.gain;
    const auto [attribute, low, high] = candidate.by.last;
    const auto levels = sample_.levels(attribute);
    made.rows.resize(parent.rows.size());
    made.gains.resize(parent.rows.size());
    std::size_t kept = 0;
    for (std::size_t i = 0; i < parent.rows.size(); ++i) {
      const RowSample::Level level = levels[parent.rows[i]];
      made.rows[kept] = parent.rows[i];  // no branch: what is not kept is overwritten
      made.gains[kept] = parent.gains[i];
      kept += low <= level && level <= high ? 1 : 0;
    }
    made.rows.resize(kept);
    made.gains.resize(kept);
    return made;
  }

  bool meets(const Member& member) const {
    const auto gaining = std::count_if(member.rows.begin(), member.rows.end(),
                                       [&](std::uint32_t row) { return task_.gains[row] > 0; });
    return task_.meets(member.rows.size(), static_cast<std::size_t>(gaining));
  }

  const RowSample& sample_;
  BestParts parts_;
  const CoveringTask& task_;
  const CoveringLimits& limits_;
  ThreadPool& pool_;
  std::vector<std::uint32_t> attributes_;
  std::vector<std::int64_t> weights_;  // [row]
  std::vector<Scratch> scratch_;       // [worker]
  std::set<Parts> taken_;
  std::uint64_t looks_ = 0;
};

}  // namespace

std::vector<Expression> cover(const RowSample& sample, const BoundGrammar& grammar,
                              const CoveringTask& task, const CoveringLimits& limits,
                              ThreadPool& pool) {
  return Covering(sample, grammar, task, limits, pool).take_all();
}

}  // namespace atl
