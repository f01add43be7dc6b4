#include "cuda/published/published_pipeline.hpp"

#include <algorithm>
#include <array>

#include "cuda/device/handles.hpp"
#include "cuda/device/part_times.hpp"
#include "cuda/host/rule_chunks.hpp"
#include "cuda/published/published_kernels.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

/// The streams and memory of chunks that follow each other in one place.
struct Slot {
  std::array<Stream, 3> streams;  // antecedents, consequents, fitness
  std::array<Event, 2> covered;   // of antecedents, consequents
  Event done;                     // with the bytes, and so with the constant memory
  std::array<DeviceBuffer<std::uint8_t>, 2> bytes;  // conditions, then expressions
};

class Pipeline final : public PublishedPipeline {
 public:
  Pipeline(const Dataset& dataset, const DeviceOptions& options) : dataset_(dataset) {
    if (dataset.rows() > std::uint64_t{1} << 31) {
      throw BackendUnavailable("cuda", "the published pipeline takes 2^31 rows at most");
    }
    rows_.rows = static_cast<std::uint32_t>(dataset.rows());
    rows_.stride = static_cast<std::uint32_t>(padded_rows(dataset.rows()));
    const std::uint64_t cells = dataset.attributes().size() * std::uint64_t{rows_.stride};
    codes_.reserve(cells);
    rows_.codes = codes_.data();
    std::vector<std::uint32_t> column;
    for (std::uint32_t a = 0; a < dataset.attributes().size(); ++a) {
      write_padded_column(dataset, a, column);
      check(cudaMemcpy(codes_.data() + std::uint64_t{a} * rows_.stride, column.data(),
                       column.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
    }
    check(cudaDeviceSynchronize());  // with the copies, which no stream of ours waits for
    constant_ = expression_words();

    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total));
    if (options.memory != 0) {
      const std::uint64_t taken = cells * sizeof(std::uint32_t);
      free = std::min<std::uint64_t>(free, options.memory - std::min(options.memory, taken));
    }
    // A quarter is left to rules, results and others.
    memory_ = free / 4 * 3;
  }

  void evaluate(std::span<const Rule> rules, const PublishedOptions& options,
                PublishedResults& out) override {
    const std::size_t slots = options.concurrent ? slots_.size() : 1;
    ChunkLimits limits;
    limits.words = constant_words / static_cast<std::uint32_t>(slots);
    // Half for each side, as either may have the most results in a chunk of its own.
    limits.results = memory_ / slots / 2 / std::max(rows_.stride, 1U);
    chunks_.build(rules, dataset_.attributes(), limits);
    times_.restart(options.timed);
    reserve(rules.size(), slots);
    const Stream& last = slots_[0].streams[0];
    if (options.timed) begin_.record(last);
    for (std::size_t c = 0; c < chunks_.chunks().size(); ++c) {
      start(chunks_.chunks()[c], c % slots, options.concurrent);
    }
    for (std::size_t s = 0; options.concurrent && s < slots; ++s) join(slots_[s], last);
    if (options.timed) end_.record(last);
    check(cudaStreamSynchronize(last));

    write(rules, out);
    out.seconds = times_.seconds();
    if (options.timed) out.seconds.total = end_.seconds_since(begin_);
  }

 private:
  void reserve(std::size_t rules, std::size_t slots) {
    const auto words = chunks_.words();
    upload_.reserve(words.size());
    std::copy(words.begin(), words.end(), upload_.data());
    supports_.reserve(chunks_.conditions());
    host_supports_.reserve(chunks_.conditions());
    results_.reserve(rules);
    host_results_.reserve(rules);
    for (std::size_t side = 0; side < 2; ++side) {
      std::uint64_t most = 0;
      for (const RuleChunk& chunk : chunks_.chunks()) {
        most = std::max(most, std::uint64_t{chunk.sides[side].conditions} + chunk.rules);
      }
      for (std::size_t s = 0; s < slots; ++s) slots_[s].bytes[side].reserve(most * rows_.stride);
    }
  }

  CoverageBytes bytes_of(const Slot& slot, const RuleChunk& chunk, std::size_t side) const {
    std::uint8_t* const bytes = slot.bytes[side].data();
    return {bytes + std::uint64_t{chunk.sides[side].conditions} * rows_.stride, bytes};
  }

