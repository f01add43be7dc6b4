#include "cuda/published/level_pipeline.hpp"

#include <algorithm>

#include "cuda/device/event_timer.hpp"
#include "cuda/device/handles.hpp"
#include "cuda/published/level_kernels.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

class Pipeline final : public LevelPipeline {
 public:
  Pipeline(const AprioriTables& sets, const DeviceOptions& options) : device_(options.device) {
    if (sets.sets > most_level_sets ||
        std::max(sets.item_columns(), sets.transaction_words) > most_level_threads) {
      throw BackendUnavailable("cuda",
                               "the published pipeline takes 65535 sets and 32768 transactions at "
                               "most");
    }
    const std::uint64_t bytes = (sets.joins() + sets.sets) * sizeof(std::uint32_t) *
                                (sets.item_columns() + sets.transaction_words);
    if (options.memory != 0 && bytes > options.memory) refuse_for_memory(bytes);
    place(sets_, sets, sets.sets);
    place(candidates_, sets, static_cast<std::uint32_t>(sets.joins()));
    upload(sets.items, sets_.tables.items);
    upload(sets.transactions, sets_.tables.transactions);
    check(cudaDeviceSynchronize());  // with the copies, which no stream of ours waits for
  }

  double join(LevelJoin how) override {
    check(cudaSetDevice(device_));  // others may have used another one meanwhile
    const auto launch = how == LevelJoin::square ? launch_square_join : launch_triangular_join;
    return timer_.seconds_of(
        [&](cudaStream_t stream) { launch(sets_.tables, candidates_.tables, stream); });
  }

  double count(LevelReduction how, std::vector<std::uint32_t>& supports) override {
    check(cudaSetDevice(device_));
    const auto launch =
        how == LevelReduction::plain ? launch_plain_reduction : launch_flagged_reduction;
    const double seconds =
        timer_.seconds_of([&](cudaStream_t stream) { launch(candidates_.tables, stream); });
    const LevelTables& tables = candidates_.tables;
    supports.resize(tables.sets);
    if (tables.sets == 0) return seconds;
    const std::size_t pitch = (tables.item_words + std::size_t{1}) * sizeof(std::uint32_t);
    check(cudaMemcpy2D(supports.data(), sizeof(std::uint32_t), tables.items + tables.item_words,
                       pitch, sizeof(std::uint32_t), tables.sets, cudaMemcpyDeviceToHost));
    return seconds;
  }

  AprioriTables candidates() const override {
    AprioriTables tables;
    tables.item_words = candidates_.tables.item_words;
    tables.transaction_words = candidates_.tables.transaction_words;
    tables.resize(candidates_.tables.sets);
    check(cudaMemcpy(tables.items.data(), candidates_.tables.items,
                     tables.items.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(tables.transactions.data(), candidates_.tables.transactions,
                     tables.transactions.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    return tables;
  }

 private:
  struct Level {
    DeviceBuffer<std::uint32_t> items, transactions;
    LevelTables tables;
  };

  static void place(Level& level, const AprioriTables& like, std::uint32_t sets) {
    level.items.reserve(std::max<std::size_t>(std::size_t{sets} * like.item_columns(), 1));
    level.transactions.reserve(
        std::max<std::size_t>(std::size_t{sets} * like.transaction_words, 1));
    level.tables = {sets, like.item_words, like.transaction_words, level.items.data(),
                    level.transactions.data()};
  }
  static void upload(const std::vector<std::uint32_t>& words, std::uint32_t* to) {
    check(
        cudaMemcpy(to, words.data(), words.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
  }

  int device_;
  EventTimer timer_;
  Level sets_, candidates_;
};

}  // namespace

std::unique_ptr<LevelPipeline> make_level_pipeline(const AprioriTables& sets,
                                                   const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_unique<Pipeline>(sets, options);
}

}  // namespace atl::cuda
