#include "cuda/host/fit_program.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <new>

#include "src/sampling/fit_limits.hpp"

namespace atl::cuda {
namespace {

/// Up to most_rows_of_narrow_gains rows gains stay below 2^63 for shares of up to so many rows:
/// refined ones have rows^2 / 2.
constexpr std::int64_t most_narrow_share = std::int64_t{1} << 41;
/// Parts that a trial is compared with.
constexpr std::size_t parts_looked_at = 32;

bool same(std::span<const Comparison> a, std::span<const Comparison> b) {
  if (a.size() != b.size()) return false;
  return a.data() == b.data() || std::equal(a.begin(), a.end(), b.begin());
}

/// Are they equal but for those on two attributes?
bool same_but(std::span<const Comparison> a, std::uint32_t of_a, std::span<const Comparison> b,
              std::uint32_t of_b) {
  if (of_a == of_b) return same(a, b);
  const auto skip = [](std::span<const Comparison> all, std::size_t at, std::uint32_t attribute) {
    while (at < all.size() && all[at].attribute == attribute) ++at;
    return at;
  };
  std::size_t i = skip(a, 0, of_a), j = skip(b, 0, of_b);
  for (; i < a.size() && j < b.size(); i = skip(a, i + 1, of_a), j = skip(b, j + 1, of_b)) {
    if (a[i] != b[j]) return false;
  }
  return i == a.size() && j == b.size();
}

constexpr std::uint64_t bit_of(std::uint32_t attribute) {
  return std::uint64_t{1} << attribute % 64;
}

template <typename T>
constexpr std::uint32_t words_of = sizeof(T) / sizeof(std::uint32_t);

}  // namespace

std::vector<FitColumn> fit_columns(std::span<const Attribute> attributes, std::uint64_t rows) {
  const auto steps = static_cast<std::uint32_t>((rows + fit_step_rows - 1) / fit_step_rows);
  std::vector<FitColumn> columns;
  std::uint32_t column = 0, plane = 0;
  for (const Attribute& attribute : attributes) {
    FitColumn& of = columns.emplace_back();
    of.distinct = attribute.distinct();
    of.may_miss = attribute.has_missing;
    if (!of.on_device()) continue;
    const std::uint32_t greatest = of.may_miss ? of.distinct : std::max(of.distinct, 1U) - 1;
    of.column = column;
    of.first_plane = plane;
    of.planes = static_cast<std::uint8_t>(std::bit_width(greatest));
    column += of.two_bytes() ? 2 * steps : steps;
    plane += of.planes;
  }
  return columns;
}

bool FitProgram::Part::is_plainly_of(const IntervalTrial& trial) const noexcept {
  return trial.rest.data() == rest.data() && trial.rest.size() == rest.size() &&
         trial.positives.data() == positives.data() && trial.positives.size() == positives.size() &&
         (named & bit_of(trial.attribute)) == 0 && ignored == no_fit;
}

// Made in its place: a copy of what was just put together waits for all of its parts.
template <typename T, typename... Of>
void FitProgram::put(std::size_t at, const Of&... of) {
  assert(at + words_of<T> <= words_.size());
  ::new (static_cast<void*>(words_.data() + at)) T{of...};
}

bool FitProgram::fits(const IntervalGroup& group) const {
  const auto there = [&](const Comparison& c) { return columns_[c.attribute].on_device(); };
  return std::all_of(group.trials.begin(), group.trials.end(), [&](const auto& trial) {
    return !trial || (columns_[trial->attribute].on_device() &&
                      std::all_of(trial->rest.begin(), trial->rest.end(), there) &&
                      std::all_of(trial->positives.begin(), trial->positives.end(), there));
  });
}

std::uint32_t FitProgram::part_of(const IntervalTrial& trial) {
  // Most trials refer to what the one before refers to.
  if (!parts_.empty() && parts_.back().is_plainly_of(trial)) {
    return static_cast<std::uint32_t>(parts_.size() - 1);
  }
  const bool own = std::any_of(trial.rest.begin(), trial.rest.end(),
                               [&](const Comparison& c) { return c.attribute == trial.attribute; });
  const std::uint32_t ignored = own ? trial.attribute : no_fit;
  const std::size_t first = parts_.size() - std::min(parts_.size(), parts_looked_at);
  for (std::size_t p = parts_.size(); p-- > first;) {
    if (same_but(parts_[p].rest, parts_[p].ignored, trial.rest, ignored) &&
        same(parts_[p].positives, trial.positives))
      return static_cast<std::uint32_t>(p);
  }
  std::uint64_t named = 0;
  for (const Comparison& c : trial.rest) named |= bit_of(c.attribute);
  parts_.push_back({trial.rest, trial.positives, ignored, named, 0, 0});
  room_ += words_of<FitPart> +
           2 * words_of<FitComparison> * (trial.rest.size() + trial.positives.size());
  return static_cast<std::uint32_t>(parts_.size() - 1);
}

std::uint32_t FitProgram::add_comparison(const Comparison& comparison) {
  const FitColumn& column = columns_[comparison.attribute];
  const auto append = [&](std::uint32_t low, std::uint32_t high, bool negated) {
    put<FitComparison>(used_, column.first_plane, static_cast<std::uint16_t>(low),
                       static_cast<std::uint16_t>(high), std::uint16_t{column.planes},
                       static_cast<std::uint16_t>(negated ? 1 : 0));
    used_ += words_of<FitComparison>;
  };
  if (asks_missing(comparison)) {  // the code of a missing value, or what is no code
    append(column.may_miss ? column.distinct : 0,
           column.may_miss ? column.distinct : column.distinct - 1, !column.may_miss);
    return 1;
  }
  append(comparison.low, comparison.high, comparison.negated);
  if (!comparison.negated || !column.may_miss) return 1;
  append(0, column.distinct - 1, false);
  return 2;
}

FitPart FitProgram::add_part(const Part& part) {
  FitPart of;
  of.trials = part.trials;
  of.comparisons = place();
  of.rest = of.positives = 0;
  for (const Comparison& c : part.rest) {
    if (c.attribute != part.ignored) of.rest += add_comparison(c);
  }
  for (const Comparison& c : part.positives) of.positives += add_comparison(c);
  return of;
}

/// Trials of a group often have one share.
std::uint32_t FitProgram::add_share(const PositiveShare& share) {
  if (last_share_at_ != 0 && share.positives == last_share_.positives &&
      share.rows == last_share_.rows)
    return last_share_at_;
  last_share_ = share;
  last_share_at_ = place();
  const auto positives = static_cast<std::uint64_t>(share.positives);
  const auto rows = static_cast<std::uint64_t>(share.rows);
  for (const std::uint64_t half : {positives, positives >> 32, rows, rows >> 32}) {
    words_[used_++] = static_cast<std::uint32_t>(half);
  }
  wide_ = wide_ || std::max(share.rows, share.positives) > most_narrow_share;
  return last_share_at_;
}

/// @param at  word of the FitTrial; what it refers to is appended
void FitProgram::put_trial(std::size_t at, const IntervalTrial& trial, std::uint32_t number) {
  const FitColumn& column = columns_[trial.attribute];
  most_codes_ = std::max(most_codes_, column.distinct);
  std::uint32_t flags = static_cast<std::uint32_t>(trial.relation) |
                        (column.two_bytes() ? FitTrial::two_bytes : 0U) |
                        (trial.refine_threshold ? FitTrial::refines : 0U);
  std::uint32_t code = 0, edges = 0;
  if (trial.only) {
    flags |= FitTrial::only;
    code = *trial.only;
  } else if (trial.through && trial.relation == BoundRelation::interval) {
    flags |= FitTrial::through;
    code = *trial.through;
  }
  const std::uint32_t share = trial.share ? add_share(*trial.share) : 0;
  if (!trial.edges.empty()) {
    edges = place();
    words_[used_++] = static_cast<std::uint32_t>(trial.edges.size());
    std::copy(trial.edges.begin(), trial.edges.end(), words_.data() + used_);
    used_ += trial.edges.size();
  }
  put<FitTrial>(at, number, column.column, edges, share, column.distinct, code, flags);
}

/// Into parts_ and part_ids_, and room_.
FitGroup FitProgram::divide(const IntervalGroup& group) {
  FitGroup of;
  of.rows = static_cast<std::uint32_t>(std::min<std::uint64_t>(group.rows, rows_));
  of.rows_to_compare =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(group.rows_to_compare, rows_));
  of.compares = group.rows_to_compare != 0 ? 1 : 0;
  of.trials = 0;
  of.empty[0] = of.empty[1] = no_fit;
  std::uint32_t empty = 0;
  parts_.clear();
  part_ids_.clear();
  room_ = words_of<FitGroup>;
  for (const auto& trial : group.trials) {
    const std::uint32_t part = trial ? part_of(*trial) : no_fit;
    if (trial) {
      ++parts_[part].trials;
      ++of.trials;
      room_ += words_of<FitTrial> + words_of<FitShare> + 1 + trial->edges.size();
    } else if (empty < 2) {
      of.empty[empty++] = static_cast<std::uint32_t>(part_ids_.size());
    }
    part_ids_.push_back(part);
  }
  of.parts = static_cast<std::uint32_t>(parts_.size());
  return of;
}

