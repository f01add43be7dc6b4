#include "src/results/choice/front.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <tuple>
#include <utility>

#include "src/results/choice/front_extensions.hpp"
#include "src/sampling/common_bits.hpp"

namespace atl {

namespace {

constexpr double alike = 0.7;  // Jaccard index of two rules of a size

class FrontSearch {
 public:
  FrontSearch(const RowSample& sample, const BoundGrammar& grammar, const FrontTask& task,
              const FrontLimits& limits, ThreadPool& pool)
      : sample_(sample),
        task_(task),
        limits_(limits),
        pool_(pool),
        sizes_(task.sizes, sample.rows()),
        extenders_(pool.threads(), FrontExtender(sample, grammar, task, sizes_)) {
    for (std::uint32_t a = 0; a < sample.attributes().size(); ++a) {
      if (sample.distinct(a) > 1 && task.without.count(a) == 0 && !grammar.has_literal_on(a)) {
        attributes_.push_back(a);
      }
    }
  }

  std::vector<Expression> search() {
    std::deque<std::vector<FrontMember>> beams(1, std::vector<FrontMember>(1));  // [length]
    beams[0][0].rows = task_.rows;
    beams[0][0].sum = sum_of(task_.rows);
    std::vector<std::vector<const FrontMember*>> found(task_.sizes.size());
    while (beams.size() <= limits_.comparisons && !beams.back().empty()) {
      beams.push_back(longer(beams.back(), extend(beams.back())));
      for (const FrontMember& member : beams.back()) {
        if (!meets(member)) continue;
        for (std::size_t s = 0; s < sizes_.of(member.sum.rows); ++s) found[s].push_back(&member);
      }
    }
    std::set<Expression> known;
    std::vector<Expression> rules;
    for (auto& of_size : found) {
      for (const FrontMember* const member : unlike(of_size)) {
        Expression made = sample_.conjunction(member->parts);
        if (known.insert(made).second) rules.push_back(std::move(made));
      }
    }
    return rules;
  }

 private:
  FrontSum sum_of(std::span<const std::uint32_t> rows) const {
    FrontSum sum;
    for (const std::uint32_t row : rows) add(sum, row);
    return sum;
  }

  void add(FrontSum& sum, std::uint32_t row) const {
    const double gain = task_.gains[row];
    ++sum.rows;
    sum.gain += gain;
    sum.square += gain * gain;
  }

  /// The best ways to make one of the beam longer, of each size as many as the beam is wide.
  std::vector<FrontExtension> extend(const std::vector<FrontMember>& beam) {
    // Each antecedent may be found once for each of its parts.
    const std::size_t wanted = limits_.width * (beam[0].parts.size() + 1);
    for (FrontExtender& extender : extenders_) extender.begin(wanted);
    const std::size_t blocks = (beam.size() + members_of_block() - 1) / members_of_block();
    pool_.wait(pool_.submit(blocks * attributes_.size(), [&](std::size_t i, unsigned worker) {
      const std::size_t first = i / attributes_.size() * members_of_block();
      const std::size_t end = std::min(first + members_of_block(), beam.size());
      for (std::size_t m = first; m < end; ++m) {
        extenders_[worker].extend(beam[m], static_cast<std::uint32_t>(m),
                                  attributes_[i % attributes_.size()]);
      }
    }));
    std::vector<FrontExtension> all;
    for (const FrontExtender& extender : extenders_)
      all.insert(all.end(), extender.found().begin(), extender.found().end());
    std::sort(all.begin(), all.end(),
              [](const FrontExtension& a, const FrontExtension& b) { return is_surer(a, b); });
    // The beam is as wide as the looks allow that its next length takes.
    std::vector<FrontExtension> chosen = widest(all, beam, limits_.width);
    const std::uint64_t looks = limits_.looks / limits_.comparisons / attributes_.size();
    for (std::size_t width = limits_.width / 2; width > 0 && rows_of(chosen) > looks; width /= 2) {
      chosen = widest(all, beam, width);
    }
    return chosen;
  }

  /// Members of a task, which look at the same levels: a task is not to be very short.
  std::size_t members_of_block() const {
    constexpr std::size_t rows = std::size_t{1} << 14;
    return std::max<std::size_t>(rows / std::max<std::size_t>(sample_.rows(), 1), 1);
  }

  static std::uint64_t rows_of(std::span<const FrontExtension> extensions) {
    std::uint64_t rows = 0;
    for (const FrontExtension& e : extensions) rows += e.rows;
    return rows;
  }

