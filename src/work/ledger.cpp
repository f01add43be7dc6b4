#include "src/work/ledger.hpp"

#include <algorithm>
#include <iterator>

namespace atl {

Ledger::Entry Ledger::entry_of(Piece piece) const {
  const std::uint32_t depth = task_.depth(piece);
  return {std::move(piece), 0, depth};
}

void Ledger::add(Item item) {
  if (auto* const piece = std::get_if<Piece>(&item)) {
    entries_.push_back(entry_of(std::move(*piece)));
  } else {
    entries_.push_back({std::move(item)});
  }
}

/// @return the end if nothing is left
Ledger::Entries::iterator Ledger::least_deep() {
  auto best = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!entry->is_left()) continue;
    if (best == entries_.end() || entry->depth < best->depth) best = entry;
  }
  return best;
}

/// Leaves the rank's share in the entry, and the rest behind it.
void Ledger::cut(Entries::iterator entry, int ranks) {
  std::vector<Piece> cuts = task_.split(std::get<Piece>(entry->item), ranks);
  if (cuts.empty()) return;
  *entry = entry_of(std::move(cuts.front()));
  const auto next = std::next(entry);
  for (std::size_t k = 1; k < cuts.size(); ++k) entries_.insert(next, entry_of(std::move(cuts[k])));
}

std::optional<PieceRun> Ledger::take(int ranks) {
  const std::scoped_lock lock(mutex_);
  const bool all = ranks == 1 && !traits_.one_by_one;
  auto first = all ? std::ranges::find_if(entries_, &Entry::is_left) : least_deep();
  if (first == entries_.end()) return std::nullopt;
  auto end = std::next(first);
  if (all) {
    end = std::find_if_not(first, entries_.end(), [](const Entry& e) { return e.is_left(); });
  } else if (!traits_.one_by_one) {
    cut(first, ranks);
    end = std::next(first);
    const std::uint32_t depth = first->depth;
    while (first != entries_.begin()) {
      const auto before = std::prev(first);
      if (!before->is_left() || before->depth <= depth) break;
      first = before;
    }
  }
  PieceRun run{++last_run_, {}};
  std::vector<Item> parts;
  for (auto entry = first; entry != end; ++entry) {
    run.pieces.push_back(std::get<Piece>(entry->item));
    parts.push_back(std::move(entry->item));
  }
  *first = {SpooledText(), run.number, 0, std::move(parts)};
  entries_.erase(std::next(first), end);
  runs_[run.number] = first;
  return run;
}

void Ledger::append(std::uint64_t run, std::string_view text) {
  const std::scoped_lock lock(mutex_);
  const auto entry = runs_.at(run);
  if (entry == entries_.begin()) {
    output_(text);
  } else {
    spool_.append(std::get<SpooledText>(entry->item), text);
  }
}

void Ledger::finish(std::uint64_t run, std::vector<Rest> rest) {
  const std::scoped_lock lock(mutex_);
  const auto entry = runs_.at(run);
  runs_.erase(run);
  entry->run = 0;
  entry->parts.clear();
  const auto next = std::next(entry);
  const auto& text = std::get<SpooledText>(entry->item);
  if (text.file == 0 && text.kept.empty()) entries_.erase(entry);
  for (Rest& part : rest) {
    for (Piece& left : part.left) entries_.insert(next, entry_of(std::move(left)));
    if (part.text.empty()) continue;
    const auto behind = entries_.insert(next, {SpooledText()});
    spool_.append(std::get<SpooledText>(behind->item), part.text);
  }
  advance();
}

/// Text that has come to the front is written.
void Ledger::advance() {
  while (!entries_.empty() && !entries_.front().is_left()) {
    spool_.hand_over(std::get<SpooledText>(entries_.front().item), output_);
    if (entries_.front().run != 0) return;
    entries_.pop_front();
  }
}

std::vector<Piece> Ledger::pieces_left() {
  const std::scoped_lock lock(mutex_);
  std::vector<Piece> left;
  for (const Entry& entry : entries_) {
    if (entry.is_left()) left.push_back(std::get<Piece>(entry.item));
  }
  return left;
}

std::vector<const Ledger::Item*> Ledger::sync() {
  const std::scoped_lock lock(mutex_);
  std::vector<const Item*> items;
  for (Entry& entry : entries_) {
    for (const Item& part : entry.parts) items.push_back(&part);
    if (entry.run != 0) continue;
    if (!entry.is_left()) spool_.sync(std::get<SpooledText>(entry.item));
    items.push_back(&entry.item);
  }
  return items;
}

}  // namespace atl
