#include "src/exhaustive/rules/enumerate_task.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "src/core/agreement.hpp"

namespace atl {

namespace {

/// Shares of a range are cut so small that ranks have about two each.
constexpr int shares_of_rank = 2;
/// Smaller shares of all antecedents, that many for each rank, are not worth a message: a rank that
/// has too much by that is asked to give some back.
constexpr int least_shares_of_rank = 64;

std::uint64_t whole(double antecedents) {
  constexpr double most = 1e18;
  return static_cast<std::uint64_t>(std::clamp(antecedents, 0.0, most));
}

}  // namespace

void EnumerateTask::prepare(Worker& worker) {
  std::optional<Items> read;
  on_root(worker.ranks, [&] {
    within(worker.memory, "the table and its items take", {}, [&] { read.emplace(parts_.read()); });
  });
  items_.emplace(Items::share(std::move(read), worker.ranks));
  limits_.min_count = min_support_.minimum_count(items_->rows());
  within(worker.memory, "counts of pairs of items take", "fewer --max-bins or ",
         [&] { space_.emplace(*items_, limits_, worker.pool, worker.ranks); });
  if (worker.ranks.rank() == 0) rules_.emplace(*items_, limits_, top_);
}

Identity EnumerateTask::identity() const {
  Identity identity{"enumerate", 1, parts_.marks()};
  identity.marks.push_back({"another --top", std::to_string(top_)});
  identity.marks.push_back({"another --max-length", std::to_string(limits_.max_length)});
  identity.marks.push_back({"another --min-support", std::to_string(limits_.min_count)});
  identity.marks.push_back({"another --max-consequent", std::to_string(limits_.max_consequent)});
  return identity;
}

Bytes EnumerateTask::news() const {
  const WalkedLength length = rules_->length();
  ByteWriter out;
  out.put(std::uint64_t{length.antecedent});
  out.put(length.threshold);
  return std::move(out).take();
}

Bytes EnumerateTask::first() {
  return news();
}

std::optional<Bytes> EnumerateTask::next() {
  if (!rules_->next_length()) return std::nullopt;
  return news();
}

void EnumerateTask::begin(std::uint32_t, std::span<const std::byte> news) {
  ByteReader in(news);
  length_.antecedent = in.get<std::uint64_t>();
  length_.threshold = in.get<std::int64_t>();
  require_bytes(length_.antecedent >= 1 && length_.antecedent < limits_.max_length, "no length");
  counts_ = AntecedentCounts(*items_, length_.antecedent);
}

std::vector<Piece> EnumerateTask::pieces(int) {
  return {to_bytes({{}, 0, static_cast<Item>(items_->size())})};
}

void EnumerateTask::expect(const Piece& piece) const {
  const WalkRange range = walk_range_from(piece);
  require_bytes(range.way.size() < length_.antecedent && range.first < range.end &&
                    range.end <= items_->size(),
                "no range of antecedents");
  std::optional<Item> last;
  for (const Item item : range.way) {
    require_bytes(
        item < items_->size() && (!last || items_->attribute(item) > items_->attribute(*last)),
        "no way to antecedents");
    last = item;
  }
  require_bytes(!last || range.first > *last, "a range before its way");
}

std::vector<Piece> EnumerateTask::split(const Piece& piece, int ranks) const {
  WalkRange range = walk_range_from(piece);
  if (range.end - range.first < 2 || !is_worth_a_cut(range, ranks)) return {};
  WalkRange rest = range;
  range.end = rest.first = counts_.cut(range, 1.0 / (shares_of_rank * ranks));
  return {to_bytes(range), to_bytes(rest)};
}

bool EnumerateTask::is_worth_a_cut(const WalkRange& range, int ranks) const {
  // The innermost loop takes little time.
  if (!range.way.empty()) return range.way.size() + 1 < length_.antecedent;
  const double all = counts_.of({{}, 0, static_cast<Item>(items_->size())});
  return counts_.of(range) * least_shares_of_rank * ranks > all;
}

std::uint32_t EnumerateTask::depth(const Piece& piece) const {
  return static_cast<std::uint32_t>(walk_range_from(piece).way.size());
}

std::uint64_t EnumerateTask::amount(const std::vector<Piece>& pieces) const {
  double all = 0;
  for (const Piece& piece : pieces) all += counts_.of(walk_range_from(piece));
  return whole(all);
}

void EnumerateTask::merge(std::span<const std::byte> found) {
  ByteReader in(found);
  WalkFindings findings;
  findings.evaluated = in.get<std::uint64_t>();
  findings.counted = in.get<std::uint64_t>();
  findings.rules = get_rules(in, *items_);
  rules_->add(std::move(findings));
}

Done EnumerateTask::work(std::span<const Piece> pieces, const WriteText&, Worker& worker,
                         const std::stop_token& stop) {
  std::vector<WalkRange> ranges;
  double all = 0;
  for (const Piece& piece : pieces) {
    ranges.push_back(walk_range_from(piece));
    all += counts_.of(ranges.back());
  }
  progress_.left = all;
  const WalkFindings found = walk(*space_, length_, ranges, worker.pool, stop, &progress_);
  ByteWriter out;
  out.put(found.evaluated);
  out.put(found.counted);
  put(out, found.rules);
  Done done{std::move(out).take(), {}};
  if (!found.left.empty()) done.rest.emplace_back();
  for (const WalkRange& range : found.left) done.rest.front().left.push_back(to_bytes(range));
  return done;
}

std::optional<std::uint64_t> EnumerateTask::amount_left() {
  return whole(progress_.left);
}

std::string EnumerateTask::finish(const WriteText& write) {
  return parts_.finish(rules_->mined(), write);
}

}  // namespace atl
