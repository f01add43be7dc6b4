#include "src/exhaustive/levels/level_task.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "src/core/agreement.hpp"
#include "src/core/text/near_names.hpp"
#include "src/work/range_piece.hpp"

namespace atl {
namespace {

constexpr std::uint32_t task_version = 1;

}  // namespace

void expect_room_for_columns(const TransactionSet& transactions, std::uint64_t min_count,
                             const MemoryLimit& memory) {
  const auto items = static_cast<std::uint64_t>(std::ranges::count_if(
      transactions.supports(), [&](std::uint32_t support) { return support >= min_count; }));
  const std::uint64_t bytes = ItemBitmaps::bytes(items, transactions.size());
  const std::uint64_t left = memory.left();
  if (bytes <= left) return;
  throw UsageError(fmt::format(
      "apriori needs {} MiB for the bit columns of {}, beyond what --memory-limit leaves ({} MiB): "
      "take a greater support, or the default algorithm",
      (bytes >> 20) + 1, counted(items, "frequent item"), left >> 20));
}

LevelTask::LevelTask(ItemsetTaskParts parts, MakeCandidateCounter make_counter)
    : parts_(std::move(parts)), make_counter_(std::move(make_counter)), limits_(parts_.limits) {}

PieceTraits LevelTask::traits() const {
  PieceTraits traits;
  traits.unit = "sets";
  traits.root_alone = true;
  return traits;
}

void LevelTask::prepare(Worker& worker) {
  on_root(worker.ranks, [&] {
    transactions_ = read_within(parts_, worker.memory);
    limits_.min_count = parts_.min_count(transactions_->size());
    expect_room_for_columns(*transactions_, limits_.min_count, worker.memory);
    bitmaps_.emplace(*transactions_, limits_.min_count);
    counter_ = make_counter_(*bitmaps_, worker);
    search_.emplace(*bitmaps_, limits_, *counter_, worker.pool, worker.memory.left());
  });
}

Identity LevelTask::identity() const {
  Identity identity = itemset_identity(*transactions_, limits_, parts_.lists);
  identity.task = "apriori";
  identity.version = task_version;
  return identity;
}

std::vector<Piece> LevelTask::pieces(int) {
  if (!search_->has_next()) return {};
  return {encode_range(0, search_->last_level_size())};
}

void LevelTask::expect(const Piece& piece) const {
  require_bytes(search_->has_next() && decode_range(piece).end <= search_->last_level_size(),
                "there are not so many sets");
}

std::uint64_t LevelTask::amount(const std::vector<Piece>& pieces) const {
  std::uint64_t sets = 0;
  for (const Piece& piece : pieces) sets += decode_range(piece).end - decode_range(piece).first;
  return sets;
}

std::optional<Bytes> LevelTask::next() {
  if (!search_->has_next()) return std::nullopt;
  search_->end_level();
  if (!search_->has_next()) return std::nullopt;
  return Bytes();
}

void LevelTask::save(ByteWriter& out) {
  search_->save(out);
}

void LevelTask::load(ByteReader& in) {
  search_->load(in);
}

std::string LevelTask::finish(const WriteText& write) {
  const ItemsetLevels levels = search_->take();
  const std::vector<std::uint64_t> counts = levels.by_length(limits_);
  if (parts_.lists) {
    const std::unique_ptr<ItemsetText> text = parts_.make_text(transactions_->names(), write);
    levels.hand_over(limits_, *text);
    text->finish();
  } else {
    write(count_table(counts));
  }
  return sets_in_words(sum_of(counts), limits_, *transactions_);
}

Done LevelTask::work(std::span<const Piece> pieces, const WriteText&, Worker&,
                     const std::stop_token& stop) {
  Done done;
  for (const Piece& piece : pieces) {
    const auto [first, end] = decode_range(piece);
    const std::uint32_t at = search_->work(first, end, stop);
    if (at < end) done.rest.push_back({{encode_range(at, end)}, ""});
  }
  return done;
}

}  // namespace atl
