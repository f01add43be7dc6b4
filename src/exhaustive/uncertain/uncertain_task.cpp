#include "src/exhaustive/uncertain/uncertain_task.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "src/core/agreement.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/data/transactions/shared_transactions.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "src/work/range_piece.hpp"

namespace atl {
namespace {

constexpr std::uint32_t uncertain_task_version = 1;
constexpr const char* the_search_takes = "the search for probabilistic itemsets takes";
constexpr const char* less_to_search = "a greater support, --max-length or ";

SetRange sets_of(const Piece& piece) {
  const auto [first, end] = decode_range(piece);
  return {first, end};
}

void put_levels(ByteWriter& out, const std::vector<ItemsetLevel>& levels) {
  out.put(std::uint64_t{levels.size()});
  for (const ItemsetLevel& level : levels) {
    out.put_all(std::span(level.ranks));
    out.put_all(std::span(level.first_child));
  }
}

/// @param items  of which there are so many
std::vector<ItemsetLevel> get_levels(ByteReader& in, std::size_t items) {
  std::vector<ItemsetLevel> levels(in.get_count(16));
  for (ItemsetLevel& level : levels) {
    level.ranks = in.get_all<std::uint32_t>();
    level.first_child = in.get_all<std::uint32_t>();
    require_bytes(std::ranges::all_of(level.ranks, [&](auto rank) { return rank < items; }),
                  "a level has items that there are not");
  }
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const std::vector<std::uint32_t>& first = levels[l].first_child;
    const bool last = l + 1 == levels.size();
    require_bytes(first.size() == (last ? 0 : std::size_t{levels[l].sets()} + 1) &&
                      std::ranges::is_sorted(first) &&
                      (last || (first.front() == 0 && first.back() == levels[l + 1].sets())),
                  "a level has not what comes after it");
  }
  return levels;
}

/// @param items  of which some were kept
std::vector<std::uint32_t> get_kept(ByteReader& in, std::size_t items) {
  std::vector<std::uint32_t> kept = in.get_all<std::uint32_t>();
  require_bytes(
      std::ranges::is_sorted(kept, std::less_equal<>()) && (kept.empty() || kept.back() < items),
      "the items are not those of the data");
  return kept;
}

}  // namespace

UncertainTask::UncertainTask(UncertainTaskParts parts, ChooseUncertainMeans choose_means)
    : parts_(std::move(parts)),
      choose_means_(std::move(choose_means)),
      limits_(parts_.sets.limits) {}

PieceTraits UncertainTask::traits() const {
  PieceTraits traits;
  traits.unit = "sets";
  return traits;
}

void UncertainTask::prepare(Worker& worker) {
  report_ = &worker.report;
  std::optional<TransactionSet> read;
  on_root(worker.ranks, [&] { read = read_within(parts_.sets, worker.memory); });
  expect_room_to_share(read, worker);
  transactions_ = share(std::move(read), worker.ranks);
  limits_.min_count = parts_.sets.min_count(transactions_->size());
  UncertainLimits limits;
  limits.min_count = limits_.min_count;
  limits.min_probability = parts_.min_probability;
  limits.probabilities = parts_.sets.lists;
  MakeUncertainMeans means = choose_means_(transactions_->size(), worker);
  on_all(worker.ranks, [&] {
    within(worker.memory, the_search_takes, less_to_search, [&] {
      search_ =
          std::make_unique<UncertainSearch>(*transactions_, limits, std::move(means), worker.pool);
    });
  });
}

Identity UncertainTask::identity() const {
  Identity identity = itemset_identity(*transactions_, limits_, parts_.sets.lists);
  identity.task = "probabilistic itemsets";
  identity.version = uncertain_task_version;
  identity.marks.push_back({"another --min-probability", format_number(parts_.min_probability)});
  for (const Identity::Mark& mark : parts_.marks) identity.marks.push_back(mark);
  return identity;
}

/// Of this round.
std::uint32_t UncertainTask::sets_to_extend() const noexcept {
  return levels_.empty() ? search_->items() : levels_.back().sets();
}

std::vector<Piece> UncertainTask::pieces(int) {
  if (sets_to_extend() == 0 || limits_.max_length == 0) return {};
  return {encode_range(0, sets_to_extend())};
}

