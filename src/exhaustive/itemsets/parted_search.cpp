#include "src/exhaustive/itemsets/parted_search.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

#include "src/core/bytes.hpp"
#include "src/core/error.hpp"
#include "src/exhaustive/itemsets/itemset_searchers.hpp"

namespace atl {

PartedSearch::PartedSearch(const TransactionSet& transactions, const ItemsetLimits& limits,
                           bool lists, ThreadPool& pool)
    : limits_(limits),
      lists_(lists),
      pool_(pool),
      whole_(whole_search(transactions, limits, lists)) {
  assert(limits.min_count > 0 && transactions.size() >= limits.min_count);
}

const Branch& PartedSearch::root() {
  if (!root_) root_ = root_loop(whole_, limits_, lists_);
  return *root_;
}

SearchRange PartedSearch::whole() const {
  return {{}, 0, static_cast<std::uint32_t>(whole_.end)};
}

SearchRange PartedSearch::loop() {
  return {{}, 0, static_cast<std::uint32_t>(root().end)};
}

std::vector<Branch> PartedSearch::branches_of(const std::vector<SearchRange>& parts) {
  std::vector<Branch> branches;
  for (const SearchRange& part : parts) {
    if (part.begins() && (part.end >= whole_.end || !root().node)) {
      branches.push_back(whole_);
      continue;
    }
    Branch branch = root();
    if (!branch.node) throw BadBytes("a part of a search that has none");
    branch.with_prefix = branch.with_prefix && part.begins();
    branch.way = part.way;
    branch.first = part.first;
    branch.end = part.way.empty() ? std::min<std::size_t>(part.end, branch.end) : part.end;
    // What the search does at the beginning of a loop depends on all that is in it.
    branch.far = !part.way.empty() || part.first == 0;
    branches.push_back(std::move(branch));
  }
  return branches;
}

std::vector<SearchRest> PartedSearch::run(SharedSearch& search,
                                          const std::vector<SearchRange>& parts,
                                          const std::stop_token& stop) {
  struct Running {
    PartedSearch& of;
    Running(PartedSearch& parted, SharedSearch& search) : of(parted) { set(&search); }
    ~Running() { set(nullptr); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    void set(SharedSearch* search) {
      const std::scoped_lock lock(of.mutex_);
      of.running_ = search;
    }
  } const running(*this, search);
  const std::stop_callback stopping(stop, [&] { search.stop(); });
  return search.run(branches_of(parts));
}

std::optional<std::uint64_t> PartedSearch::items_left() {
  const std::scoped_lock lock(mutex_);
  if (running_ == nullptr) return std::nullopt;
  return outermost_items(running_->look());
}

std::vector<SearchRest> PartedSearch::count(const std::vector<SearchRange>& parts,
                                            ItemsetTally& sum, const std::stop_token& stop) {
  std::vector<std::unique_ptr<ItemsetTally>> tallies;
  SharedSearch search(
      pool_,
      [&](SearchTrail& trail, const SharedSearch::Write&) {
        tallies.push_back(std::make_unique<ItemsetTally>());
        return std::make_unique<ItemsetCountSearcher>(limits_, *tallies.back(), &trail);
      },
      nullptr);
  std::vector<SearchRest> rest = run(search, parts, stop);
  for (const auto& part : tallies) sum.add(*part);
  return rest;
}

std::vector<SearchRest> PartedSearch::list(const std::vector<SearchRange>& parts,
                                           const MakeItemsetText& make, const WriteText& write,
                                           const std::stop_token& stop,
                                           std::atomic<std::uint64_t>& sets) {
  if (pool_.threads() == 1 && !stop.stop_possible() && parts == std::vector{whole()}) {
    ItemsetListSearcher(limits_, make(write), nullptr, sets).search(whole_);
    return {};
  }
  SharedSearch search(
      pool_,
      [&](SearchTrail& trail, SharedSearch::Write part) {
        return std::make_unique<ItemsetListSearcher>(limits_, make(std::move(part)), &trail, sets);
      },
      write);
  return run(search, parts, stop);
}

}  // namespace atl