  void start(const RuleChunk& chunk, std::size_t s, bool concurrent) {
    Slot& slot = slots_[s];
    std::uint32_t first_word = static_cast<std::uint32_t>(s) * (constant_words / 2);
    for (std::size_t side = 0; side < 2; ++side) {
      const Stream& stream = slot.streams[concurrent ? side : 0];
      if (concurrent) check(cudaStreamWaitEvent(stream, slot.done));
      start_side(chunk, side, first_word, slot, stream);
      first_word += chunk.sides[side].words;
    }
    const Stream& stream = slot.streams[concurrent ? 2 : 0];
    if (concurrent) {
      for (const Event& covered : slot.covered) check(cudaStreamWaitEvent(stream, covered));
    }
    times_.begin(&PublishedSeconds::fitness, stream);
    launch_fitness(rows_, bytes_of(slot, chunk, 0).expressions,
                   bytes_of(slot, chunk, 1).expressions, chunk.rules,
                   results_.data() + chunk.first_rule, stream);
    times_.end(stream);
    if (concurrent) slot.done.record(stream);
    times_.begin(&PublishedSeconds::download, stream);
    check(
        cudaMemcpyAsync(host_results_.data() + chunk.first_rule, results_.data() + chunk.first_rule,
                        chunk.rules * sizeof(PublishedRuleResult), cudaMemcpyDeviceToHost, stream));
    times_.end(stream);
  }

  /// Starts the work on a side: expressions up, coverage, reduction, supports down.
  void start_side(const RuleChunk& chunk, std::size_t index, std::uint32_t first_word, Slot& slot,
                  const Stream& stream) {
    const ChunkSide& side = chunk.sides[index];
    const CoverageBytes bytes = bytes_of(slot, chunk, index);
    times_.begin(&PublishedSeconds::upload, stream);
    check(cudaMemcpyAsync(constant_ + first_word, upload_.data() + side.first_word,
                          side.words * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream));
    times_.end(stream);
    times_.begin(&PublishedSeconds::coverage, stream);
    launch_coverage(rows_, first_word, chunk.rules, chunk.levels, bytes, stream);
    times_.end(stream);
    slot.covered[index].record(stream);
    times_.begin(&PublishedSeconds::reduction, stream);
    launch_reduction(rows_, bytes.conditions, side.conditions,
                     supports_.data() + side.first_condition, stream);
    times_.end(stream);
    times_.begin(&PublishedSeconds::download, stream);
    check(cudaMemcpyAsync(host_supports_.data() + side.first_condition,
                          supports_.data() + side.first_condition,
                          side.conditions * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream));
    times_.end(stream);
  }

  /// Has `last` wait for all of the slot's streams.
  static void join(Slot& slot, const Stream& last) {
    for (const Stream& stream : slot.streams) {
      slot.done.record(stream);
      check(cudaStreamWaitEvent(last, slot.done));
    }
  }

  void write(std::span<const Rule> rules, PublishedResults& out) const {
    out.counts.resize(rules.size());
    out.fitness.resize(rules.size());
    for (const RuleChunk& chunk : chunks_.chunks()) {
      std::array<const std::uint32_t*, 2> supports;
      for (std::size_t side = 0; side < 2; ++side) {
        supports[side] = host_supports_.data() + chunk.sides[side].first_condition;
      }
      for (std::size_t r = chunk.first_rule; r < chunk.first_rule + chunk.rules; ++r) {
        const PublishedRuleResult& result = host_results_.data()[r];
        out.fitness[r] = result.fitness;
        RuleCounts& counts = out.counts[r];
        counts.n = rows_.rows;
        counts.antecedent = std::uint64_t{result.cells[2]} + result.cells[3];
        counts.consequent = std::uint64_t{result.cells[1]} + result.cells[3];
        counts.both = result.cells[3];
        counts.comparison_supports.clear();
        for (std::size_t side = 0; side < 2; ++side) {
          const auto& expression = side == 0 ? rules[r].antecedent : rules[r].consequent;
          const std::uint32_t* const end = supports[side] + expression.comparisons().size();
          for (; supports[side] != end; ++supports[side]) {
            counts.comparison_supports.push_back(*supports[side]);
          }
        }
      }
    }
  }

  const Dataset& dataset_;
  DeviceBuffer<std::uint32_t> codes_;
  PublishedRows rows_;
  std::uint32_t* constant_ = nullptr;
  std::uint64_t memory_ = 0;  ///< for the bytes of results

  RuleChunks chunks_;
  PinnedBuffer<std::uint32_t> upload_;
  DeviceBuffer<std::uint32_t> supports_;
  PinnedBuffer<std::uint32_t> host_supports_;
  DeviceBuffer<PublishedRuleResult> results_;
  PinnedBuffer<PublishedRuleResult> host_results_;
  std::array<Slot, 2> slots_;
  PartTimes<PublishedSeconds> times_;
  Event begin_, end_;
};

}  // namespace

std::unique_ptr<PublishedPipeline> make_published_pipeline(const Dataset& dataset,
                                                           const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_unique<Pipeline>(dataset, options);
}

}  // namespace atl::cuda
