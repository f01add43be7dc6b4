#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "src/core/stopwatch.hpp"
#include "src/eval/class_tiles.hpp"
#include "src/eval/list_batch.hpp"
#include "src/eval/list_kernel.hpp"
#include "src/eval/plane_program.hpp"

namespace atl {
namespace {

/// Enough that the words of a group stay in the second-level cache.
constexpr std::uint32_t cached_slots = 2048;
/// Enough that threads end at about the same time.
constexpr std::size_t tasks_per_thread = 8;
/// Words that stages hand to each other.
constexpr std::size_t most_stage_words = std::size_t{1} << 23;
constexpr std::size_t most_stage_tiles = 32;  ///< of a task, so that they are not many more

class CpuScorer final : public RuleSetScorer {
 public:
  CpuScorer(std::shared_ptr<const ClassTiles> tiles, ThreadPool* pool)
      : tiles_(std::move(tiles)), pool_(pool), workers_(pool == nullptr ? 1 : pool->threads()) {}
  ~CpuScorer() override {
    try {
      if (ticket_) pool_->wait(*std::exchange(ticket_, std::nullopt));
    } catch (...) {  // nobody is left to tell
    }
  }

  std::vector<std::uint64_t> class_rows(std::optional<std::uint32_t> window) const override {
    return tiles_->class_rows(window);
  }

  void prepare(std::span<const RuleSet> lists, const ScoringOptions& options) override {
    expect_fit(lists, tiles_->attributes(), tiles_->class_attribute());
    batch_.compile(lists, *tiles_, {.slots = cached_slots});
    options_ = options;
    covered_.assign(std::size_t{tiles_->classes()} * batch_.counters(), 0);
    decided_.assign(std::size_t{tiles_->classes()} * batch_.entries(), 0);
    cut();
  }

  void start() override {
    seconds_.reset();
    if (options_.staged) return;
    submit(pieces_.size(), [this](std::size_t piece, unsigned worker) {
      for (const ListGroup& group : batch_.groups()) {
        workers_[worker].reserve(group);
        run(ListWork::all, group, {pieces_[piece].first, pieces_[piece].end}, worker);
      }
    });
  }

  void finish() override {
    wait();
    if (!options_.staged || seconds_) return;
    seconds_.emplace();
    for (const ListGroup& group : batch_.groups()) run_stages(group);
  }

  void read(std::span<RuleSetCounts> out) override {
    read_list_counts(batch_, class_rows(options_.window), covered_, decided_, out);
  }

  void read_decided(std::vector<DecidedCount>& out) override {
    out.clear();
    read_decided_counts(batch_, class_rows(options_.window), decided_, 0, out);
  }

  std::optional<RuleSetStageSeconds> stage_seconds() const override { return seconds_; }

 private:
  /// Cuts the tiles that count into pieces of one class.
  void cut() {
    const ClassTiles::Range range = tiles_->range(options_.window);
    const std::size_t tasks = tasks_per_thread * workers_.size();
    std::size_t most = std::max<std::size_t>((range.end - range.first) / tasks, 1);
    if (options_.staged) most = std::min(most, most_stage_tiles);
    pieces_.clear();
    for (std::size_t t = range.first; t < range.end; ++t) {
      if (t == range.first || t - pieces_.back().first == most ||
          tiles_->tiles()[t].label != tiles_->tiles()[t - 1].label) {
        pieces_.push_back({t, t});
      }
      pieces_.back().end = t + 1;
    }
  }

  template <typename Task>
  void submit(std::size_t count, const Task& task) {
    if (pool_ != nullptr) {
      ticket_ = pool_->submit(count, task);
    } else {
      for (std::size_t i = 0; i < count; ++i) task(i, 0U);
    }
  }
  void wait() {
    if (ticket_) pool_->wait(*std::exchange(ticket_, std::nullopt));
  }

  void run(ListWork work, const ListGroup& group, const ListTiles& where, unsigned worker) {
    ListScratch& scratch = workers_[worker];
    run_lists(work, batch_, group, *tiles_, where, scratch);
    if (work == ListWork::coverage || work == ListWork::classification) return;
    const std::size_t label = tiles_->tiles()[where.first].label;
    const std::scoped_lock lock(mutex_);
    scratch.flush(batch_, group, covered_.data() + label * batch_.counters(),
                  decided_.data() + label * batch_.entries());
  }

  /// Pieces are taken together as far as the words between stages are not too many.
  void run_stages(const ListGroup& group) {
    for (ListScratch& worker : workers_) worker.reserve(group);
    const std::size_t entries = group.end_entry - group.first_entry;
    const std::size_t of_tile = (2 * entries + group.shared()) * tile_words;
    const std::size_t most_tiles = std::max<std::size_t>(most_stage_words / (of_tile + 1), 1);
    for (std::size_t first = 0; first < pieces_.size();) {
      std::size_t end = first + 1;
      const std::size_t first_tile = pieces_[first].first;
      while (end < pieces_.size() && pieces_[end].end - first_tile <= most_tiles) ++end;
      const std::size_t tiles = pieces_[end - 1].end - first_tile;
      if (words_.size() < tiles * of_tile) words_ = AlignedWords(tiles * of_tile);
      std::uint64_t* const coverage = words_.data();
      std::uint64_t* const decided = coverage + tiles * (entries + group.shared()) * tile_words;
      const auto stage = [&](ListWork work, double& seconds) {
        const Stopwatch watch(seconds);
        submit(end - first, [&](std::size_t index, unsigned worker) {
          const ClassTiles::Range& piece = pieces_[first + index];
          const std::size_t before = (piece.first - first_tile) * tile_words;
          run(work, group,
              {piece.first, piece.end, coverage + before * (entries + group.shared()),
               decided + before * entries},
              worker);
        });
        wait();
      };
      stage(ListWork::coverage, seconds_->coverage);
      stage(ListWork::rule_fitness, seconds_->rule_fitness);
      stage(ListWork::classification, seconds_->classification);
      stage(ListWork::set_fitness, seconds_->set_fitness);
      first = end;
    }
  }

  const std::shared_ptr<const ClassTiles> tiles_;
  ThreadPool* const pool_;
  std::vector<ListScratch> workers_;
  ListBatch batch_;
  ScoringOptions options_;
  std::vector<ClassTiles::Range> pieces_;
  std::optional<ThreadPool::Ticket> ticket_;  // while it runs
  std::mutex mutex_;                          // of the counts
  std::vector<std::uint64_t> covered_;        // [classes][counters of the batch]
  std::vector<std::uint64_t> decided_;        // [classes][entries of the batch]
  AlignedWords words_;                        // between stages
  std::optional<RuleSetStageSeconds> seconds_;
};

}  // namespace

std::unique_ptr<RuleSetScorer> make_cpu_rule_set_scorer(std::shared_ptr<const ClassTiles> tiles,
                                                        ThreadPool* pool) {
  return std::make_unique<CpuScorer>(std::move(tiles), pool);
}

}  // namespace atl
