#include "cuda/itemsets/itemset_counter.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cuda/device/handles.hpp"
#include "cuda/device/visible_devices.hpp"
#include "cuda/host/itemset_input.hpp"
#include "cuda/itemsets/prefix_kernel.hpp"
#include "src/core/error.hpp"
#include "src/core/stopwatch.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"

namespace atl::cuda {
namespace {

/// Tasks of a search, of which the last come first: what waits stays small.
class TaskStack {
 public:
  /// @param task_words  of each
  TaskStack(std::span<const std::uint32_t> first, std::size_t task_words)
      : words_(first.begin(), first.end()), task_words_(task_words) {}

  std::size_t size() const noexcept { return words_.size() / task_words_; }
  /// Copies the last ones, at most so many, and removes them; returns how many they are.
  std::size_t take(std::size_t most, std::uint32_t* to) {
    const std::size_t count = most < size() ? most : size();
    const auto from = words_.end() - static_cast<std::ptrdiff_t>(count * task_words_);
    std::copy(from, words_.end(), to);
    words_.erase(from, words_.end());
    return count;
  }
  /// Room for so many more, to be written.
  std::uint32_t* add(std::size_t count) {
    words_.resize(words_.size() + count * task_words_);
    return words_.data() + words_.size() - count * task_words_;
  }

 private:
  std::vector<std::uint32_t> words_;
  std::size_t task_words_;
};

static_assert(most_counted_items == most_prefix_items);

template <typename T>
void upload(DeviceBuffer<T>& to, const std::vector<T>& from, cudaStream_t stream) {
  to.reserve(std::max<std::size_t>(1, from.size()));
  check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice,
                        stream));
}

class CudaItemsetCounter final : public ItemsetCounter {
 public:
  CudaItemsetCounter(const TransactionSet& transactions, const DeviceOptions& options)
      : transactions_(transactions), options_(options) {}
  ~CudaItemsetCounter() override {
    cancel();
    if (search_.valid()) search_.wait();
  }