void UncertainTask::expect(const Piece& piece) const {
  require_bytes(sets_of(piece).last <= sets_to_extend(), "there are not so many sets");
}

/// Cuts by sets, but by pairs where these are made.
std::vector<Piece> UncertainTask::split(const Piece& piece, int ranks) const {
  const SetRange sets = sets_of(piece);
  const bool makes_pairs = levels_.size() == 1;
  const auto joins_before = [&](std::uint32_t set) {
    return makes_pairs ? pairs_before(std::max(set, 1U)) : set;
  };
  const std::uint64_t all = joins_before(sets.last) - joins_before(sets.first);
  const std::uint64_t share = std::max<std::uint64_t>(1, all / (4 * static_cast<unsigned>(ranks)));
  std::uint32_t end = sets.first + 1;
  while (end < sets.last && joins_before(end) - joins_before(sets.first) < share) ++end;
  if (end == sets.last) return {};
  return {encode_range(sets.first, end), encode_range(end, sets.last)};
}

std::uint64_t UncertainTask::amount(const std::vector<Piece>& pieces) const {
  std::uint64_t sets = 0;
  for (const Piece& piece : pieces) {
    const SetRange range = sets_of(piece);
    sets += range.last - range.first;
  }
  return sets;
}

void UncertainTask::merge(std::span<const std::byte> found) {
  ByteReader in(found);
  for (std::size_t parts = in.get_count(1); parts > 0; --parts) {
    UncertainChildren children = UncertainChildren::get(in);
    require_bytes(children.sets.last <= sets_to_extend(), "there are not so many sets");
    if (children.sets.first == children.sets.last) continue;  // it was stopped at once
    const std::uint32_t first = children.sets.first;
    require_bytes(found_.try_emplace(first, std::move(children)).second, "sets come twice");
  }
  in.expect_end();
}

/// Puts what was found in order behind the sets of this round.
void UncertainTask::end_round() {
  ItemsetLevel next;
  std::vector<UncertainSupport> supports;
  std::vector<std::uint32_t> first_child{0};
  for (const auto& [first, children] : found_) {
    require_bytes(first + 1 == first_child.size(), "sets are missing");
    if (next.ranks.size() + children.ranks.size() > ItemsetLevels::most_sets) {
      throw UsageError("there are more than 2^32 sets of a length: take a greater support");
    }
    for (const std::uint32_t number : children.numbers) {
      first_child.push_back(first_child.back() + number);
    }
    next.ranks.insert(next.ranks.end(), children.ranks.begin(), children.ranks.end());
    supports.insert(supports.end(), children.supports.begin(), children.supports.end());
    judged_.add(children.judged);
  }
  found_.clear();
  if (levels_.empty()) {
    kept_ = std::exchange(next.ranks, {});
    next.ranks.resize(kept_.size());
    std::iota(next.ranks.begin(), next.ranks.end(), 0U);
  } else {
    levels_.back().first_child = std::move(first_child);
  }
  levels_.push_back(std::move(next));
  supports_.push_back(std::move(supports));
}

std::optional<Bytes> UncertainTask::next() {
  end_round();
  // A set of n + 1 items has n + 1 subsets.
  if (levels_.size() >= limits_.max_length || levels_.back().sets() <= levels_.size()) {
    return std::nullopt;
  }
  ByteWriter news;
  news.put_all(std::span<const std::uint32_t>(kept_));
  put_levels(news, levels_);
  return std::move(news).take();
}

void UncertainTask::begin(std::uint32_t round, std::span<const std::byte> news) {
  if (round == 0) return;
  ByteReader in(news);
  const bool first_time = !items_kept_;
  const std::vector<std::uint32_t> kept =
      get_kept(in, first_time ? search_->items() : ~std::size_t{0});
  std::vector<ItemsetLevel> levels = get_levels(in, kept.size());
  in.expect_end();
  require_bytes(!levels.empty() && levels[0].sets() == kept.size(), "there are no items");
  if (first_time) search_->keep_items(kept);
  items_kept_ = true;
  search_->levels() = std::move(levels);
}

void UncertainTask::save(ByteWriter& out) {
  out.put_all(std::span<const std::uint32_t>(kept_));
  put_levels(out, levels_);
  for (const std::vector<UncertainSupport>& supports : supports_) put(out, supports);
  put(out, judged_);
  out.put(std::uint64_t{found_.size()});
  for (const auto& [first, children] : found_) children.put(out);
}

