#include "src/exhaustive/itemsets/itemset_task.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "src/core/agreement.hpp"
#include "src/core/hash.hpp"
#include "src/core/text/near_names.hpp"
#include "src/data/transactions/shared_transactions.hpp"
#include "src/exhaustive/itemsets/search_branch.hpp"

namespace atl {
namespace {

constexpr const char* what_takes = "the search takes";
constexpr const char* instead = "a greater support, fewer --threads or ";

std::vector<SearchRange> decoded(std::span<const Piece> pieces) {
  std::vector<SearchRange> ranges;
  for (const Piece& piece : pieces) ranges.push_back(decode_range(piece));
  return ranges;
}

std::vector<Rest> encoded(std::vector<SearchRest> rest) {
  std::vector<Rest> all;
  for (SearchRest& part : rest) {
    Rest& here = all.emplace_back();
    for (const SearchRange& range : part.left) here.left.push_back(encode(range));
    here.text = std::move(part.text);
  }
  return all;
}

Bytes encoded_findings(ItemsetTally& tally, std::uint64_t sets) {
  ByteWriter out;
  put(out, tally);
  out.put(sets);
  return std::move(out).take();
}

}  // namespace

std::string count_table(std::span<const std::uint64_t> counts) {
  std::string text = "length\tsets\n";
  for (std::size_t length = 1; length < counts.size(); ++length) {
    if (counts[length] != 0) text += fmt::format("{}\t{}\n", length, counts[length]);
  }
  return text;
}

std::uint64_t sum_of(std::span<const std::uint64_t> counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t sets : counts) all = all + sets < all ? ~std::uint64_t{0} : all + sets;
  return all;
}

void expect_room_to_share(const std::optional<TransactionSet>& read, const Worker& worker) {
  Communicator& ranks = worker.ranks;
  if (ranks.size() == 1) return;
  const Bytes told = bytes_of_root(ranks, [&] {
    ByteWriter out;
    out.put(2 * bytes_to_share(*read));
    return std::move(out).take();
  });
  const auto needed = ByteReader(told).get<std::uint64_t>();
  on_all(ranks, [&] {
    if (needed <= worker.memory.left()) return;
    throw_too_much("the transactions on each rank take", "fewer ranks or ", worker.memory);
  });
}

ItemsetTask::ItemsetTask(ItemsetTaskParts parts)
    : parts_(std::move(parts)), limits_(parts_.limits) {}

PieceTraits ItemsetTask::traits() const {
  PieceTraits traits;
  traits.unit = "items";
  traits.pauses = device_ == nullptr;
  traits.may_be_answered = rival_ != nullptr;
  return traits;
}

void ItemsetTask::prepare(Worker& worker) {
  std::optional<TransactionSet> read;
  on_root(worker.ranks, [&] { read = read_within(parts_, worker.memory); });
  expect_room_to_share(read, worker);
  transactions_ = share(std::move(read), worker.ranks);
  limits_.min_count = parts_.min_count(transactions_->size());
  if (transactions_->size() < limits_.min_count) return;
  if (worker.ranks.size() == 1) report_ = &worker.report;
  if (parts_.make_counter) {
    NamedCounter made = parts_.make_counter(*transactions_, limits_);
    device_ = std::move(made.counter);
    device_name_ = std::move(made.device);
  }
  if (parts_.make_rival) rival_ = parts_.make_rival(*transactions_, limits_);
  on_all(worker.ranks, [&] {
    within(worker.memory, what_takes, instead,
           [&] { search_.emplace(*transactions_, limits_, parts_.lists, worker.pool); });
  });
}

TransactionSet read_within(const ItemsetTaskParts& parts, const MemoryLimit& memory) {
  return within(memory, parts.data + " takes", {}, parts.read);
}

Identity itemset_identity(const TransactionSet& transactions, const ItemsetLimits& limits,
                          bool lists) {
  return {
      "itemsets",
      PartedSearch::version,
      {{"other transactions", to_hex(hash_of(transactions))},
       {"another --min-support or --min-count", std::to_string(limits.min_count)},
       {"another --min-length", std::to_string(limits.min_length)},
       {"another --max-length", std::to_string(limits.max_length)},
       {"other sets (--closed, --maximal)", std::to_string(static_cast<unsigned>(limits.family))},
       {lists ? "--count-only" : "no --count-only", lists ? "list" : "count"}}};
}

std::string work_in_words(const std::string& device, const ItemsetCounts& work) {
  return fmt::format(
      "{}: searched in {:.3f} s, {} prefixes, {:.3g} words of 32 transactions ANDed and counted, "
      "{:.3g} sets in tables",
      device, work.seconds, work.nodes, static_cast<double>(work.words),
      static_cast<double>(work.entries));
}

std::string sets_in_words(std::uint64_t sets, const ItemsetLimits& limits,
                          const TransactionSet& transactions) {
  return fmt::format("{} in at least {} of {}", counted(sets, "set"), limits.min_count,
                     counted(transactions.size(), "transaction"));
}