  void prepare(const ItemsetLimits& limits) override;
  void start() override { start(input_.first_task()); }
  void start_part(std::uint32_t first, std::uint32_t end) override {
    start(input_.item_tasks(first, end), first == 0 && has_sets());
  }
  void cancel() override { unwanted_ = true; }
  bool ready() const override {
    return !search_.valid() ||
           search_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
  void finish() override { search_.get(); }
  ItemsetCounts read() override { return std::move(counts_); }

 private:
  bool has_sets() const { return transactions_.size() >= limits_.min_count; }
  std::size_t tally_size() const {
    const std::size_t side = std::size_t{input_.most_items()} + 1;
    return plan_.tally_copies * side * side;
  }
  /// @param with_empty  counts the empty set, which none of the tasks does
  void start(std::vector<std::uint32_t> tasks, bool with_empty = false);
  void search(const std::vector<std::uint32_t>& first);
  PrefixLaunch launch() const;
  void search_below(std::size_t count, TaskStack& tasks);

  const TransactionSet& transactions_;
  DeviceOptions options_;
  Stream stream_;
  ItemsetLimits limits_;
  ItemsetInput input_;
  PrefixPlan plan_;
  DeviceBuffer<std::uint32_t> words_, weights_, memory_, tasks_, new_tasks_, counters_;
  DeviceBuffer<unsigned long long> tally_;
  DeviceBuffer<PrefixWork> work_;
  PinnedBuffer<std::uint32_t> staged_;  // tasks on their way, and a counter
  ItemsetCounts counts_;
  std::atomic<bool> unwanted_ = false;
  std::future<void> search_;
};

void CudaItemsetCounter::prepare(const ItemsetLimits& limits) {
  assert(limits.min_count > 0);
  check(cudaSetDevice(options_.device));
  limits_ = limits;
  if (!has_sets()) return;
  input_ = itemset_input(transactions_, limits.min_count);
  if (input_.items > most_counted_items) {
    throw BackendUnavailable("cuda", std::to_string(input_.items) +
                                         " items are frequent, of which a GPU takes " +
                                         std::to_string(most_counted_items));
  }
  const std::uint64_t free = free_memory();
  plan_ = plan_prefixes(input_, prefix_blocks(),
                        options_.memory == 0 ? free : std::min(free, options_.memory));
  upload(words_, input_.words, stream_);
  upload(weights_, input_.weights, stream_);
  memory_.reserve(plan_.blocks * prefix_block_words(input_.rows, plan_.node_items));
  tasks_.reserve(plan_.tasks * plan_.task_words);
  new_tasks_.reserve(plan_.new_tasks * plan_.task_words);
  staged_.reserve(plan_.tasks * plan_.task_words + 1);
  counters_.reserve(2);
  work_.reserve(1);
  tally_.reserve(tally_size());
  check(cudaStreamSynchronize(stream_));
}

PrefixLaunch CudaItemsetCounter::launch() const {
  PrefixLaunch launch{};
  launch.rows = {words_.data(),       weights_.data(), input_.rows,
                 input_.word_count(), input_.items,    input_.weight_bits};
  launch.min_count = static_cast<std::uint32_t>(limits_.min_count);
  launch.max_length = limits_.max_length;
  launch.node_items = plan_.node_items;
  launch.tasks = tasks_.data();
  launch.new_tasks = new_tasks_.data();
  launch.new_count = counters_.data();
  launch.taken = counters_.data() + 1;
  launch.tally = {tally_.data(), plan_.tally_copies, input_.most_items()};
  launch.work = work_.data();
  launch.memory = memory_.data();
  launch.block_words = prefix_block_words(input_.rows, plan_.node_items);
  launch.block_rows = prefix_block_rows(input_.rows, plan_.node_items);
  return launch;
}

/// Searches below the staged tasks. The tasks that these hand out join the others.
void CudaItemsetCounter::search_below(std::size_t count, TaskStack& tasks) {
  check(cudaMemcpyAsync(tasks_.data(), staged_.data(), count * plan_.task_words * 4,
                        cudaMemcpyHostToDevice, stream_));
  check(cudaMemsetAsync(counters_.data(), 0, 2 * sizeof(std::uint32_t), stream_));
  PrefixLaunch of_tasks = launch();
  of_tasks.task_count = static_cast<std::uint32_t>(count);
  const auto blocks = static_cast<std::uint32_t>(std::min<std::size_t>(plan_.blocks, count));
  launch_prefixes(of_tasks, blocks, stream_);
  check(cudaMemcpyAsync(staged_.data(), counters_.data(), sizeof(std::uint32_t),
                        cudaMemcpyDeviceToHost, stream_));
  check(cudaStreamSynchronize(stream_));
  const std::size_t made = staged_.data()[0];
  if (made == 0) return;
  check(cudaMemcpyAsync(tasks.add(made), new_tasks_.data(), made * plan_.task_words * 4,
                        cudaMemcpyDeviceToHost, stream_));
  check(cudaStreamSynchronize(stream_));
}

void CudaItemsetCounter::start(std::vector<std::uint32_t> tasks, bool with_empty) {
  counts_ = {};
  if (with_empty) counts_.tally.add(input_.everywhere, 0, 1);
  unwanted_ = false;
  search_ = std::async(std::launch::async, [this, tasks = std::move(tasks)] { search(tasks); });
}

void CudaItemsetCounter::search(const std::vector<std::uint32_t>& first) {
  check(cudaSetDevice(options_.device));
  const auto begin = std::chrono::steady_clock::now();
  if (!has_sets()) return;
  check(cudaMemsetAsync(tally_.data(), 0, tally_size() * sizeof(unsigned long long), stream_));
  check(cudaMemsetAsync(work_.data(), 0, sizeof(PrefixWork), stream_));
  TaskStack tasks(first, plan_.task_words);
  while (tasks.size() != 0 && !unwanted_)
    search_below(tasks.take(plan_.tasks, staged_.data()), tasks);

  std::vector<unsigned long long> sets(tally_size());
  PrefixWork work;
  check(cudaMemcpyAsync(sets.data(), tally_.data(), sets.size() * sizeof(unsigned long long),
                        cudaMemcpyDeviceToHost, stream_));
  check(cudaMemcpyAsync(&work, work_.data(), sizeof work, cudaMemcpyDeviceToHost, stream_));
  check(cudaStreamSynchronize(stream_));
  ItemsetTally found = tally_of(sets, input_);
  counts_.tally.add(found);
  counts_.sets = asked_lengths(counts_.tally.by_length(), limits_);
  counts_.nodes = work.nodes;
  counts_.entries = work.entries;
  counts_.words = work.words;
  counts_.seconds = seconds_since(begin);
}

}  // namespace

std::unique_ptr<ItemsetCounter> make_itemset_counter(const TransactionSet& transactions,
                                                     const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_unique<CudaItemsetCounter>(transactions, options);
}

}  // namespace atl::cuda