void UncertainTask::load(ByteReader& in) {
  kept_ = get_kept(in, search_->items());
  levels_ = get_levels(in, kept_.size());
  supports_.clear();
  for (const ItemsetLevel& level : levels_) {
    supports_.push_back(get_supports(in));
    require_bytes(supports_.back().size() == level.sets(), "a set has no support");
  }
  judged_ = get_judged(in);
  found_.clear();
  for (std::size_t parts = in.get_count(1); parts > 0; --parts) {
    UncertainChildren children = UncertainChildren::get(in);
    found_.emplace(children.sets.first, std::move(children));
  }
}

/// Sets in the order of list_itemsets().
void UncertainTask::hand_over(UncertainText& text) const {
  std::vector<SetRange> path{{0, levels_[0].sets()}};  // of each level what is still to come
  while (true) {
    if (path.back().first == path.back().last) {
      path.pop_back();
      if (path.empty()) return;
      text.remove();
      continue;
    }
    const std::size_t length = path.size();
    const ItemsetLevel& level = levels_[length - 1];
    const std::uint32_t set = path.back().first++;
    text.add(search_->names()[level.ranks[set]]);
    if (length >= limits_.min_length) text.found(supports_[length - 1][set]);
    if (level.first_child.empty()) {
      text.remove();
    } else {
      path.push_back({level.first_child[set], level.first_child[set + 1]});
    }
  }
}

/// "550 candidates: ..., 455 frequent by bounds; 42 distributions computed, ..."
std::string UncertainTask::judged_in_words() const {
  std::string words = fmt::format(
      "{}: {} in too few transactions, {} infrequent and {} frequent by bounds; {} computed",
      counted(judged_.counted, "candidate"), judged_.by_count, judged_.by_bounds, judged_.proved,
      counted(judged_.distributions, "distribution"));
  if (judged_.shared > 0) {
    words +=
        fmt::format(", {} more sets have the same transactions as one of these", judged_.shared);
  }
  if (judged_.carefully > 0) {
    words +=
        fmt::format("; {} within 1e-9 of the least probability, computed anew to the last digits",
                    judged_.carefully);
  }
  return words;
}

std::string UncertainTask::finish(const WriteText& write) {
  if (!items_kept_) search_->keep_items(kept_);
  std::vector<std::uint64_t> counts(levels_.size() + 1, 0);
  for (std::size_t l = 0; l < levels_.size(); ++l) counts[l + 1] = levels_[l].sets();
  counts = asked_lengths(std::move(counts), limits_);
  if (parts_.sets.lists) {
    const std::unique_ptr<UncertainText> text = parts_.make_text(transactions_->names(), write);
    if (!levels_.empty()) hand_over(*text);
    text->finish();
  } else {
    write(count_table(counts));
  }
  (*report_)(Severity::info, judged_in_words());
  return fmt::format("{} in at least {} of {} with a probability of {} or more",
                     counted(sum_of(counts), "set"), limits_.min_count,
                     counted(transactions_->size(), "transaction"),
                     format_number(parts_.min_probability));
}

Done UncertainTask::work(std::span<const Piece> pieces, const WriteText&, Worker& worker,
                         const std::stop_token& stop) {
  return within(worker.memory, the_search_takes, less_to_search, [&] {
    Done done;
    ByteWriter found;
    found.put(std::uint64_t{pieces.size()});
    std::uint64_t behind = amount({pieces.begin(), pieces.end()});
    for (const Piece& piece : pieces) {
      const SetRange sets = sets_of(piece);
      behind -= sets.last - sets.first;
      left_behind_ = behind;
      end_ = sets.last;
      const UncertainChildren children = search_->find(sets, stop);
      children.put(found);
      if (children.sets.last == sets.last) continue;
      if (done.rest.empty()) done.rest.emplace_back();
      done.rest.back().left.push_back(encode_range(children.sets.last, sets.last));
    }
    done.found = std::move(found).take();
    return done;
  });
}

std::optional<std::uint64_t> UncertainTask::amount_left() {
  const std::uint32_t at = search_->at(), end = end_;
  return left_behind_ + (end > at ? end - at : 0);
}

}  // namespace atl