void FitProgram::add(const IntervalGroup& group) {
  const FitGroup of = divide(group);
  wide_ = wide_ || std::max(of.rows, of.rows_to_compare) > most_rows_of_narrow_gains;
  whole_ =
      whole_ && group.trials.size() == 1 && of.trials == 1 && of.compares == 0 && of.rows == rows_;
  last_share_at_ = 0;
  begin_ = used_;
  const std::size_t room = used_ + room_;
  if (room > words_.size()) words_ = memory_->grow(room + room / 2, used_);
  put<FitGroup>(used_, of);
  used_ += words_of<FitGroup>;
  const std::size_t parts = used_;
  used_ += parts_.size() * words_of<FitPart>;
  std::size_t next = used_;
  used_ += of.trials * words_of<FitTrial>;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const FitPart part = add_part(parts_[p]);
    put<FitPart>(parts + p * words_of<FitPart>, part);
    parts_[p].next = static_cast<std::uint32_t>(next);
    next += part.trials * words_of<FitTrial>;
  }
  for (std::size_t t = 0; t < part_ids_.size(); ++t) {
    if (part_ids_[t] == no_fit) continue;
    std::uint32_t& next_of_part = parts_[part_ids_[t]].next;
    put_trial(next_of_part, *group.trials[t], static_cast<std::uint32_t>(t));
    next_of_part += words_of<FitTrial>;
  }
}

void FitProgram::build(std::span<const IntervalGroup> groups, std::span<const FitColumn> columns,
                       std::uint32_t rows, FitWords& memory) {
  memory_ = &memory;
  columns_ = columns;
  rows_ = rows;
  most_words_ = most_codes_ = 0;
  wide_ = false;
  whole_ = true;
  groups_.clear();
  others_.clear();
  const bool all = std::all_of(columns.begin(), columns.end(),
                               [](const FitColumn& column) { return column.on_device(); });
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    (all || fits(groups[g]) ? groups_ : others_).push_back(g);
  }
  used_ = groups_.size() + 1;
  words_ = memory.grow(used_, 0);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    words_[i] = static_cast<std::uint32_t>(used_);
    add(groups[groups_[i]]);
    most_words_ = std::max(most_words_, place());
  }
  words_[groups_.size()] = static_cast<std::uint32_t>(used_);
}

}  // namespace atl::cuda
