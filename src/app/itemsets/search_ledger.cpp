#include "src/app/itemsets/search_ledger.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace atl {

namespace {

std::size_t depth_of(const SearchLedger::Piece& piece) {
  return std::get<SearchRange>(piece).way.size();
}

}  // namespace

/// @return the end if nothing is left
SearchLedger::Entries::iterator SearchLedger::largest_left() {
  auto best = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!entry->is_left()) continue;
    if (best == entries_.end() || depth_of(entry->piece) < depth_of(best->piece)) best = entry;
  }
  return best;
}

/// Leaves the rank's share in the entry, and the rest behind it.
void SearchLedger::cut(Entries::iterator entry, int ranks) {
  auto& part = std::get<SearchRange>(entry->piece);
  const std::uint32_t items = part.end - part.first;
  const std::uint32_t share = std::max(1U, items / (2 * static_cast<std::uint32_t>(ranks)));
  if (part.end <= part.first || share >= items) return;
  SearchRange rest = part;
  part.end = rest.first = part.first + share;
  entries_.insert(std::next(entry), {std::move(rest), 0});
}

std::optional<SearchRun> SearchLedger::take(int ranks) {
  const std::scoped_lock lock(mutex_);
  auto first = ranks == 1 ? std::ranges::find_if(entries_, &Entry::is_left) : largest_left();
  if (first == entries_.end()) return std::nullopt;
  auto end = std::next(first);
  if (ranks == 1) {
    end = std::find_if_not(first, entries_.end(), [](const Entry& e) { return e.is_left(); });
  } else {
    cut(first, ranks);
    end = std::next(first);
    const std::size_t depth = depth_of(first->piece);
    while (first != entries_.begin()) {
      const auto before = std::prev(first);
      if (!before->is_left() || depth_of(before->piece) <= depth) break;
      first = before;
    }
  }
  SearchRun run{++last_run_, {}};
  std::vector<Piece> parts;
  for (auto entry = first; entry != end; ++entry) {
    run.parts.push_back(std::get<SearchRange>(entry->piece));
    parts.push_back(std::move(entry->piece));
  }
  *first = {SpooledText(), run.number, std::move(parts)};
  entries_.erase(std::next(first), end);
  runs_[run.number] = first;
  return run;
}

void SearchLedger::append(std::uint64_t run, std::string_view text) {
  const std::scoped_lock lock(mutex_);
  const auto entry = runs_.at(run);
  if (entry == entries_.begin()) {
    output_(text);
  } else {
    spool_.append(std::get<SpooledText>(entry->piece), text);
  }
}

void SearchLedger::finish(std::uint64_t run, std::vector<SearchRest> rest) {
  const std::scoped_lock lock(mutex_);
  const auto entry = runs_.at(run);
  runs_.erase(run);
  entry->run = 0;
  entry->parts.clear();
  const auto next = std::next(entry);
  const auto& text = std::get<SpooledText>(entry->piece);
  if (text.file == 0 && text.kept.empty()) entries_.erase(entry);
  for (SearchRest& part : rest) {
    for (SearchRange& left : part.left) entries_.insert(next, {std::move(left), 0});
    if (part.text.empty()) continue;
    const auto behind = entries_.insert(next, {SpooledText(), 0});
    spool_.append(std::get<SpooledText>(behind->piece), part.text);
  }
  advance();
}

/// Text that has come to the front is written.
void SearchLedger::advance() {
  while (!entries_.empty() && !entries_.front().is_left()) {
    spool_.hand_over(std::get<SpooledText>(entries_.front().piece), output_);
    if (entries_.front().run != 0) return;
    entries_.pop_front();
  }
}

std::uint64_t SearchLedger::items_left() {
  const std::scoped_lock lock(mutex_);
  std::vector<SearchRange> left;
  for (const Entry& entry : entries_) {
    if (entry.is_left()) left.push_back(std::get<SearchRange>(entry.piece));
  }
  return outermost_items(left);
}

std::vector<const SearchLedger::Piece*> SearchLedger::sync() {
  const std::scoped_lock lock(mutex_);
  std::vector<const Piece*> pieces;
  for (Entry& entry : entries_) {
    for (const Piece& part : entry.parts) pieces.push_back(&part);
    if (entry.run != 0) continue;
    if (!entry.is_left()) spool_.sync(std::get<SpooledText>(entry.piece));
    pieces.push_back(&entry.piece);
  }
  return pieces;
}

}  // namespace atl
