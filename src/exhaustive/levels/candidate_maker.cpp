#include "src/exhaustive/levels/candidate_maker.hpp"

#include <algorithm>
#include <cassert>

#include "src/core/bytes.hpp"

namespace atl {
CandidateMaker::CandidateMaker(std::span<const ItemsetLevel> levels)
    : levels_(levels), length_(levels.size()), path_(levels.size(), 0), subsets_(levels.size()) {
  assert(length_ >= 2);
  for (std::size_t l = 0; l < length_; ++l) subsets_[l].resize(l + 1);
}

/// The set and those that it begins with.
void CandidateMaker::find_path(std::uint32_t set) {
  known_ = 0;
  path_.back() = set;
  for (std::size_t l = length_ - 1; l-- > 0;) {
    const std::vector<std::uint32_t>& first = levels_[l].first_child;
    const auto behind = std::upper_bound(first.begin(), first.end(), path_[l + 1]);
    path_[l] = static_cast<std::uint32_t>(behind - first.begin()) - 1;
  }
}

/// The same from the set before.
void CandidateMaker::move_path(std::uint32_t set) {
  path_.back() = set;
  known_ = std::min(known_, length_ - 1);
  for (std::size_t l = length_ - 1; l-- > 0;) {
    const std::vector<std::uint32_t>& first = levels_[l].first_child;
    if (first[path_[l] + 1] > path_[l + 1]) return;
    while (first[path_[l] + 1] <= path_[l + 1]) ++path_[l];
    known_ = std::min(known_, l);
  }
}

std::uint32_t CandidateMaker::child(std::size_t level, std::uint32_t set,
                                    std::uint32_t rank) const {
  const std::uint32_t* const ranks = levels_[level + 1].ranks.data();
  const std::uint32_t* const end = ranks + levels_[level].first_child[set + 1];
  const std::uint32_t* const found =
      std::lower_bound(ranks + levels_[level].first_child[set], end, rank);
  // It is a subset of a frequent set.
  if (found == end || *found != rank) throw BadBytes("a set lacks one of its subsets");
  return static_cast<std::uint32_t>(found - ranks);
}

void CandidateMaker::find_subsets() {
  for (; known_ < length_; ++known_) {
    if (known_ == 0) continue;
    const std::uint32_t rank = levels_[known_].ranks[path_[known_]];
    for (std::size_t place = 0; place < known_; ++place) {
      // The second of two items is left without the first: a set of the first level.
      subsets_[known_][place] =
          known_ == 1 ? rank : child(known_ - 2, subsets_[known_ - 1][place], rank);
    }
    subsets_[known_][known_] = path_[known_ - 1];
  }
}

/// Finds the ranks with which the set makes candidates. False: none.
bool CandidateMaker::join(std::uint32_t set, std::uint32_t first_sibling) {
  const ItemsetLevel& last = levels_.back();
  const std::vector<std::uint32_t>& first_child = levels_[length_ - 2].first_child;
  ranks_.assign(last.ranks.begin() + first_sibling, last.ranks.begin() + set);
  for (std::size_t place = 0; place + 1 < length_ && !ranks_.empty(); ++place) {
    const std::uint32_t subset = subsets_[length_ - 1][place];
    const std::uint32_t* next = last.ranks.data() + first_child[subset];
    const std::uint32_t* const end = last.ranks.data() + first_child[subset + 1];
    std::size_t kept = 0;
    for (const std::uint32_t rank : ranks_) {
      while (next != end && *next < rank) ++next;
      if (next == end) break;
      if (*next == rank) ranks_[kept++] = rank;
    }
    ranks_.resize(kept);
  }
  return !ranks_.empty();
}

void CandidateMaker::make(std::uint32_t first, std::uint32_t last, Candidates& out) {
  out.clear(static_cast<std::uint32_t>(length_ - 1));
  const std::vector<std::uint32_t>& first_child = levels_[length_ - 2].first_child;
  std::uint32_t parent_of_class = ~std::uint32_t{0};
  for (std::uint32_t set = first; set < last; ++set) {
    if (set == first) {
      find_path(set);
    } else {
      move_path(set);
    }
    const std::uint32_t parent = path_[length_ - 2];
    if (first_child[parent] == set) continue;  // nothing before it to join with
    find_subsets();
    if (!join(set, first_child[parent])) continue;
    if (parent != parent_of_class) {
      parent_of_class = parent;
      out.classes.push_back({static_cast<std::uint32_t>(out.prefixes.size()), 0});
      for (std::size_t l = 0; l + 1 < length_; ++l) {
        out.prefixes.push_back(levels_[l].ranks[path_[l]]);
      }
    }
    const std::uint32_t rare = levels_.back().ranks[set];
    for (const std::uint32_t rank : ranks_) out.pairs.push_back({rare, rank});
    const auto end = static_cast<std::uint32_t>(out.pairs.size());
    out.classes.back().end = end;
    out.groups.push_back({set, end});
  }
}

SetRange JoinRanges::next() {
  const std::uint32_t first = next_;
  std::uint64_t joins = 0;
  do {
    while (first_child_[parent_ + 1] <= next_) ++parent_;
    joins += next_ - first_child_[parent_];
    ++next_;
  } while (next_ < end_ && next_ - first < joins_ && joins < joins_);
  return {first, next_};
}

}  // namespace atl
