#include <algorithm>
#include <cstddef>
#include <vector>

#include "src/exhaustive/uncertain/cover_path.hpp"
#include "src/exhaustive/uncertain/support_meter.hpp"
#include "src/exhaustive/uncertain/tails.hpp"

namespace atl {
namespace {

/// Sets that a thread takes at once: most of them share all items but the last.
constexpr std::size_t sets_of_task = 32;

class CpuMeter final : public SupportMeter {
 public:
  CpuMeter(const UncertainColumns& columns, ThreadPool& pool)
      : columns_(columns), pool_(pool), moments_(columns), scratch_(pool.threads()) {}

  void sum(const RankedSets& sets, std::span<CoverSums> sums) override {
    const std::size_t tasks = (sets.size() + sets_of_task - 1) / sets_of_task;
    pool_.wait(pool_.submit(tasks, [&](std::size_t task, unsigned worker) {
      const std::size_t end = std::min(sets.size(), (task + 1) * sets_of_task);
      for (std::size_t s = task * sets_of_task; s < end; ++s) {
        sums[s] = scratch_[worker].path.sum(sets[s], columns_, moments_);
      }
    }));
  }

  void find_tails(const RankedSets& sets, std::span<const std::uint32_t> least,
                  std::span<double> tails) override {
    pool_.wait(pool_.submit(sets.size(), [&](std::size_t s, unsigned worker) {
      Scratch& scratch = scratch_[worker];
      find_probabilities(columns_, sets[s], scratch.probabilities);
      tails[s] = scratch.finder.find(scratch.probabilities, least[s]);
    }));
  }

 private:
  struct Scratch {
    CoverPath path;
    std::vector<double> probabilities;
    TailFinder finder;
  };

  const UncertainColumns& columns_;
  ThreadPool& pool_;
  RowMoments moments_;
  std::vector<Scratch> scratch_;  // of each worker
};

}  // namespace

std::unique_ptr<SupportMeter> make_cpu_support_meter(const UncertainColumns& columns,
                                                     ThreadPool& pool) {
  return std::make_unique<CpuMeter>(columns, pool);
}

}  // namespace atl
