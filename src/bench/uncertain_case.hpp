// A data set with one least support, measured by all means: Kozawa 2016, section 3.4.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "cuda/uncertain/thesis_pipeline.hpp"
#include "src/bench/dataset_bench.hpp"
#include "src/bench/table.hpp"
#include "src/bench/uncertain_data.hpp"
#include "src/bench/uncertain_job.hpp"
#include "src/bench/uncertain_steps.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {

/// What searches are measured with.
struct UncertainMachine {
  ThreadPool& pool;
  std::uint64_t repeats;  ///< of which the best counts
  /// Of the device that the thesis' way is measured on; none: it is left out.
  std::optional<cuda::DeviceOptions> device = {};
  bool transforms = false;               ///< the device has them: distributions can be made
  MakeUncertainMeans device_means = {};  ///< ours on the device; none: it is left out
};

/// Runs what is asked for once, and makes records of it. Records have figure, dataset and figures
/// alone.
class UncertainCase {
 public:
  /// Searches on the cores. All arguments must outlive it.
  /// @param minsup  share of the transactions
  UncertainCase(const UncertainDataset& dataset, const UncertainData& data, double minsup,
                const UncertainMachine& machine);

  Record singles();                 ///< Figure 3.8
  Record inclusion();               ///< Figure 3.9
  Record decoding();                ///< Figure 3.10
  Record whole_job();               ///< Figure 3.13
  std::vector<Record> breakdown();  ///< Table 3.3, a record for each way, published ones first
  /// Figure 3.7, a record for each rank, and Figure 3.11.
  /// @throws InternalError if the thesis' way finds other probabilities than the cores
  std::vector<Record> distributions();

 private:
  Record begin(std::string_view figure) const;
  UncertainJob best_job(const MakeUncertainMeans& means, bool bounds) const;
  const UncertainJob& plain_job();
  const UncertainJob& device_job();
  const cuda::ThesisSeconds& thesis_job();
  ThesisLevels best_levels(const cuda::ThesisOptions& options, std::size_t levels,
                           double (*seconds)(const ThesisLevels&)) const;
  void add_techniques(Record& record, const MeteredLevels& cores) const;

  const UncertainDataset& dataset_;
  const UncertainData& data_;
  double minsup_;
  const UncertainMachine& machine_;
  UncertainLimits limits_;
  cuda::ThesisLeast least_;
  UncertainJob job_;  // on the cores
  std::optional<UncertainJob> plain_job_, device_job_, plain_device_job_;
  std::optional<cuda::ThesisSeconds> thesis_job_;
  std::vector<std::uint32_t> items_;  // of the thesis' pipeline: first those of the job
  std::vector<RankedSets> levels_;    // of all of them
};

}  // namespace atl