Identity ItemsetTask::identity() const {
  return itemset_identity(*transactions_, limits_, parts_.lists);
}

std::vector<Piece> ItemsetTask::pieces(int ranks) {
  if (!search_) return {};
  return {encode(ranks == 1 ? search_->whole() : search_->loop())};
}

void ItemsetTask::expect(const Piece& piece) const {
  const SearchRange range = decode_range(piece);
  const std::size_t items = transactions_->item_count();
  require_bytes(search_.has_value(), "there is nothing to search");
  require_bytes(range.end <= items && range.way.size() < items &&
                    std::ranges::all_of(range.way, [&](std::uint32_t at) { return at < items; }),
                "a part of a search has items that there are not");
}

std::vector<Piece> ItemsetTask::split(const Piece& piece, int ranks) const {
  SearchRange share = decode_range(piece);
  const std::uint32_t items = share.end - share.first;
  const std::uint32_t some = std::max(1U, items / (2 * static_cast<std::uint32_t>(ranks)));
  if (some >= items) return {};
  SearchRange rest = share;
  share.end = rest.first = share.first + some;
  return {encode(share), encode(rest)};
}

std::uint32_t ItemsetTask::depth(const Piece& piece) const {
  return static_cast<std::uint32_t>(decode_range(piece).way.size());
}

std::uint64_t ItemsetTask::amount(const std::vector<Piece>& pieces) const {
  return outermost_items(decoded(pieces));
}

void ItemsetTask::merge(std::span<const std::byte> found) {
  ByteReader in(found);
  get_tally(in, tally_, transactions_->item_count());
  sets_ += in.get<std::uint64_t>();
}

void ItemsetTask::save(ByteWriter& out) {
  put(out, tally_);
  out.put(sets_);
}

void ItemsetTask::load(ByteReader& in) {
  std::size_t longest = 0;
  for (std::uint32_t t = 0; t < transactions_->size(); ++t) {
    longest = std::max<std::size_t>(longest, transactions_->transaction(t).size());
  }
  ItemsetTally tally;
  get_tally(in, tally, longest);
  sets_ = in.get<std::uint64_t>();
  tally_ = std::move(tally);
}

bool ItemsetTask::is_answered(const std::function<bool()>& own_is_done) {
  answer_ = rival_(own_is_done);
  return answer_.has_value();
}

std::string ItemsetTask::finish(const WriteText& write) {
  std::uint64_t sets = sets_;
  if (!parts_.lists) {
    if (!answer_) answer_ = asked_lengths(tally_.by_length(), limits_);
    write(count_table(*answer_));
    sets = sum_of(*answer_);
  }
  if (device_ && report_) (*report_)(Severity::info, work_in_words(device_name_, device_work_));
  return sets_in_words(sets, limits_, *transactions_);
}

/// A device counts parts of the outermost loop, as items have the same ranks for it.
Done ItemsetTask::count_on_device(const std::vector<SearchRange>& ranges,
                                  const std::stop_token& stop) {
  ItemsetTally tally;
  Done done;
  for (const SearchRange& range : ranges) {
    if (range == search_->whole()) {
      device_->start();
    } else {
      device_->start_part(range.first, range.end);
    }
    while (!device_->ready() && !stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    const bool counted_it = device_->ready();
    device_->cancel();
    device_->finish();
    if (counted_it) {
      ItemsetCounts counts = device_->read();
      tally.add(counts.tally);
      device_work_.seconds += counts.seconds;
      device_work_.nodes += counts.nodes;
      device_work_.words += counts.words;
      device_work_.entries += counts.entries;
    } else {
      if (done.rest.empty()) done.rest.emplace_back();
      done.rest.back().left.push_back(encode(range));
    }
  }
  done.found = encoded_findings(tally, 0);
  return done;
}

Done ItemsetTask::work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
                       const std::stop_token& stop) {
  const std::vector<SearchRange> ranges = decoded(pieces);
  const auto at_items = [](const SearchRange& part) { return part.way.empty() && part.end > 0; };
  if (device_ && std::ranges::all_of(ranges, at_items)) return count_on_device(ranges, stop);
  return within(worker.memory, what_takes, instead, [&] {
    ItemsetTally tally;
    std::atomic<std::uint64_t> sets = 0;
    Done done;
    if (parts_.lists) {
      const auto make = [&](WriteText part) {
        return parts_.make_text(transactions_->names(), std::move(part));
      };
      done.rest = encoded(search_->list(ranges, make, write, stop, sets));
    } else {
      done.rest = encoded(search_->count(ranges, tally, stop));
    }
    done.found = encoded_findings(tally, sets);
    return done;
  });
}

std::optional<std::uint64_t> ItemsetTask::amount_left() {
  return search_ ? search_->items_left() : std::nullopt;
}

}  // namespace atl