  /// The first so many of each size, each antecedent once.
  std::vector<FrontExtension> widest(std::span<const FrontExtension> all,
                                     const std::vector<FrontMember>& beam,
                                     std::size_t width) const {
    std::vector<std::size_t> taken(task_.sizes.size(), 0);
    std::vector<FrontExtension> chosen;
    std::set<FrontParts> known;
    for (const FrontExtension& e : all) {
      const auto end = taken.begin() + static_cast<std::ptrdiff_t>(sizes_.of(e.rows));
      const bool wanted = std::any_of(taken.begin(), end, [&](auto has) { return has < width; });
      if (!wanted || !known.insert(parts_of(e, beam)).second) continue;
      std::for_each(taken.begin(), end, [](std::size_t& has) { ++has; });
      chosen.push_back(e);
    }
    return chosen;
  }

  static FrontParts parts_of(const FrontExtension& e, const std::vector<FrontMember>& beam) {
    FrontParts parts = beam[e.parent].parts;
    parts.insert(std::upper_bound(parts.begin(), parts.end(), e.part), e.part);
    return parts;
  }

  std::vector<FrontMember> longer(const std::vector<FrontMember>& beam,
                                  std::span<const FrontExtension> by) {
    std::vector<FrontMember> made(by.size());
    pool_.wait(pool_.submit(by.size(), [&](std::size_t i, unsigned) {
      const FrontMember& parent = beam[by[i].parent];
      made[i].parts = parts_of(by[i], beam);
      made[i].rows.reserve(by[i].rows);
      const auto [attribute, low, high] = by[i].part;
      const auto levels = sample_.levels(attribute);
      for (const std::uint32_t row : parent.rows) {
        if (low <= levels[row] && levels[row] <= high) made[i].rows.push_back(row);
      }
      made[i].sum = sum_of(made[i].rows);
      made[i].certainty = by[i].certainty;
    }));
    return made;
  }

  /// The best of a size of which no two are alike.
  std::vector<const FrontMember*> unlike(std::vector<const FrontMember*>& members) const {
    std::sort(members.begin(), members.end(),
              [](const FrontMember* a, const FrontMember* b) { return is_surer(*a, *b); });
    const std::size_t words = (sample_.rows() + 63) / 64;
    std::vector<std::vector<std::uint64_t>> bits;
    std::vector<const FrontMember*> chosen;
    for (const FrontMember* const member : members) {
      if (chosen.size() == limits_.each) break;
      std::vector<std::uint64_t> own(words, 0);
      for (const std::uint32_t row : member->rows) own[row / 64] |= std::uint64_t{1} << row % 64;
      const auto is_like = [&](std::size_t i) {
        const auto both = static_cast<double>(common_bits(own.data(), bits[i].data(), words));
        return both > alike * (chosen[i]->sum.rows + member->sum.rows - both);
      };
      bool any = false;
      for (std::size_t i = 0; i < chosen.size() && !any; ++i) any = is_like(i);
      if (any) continue;
      bits.push_back(std::move(own));
      chosen.push_back(member);
    }
    return chosen;
  }

  bool meets(const FrontMember& member) const {
    const auto gaining = std::count_if(member.rows.begin(), member.rows.end(),
                                       [&](std::uint32_t row) { return task_.gains[row] > 0; });
    return task_.meets(member.rows.size(), static_cast<std::size_t>(gaining));
  }

  const RowSample& sample_;
  const FrontTask& task_;
  const FrontLimits& limits_;
  ThreadPool& pool_;
  std::vector<std::uint32_t> attributes_;
  FrontSizes sizes_;
  std::vector<FrontExtender> extenders_;  // [worker]
};

}  // namespace

std::vector<double> front_sizes(std::uint64_t rows) {
  constexpr std::array steps = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};
  std::vector<double> sizes;
  for (const int decade : {1, 10, 100}) {
    for (const int step : steps) {
      const double share = decade * step / 10'000.0;
      if (share <= 0.5 && share * static_cast<double>(rows) >= 50) sizes.push_back(share);
    }
  }
  return sizes;
}

double certainty(const FrontSum& sum, bool of_mean) noexcept {
  constexpr double z = 1.959963984540054;
  const double n = sum.rows;
  if (of_mean) {
    const double mean = sum.gain / n;
    const double variance = std::max(sum.square / n - mean * mean, 0.0);
    return mean - z * std::sqrt(variance / n);
  }
  const double both = sum.gain;
  return both == 0
             ? 0
             : (both + z * z / 2 - z * std::sqrt(both * (n - both) / n + z * z / 4)) / (n + z * z);
}

std::vector<Expression> certain_rules(const RowSample& sample, const BoundGrammar& grammar,
                                      const FrontTask& task, const FrontLimits& limits,
                                      ThreadPool& pool) {
  return FrontSearch(sample, grammar, task, limits, pool).search();
}

}  // namespace atl
