#include "src/exhaustive/pairs/pair_task.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "src/core/agreement.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/data/transactions/shared_transactions.hpp"
#include "src/measures/measures.hpp"
#include "src/work/range_piece.hpp"

namespace atl {
namespace {

constexpr std::uint32_t pair_task_version = 1;
constexpr const char* pairs_take = "counting pairs takes";
constexpr const char* less_of_pairs =
    "a greater support, --representation lists, fewer --threads or ";

RankRange rows_of(const Piece& piece) {
  const auto [first, end] = decode_range(piece);
  return {first, end};
}

std::string sort_in_words(const ItemsetRuleChoice& choice) {
  return choice.sort ? std::string(info(*choice.sort).name) : "";
}

}  // namespace

PairTask::PairTask(ItemsetTaskParts parts, ChoosePairMeans choose_means,
                   std::optional<PairRulesParts> rules)
    : parts_(std::move(parts)),
      choose_means_(std::move(choose_means)),
      rules_(std::move(rules)),
      limits_(parts_.limits) {}

PieceTraits PairTask::traits() const {
  PieceTraits traits;
  traits.unit = "pairs";
  return traits;
}

void PairTask::prepare(Worker& worker) {
  std::optional<TransactionSet> read;
  on_root(worker.ranks, [&] { read = read_within(parts_, worker.memory); });
  expect_room_to_share(read, worker);
  transactions_ = share(std::move(read), worker.ranks);
  limits_.min_count = parts_.min_count(transactions_->size());
  std::optional<PairRows> rows;
  on_all(worker.ranks, [&] {
    within(worker.memory, pairs_take, less_of_pairs,
           [&] { rows.emplace(*transactions_, limits_.min_count, &worker.pool); });
  });
  const PairMeans means = choose_means_(*rows);
  on_all(worker.ranks, [&] {
    within(worker.memory, pairs_take, less_of_pairs, [&] {
      search_ = std::make_unique<PairSearch>(std::move(*rows), limits_.min_count, means,
                                             worker.pool, worker.memory);
    });
  });
  maker_.emplace(search_->rows(), transactions_->size(), rules_ ? rules_->choice : no_choice_);
  merged_.emplace(*maker_);
  if (worker.ranks.rank() == 0 && items() > 1) {
    worker.report(Severity::info, "counting " + search_->plan().in_words());
  }
}

Identity PairTask::identity() const {
  Identity identity = itemset_identity(*transactions_, limits_, parts_.lists);
  identity.task = "pairs";
  identity.version = pair_task_version;
  identity.marks.push_back({rules_ ? "no --rules" : "--rules", rules_ ? "rules" : "sets"});
  if (!rules_) return identity;
  const ItemsetRuleChoice& choice = rules_->choice;
  identity.marks.push_back(
      {"another --min-confidence", format_number(choice.limits.min_confidence)});
  identity.marks.push_back({"another --sort", sort_in_words(choice)});
  identity.marks.push_back({"another --top", std::to_string(choice.top)});
  for (const Identity::Mark& mark : rules_->marks) identity.marks.push_back(mark);
  return identity;
}

std::vector<Piece> PairTask::pieces(int) {
  if (items() == 0) return {};
  return {encode_range(0, items())};
}

void PairTask::expect(const Piece& piece) const {
  require_bytes(rows_of(piece).end <= items(), "there are not so many frequent items");
}

/// Cuts by pairs, between bands.
std::vector<Piece> PairTask::split(const Piece& piece, int ranks) const {
  const RankRange rows = rows_of(piece);
  const std::uint32_t band = search_->plan().band_rows();
  const std::uint64_t share =
      pairs_of_rows(rows.first, rows.end) / (2 * static_cast<std::uint64_t>(ranks));
  std::uint32_t end = (rows.first / band + 1) * band;
  while (end < rows.end && pairs_of_rows(rows.first, end) < share) end += band;
  if (end >= rows.end) return {};
  return {encode_range(rows.first, end), encode_range(end, rows.end)};
}

std::uint64_t PairTask::amount(const std::vector<Piece>& pieces) const {
  std::uint64_t pairs = 0;
  for (const Piece& piece : pieces) {
    const RankRange rows = rows_of(piece);
    pairs += pairs_of_rows(rows.first, rows.end);
  }
  return pairs;
}

void PairTask::merge(std::span<const std::byte> found) {
  ByteReader in(found);
  merged_->pairs += in.get<std::uint64_t>();
  merged_->rules += in.get<std::uint64_t>();
  merged_->best.get(in);
  in.expect_end();
}

void PairTask::save(ByteWriter& out) {
  out.put(merged_->pairs);
  out.put(merged_->rules);
  merged_->best.put(out);
}

void PairTask::load(ByteReader& in) {
  Found found(*maker_);
  found.pairs = in.get<std::uint64_t>();
  found.rules = in.get<std::uint64_t>();
  found.best.get(in);
  merged_.emplace(std::move(found));
}

std::string PairTask::finish(const WriteText& write) {
  if (!rules_) {
    if (!parts_.lists) {
      const std::uint64_t by_length[] = {0, 0, merged_->pairs};
      write(count_table(by_length));
    }
    return sets_in_words(merged_->pairs, limits_, *transactions_);
  }
  std::string said = counted(merged_->rules, "rule");
  if (sorts() || items() == 0) {
    const auto text = rules_->make_text(transactions_->names(), write, ItemsetRulePart::first);
    const std::vector<PairRule> best = merged_->best.sorted();
    for (const PairRule& rule : best) {
      maker_->tell(rule, [&](const ItemsetRule& told) { text->write(told); });
    }
    text->finish();
    if (best.size() < merged_->rules) {
      said = "the best " + std::to_string(best.size()) + " of " + said;
    }
  }
  return fmt::format("{} in at least {} of {}", said, limits_.min_count,
                     counted(transactions_->size(), "transaction"));
}

void PairTask::use(const PairRow& row, ItemsetText* sets, ItemsetRuleText* rules,
                   Found& found) const {
  found.pairs += row.columns.size();
  const std::vector<std::uint32_t>& names = search_->rows().names;
  if (sets != nullptr && !row.columns.empty()) {
    sets->add(names[row.row]);
    for (std::size_t k = 0; k < row.columns.size(); ++k) {
      sets->add(names[row.columns[k]]);
      sets->found(row.counts[k]);
      sets->remove();
    }
    sets->remove();
  }
  if (!rules_) return;
  for (std::size_t k = 0; k < row.columns.size(); ++k) {
    maker_->for_each(row.row, row.columns[k], row.counts[k], [&](const PairRule& rule) {
      ++found.rules;
      if (rules == nullptr) return found.best.take(rule);
      maker_->tell(rule, [&](const ItemsetRule& told) { rules->write(told); });
    });
  }
}

/// Rows of one band.
void PairTask::find(RankRange rows, unsigned worker, Found& found) {
  const WriteText append = [&](std::string_view text) { found.text += text; };
  std::unique_ptr<ItemsetText> sets;
  std::unique_ptr<ItemsetRuleText> rules;
  if (rules_ && !sorts()) {
    const auto part = rows.first == 0 ? ItemsetRulePart::first : ItemsetRulePart::later;
    rules = rules_->make_text(transactions_->names(), append, part);
  } else if (!rules_ && parts_.lists) {
    sets = parts_.make_text(transactions_->names(), append);
  }
  const std::size_t band = rows.first / search_->plan().band_rows();
  search_->count(band, rows, worker,
                 [&](const PairRow& row) { use(row, sets.get(), rules.get(), found); });
  if (sets) sets->finish();
  if (rules) rules->finish();
}

std::uint32_t PairTask::work_on(RankRange rows, const WriteText& write, Worker& worker,
                                const std::stop_token& stop, Found& all) {
  const std::uint32_t band = search_->plan().band_rows();
  const std::size_t together = std::size_t{2} * worker.pool.threads();
  std::uint32_t first = rows.first;
  while (first < rows.end && !stop.stop_requested()) {
    std::vector<RankRange> parts;
    for (std::uint32_t at = first; at < rows.end && parts.size() < together;) {
      const std::uint32_t end = std::min(rows.end, (at / band + 1) * band);
      parts.push_back({at, end});
      at = end;
    }
    std::vector<Found> found(parts.size(), Found(*maker_));
    worker.pool.wait(worker.pool.submit(
        parts.size(), [&](std::size_t k, unsigned thread) { find(parts[k], thread, found[k]); }));
    for (const Found& part : found) {
      all.pairs += part.pairs;
      all.rules += part.rules;
      all.best.merge(part.best);
      if (!part.text.empty()) write(part.text);
    }
    pairs_left_ -= pairs_of_rows(first, parts.back().end);
    first = parts.back().end;
  }
  return first;
}

Done PairTask::work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
                    const std::stop_token& stop) {
  pairs_left_ = amount({pieces.begin(), pieces.end()});
  return within(worker.memory, pairs_take, less_of_pairs, [&] {
    Done done;
    Found all(*maker_);
    for (const Piece& piece : pieces) {
      const RankRange rows = rows_of(piece);
      const std::uint32_t at = work_on(rows, write, worker, stop, all);
      if (at == rows.end) continue;
      if (done.rest.empty()) done.rest.emplace_back();
      done.rest.back().left.push_back(encode_range(at, rows.end));
    }
    ByteWriter out;
    out.put(all.pairs);
    out.put(all.rules);
    all.best.put(out);
    done.found = std::move(out).take();
    return done;
  });
}

std::optional<std::uint64_t> PairTask::amount_left() {
  return pairs_left_.load();
}

}  // namespace atl
