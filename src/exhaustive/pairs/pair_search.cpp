#include "src/exhaustive/pairs/pair_search.hpp"

#include <algorithm>
#include <utility>

#include "src/exhaustive/itemsets/bit_columns.hpp"

namespace atl {
namespace {

constexpr const char* another_form = "a greater support, --representation lists or ";
constexpr const char* fewer_threads = "fewer --threads, a greater support or ";

}  // namespace

PairSearch::PairSearch(PairRows rows, std::uint64_t min_count, const PairMeans& means,
                       ThreadPool& pool, const MemoryLimit& memory)
    : rows_(std::move(rows)),
      min_count_(min_count),
      plan_(rows_, means.form, means.band_rows, means.costs),
      counters_(pair_forms),
      scratch_(pool.threads()) {
  for (const PairForm form : {PairForm::batmap, PairForm::bitmap, PairForm::product}) {
    const std::uint32_t columns = plan_.columns_of(form);
    if (columns == 0) continue;
    if (counter_bytes(form, rows_, columns) > memory.left()) {
      throw_too_much(
          std::string("the form of items that counts pairs (") + to_string(form) + ") takes",
          another_form, memory);
    }
    counters_[static_cast<std::size_t>(form)] = means.make_counter(form, rows_, columns, pool);
  }
  if (pool.threads() * bytes_of_thread() > memory.left()) {
    throw_too_much("the counts of bands that threads hold take", fewer_threads, memory);
  }
}

std::uint64_t PairSearch::bytes_of_thread() const noexcept {
  std::uint64_t most = 0;
  for (const PairBand& band : plan_.bands()) {
    most = std::max<std::uint64_t>(most, std::uint64_t{4} * band.rows.size() * band.columns);
  }
  return most + std::uint64_t{16} * rows_.items();
}

void PairSearch::count(std::size_t band, RankRange rows, unsigned worker,
                       const std::function<void(const PairRow&)>& use) {
  const PairBand& plan = plan_.bands()[band];
  if (!scratch_[worker]) scratch_[worker] = std::make_unique<Scratch>(rows_);
  Scratch& own = *scratch_[worker];
  if (plan.columns > 0) {
    own.rectangle.resize(std::size_t{rows.size()} * plan.columns);
    PairCounter& counter = *counters_[static_cast<std::size_t>(plan.form)];
    const std::uint32_t together = counter.rows_at_once();
    for (std::uint32_t first = rows.first; first < rows.end; first += together) {
      const RankRange some{first, std::min(first + together, rows.end)};
      counter.count(some, {0, plan.columns},
                    own.rectangle.data() + std::size_t{first - rows.first} * plan.columns,
                    plan.columns, worker);
    }
  }
  for (std::uint32_t row = rows.first; row < rows.end; ++row) {
    const std::uint32_t columns = std::min(row, plan.columns);
    const std::uint32_t* const counts =
        own.rectangle.data() + std::size_t{row - rows.first} * plan.columns;
    own.columns.resize(columns + frequent_slack);
    own.columns.resize(find_frequent({counts, columns}, min_count_, own.columns.data()));
    own.counts.clear();
    for (const std::uint32_t column : own.columns) own.counts.push_back(counts[column]);
    own.lists.count_row(row, columns, min_count_, own.columns, own.counts);
    use({row, own.columns, own.counts});
  }
}

}  // namespace atl
