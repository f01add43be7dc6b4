#include "cuda/uncertain/thesis_pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>

#include "cuda/device/handles.hpp"
#include "cuda/device/part_times.hpp"
#include "cuda/uncertain/thesis_distributions.hpp"
#include "cuda/uncertain/thesis_kernels.hpp"
#include "cuda/uncertain/thesis_singles.hpp"
#include "src/core/error.hpp"
#include "src/core/stopwatch.hpp"

namespace atl::cuda {
namespace {

/// Words of inclists that are made at a time, and of flags: 1 GiB.
constexpr std::size_t most_words = std::size_t{1} << 28;
/// Numbers of the buffer of Algorithm 4, whose size the thesis does not give: 128 MiB.
constexpr std::size_t most_numbers = std::size_t{1} << 24;

using Clock = std::chrono::steady_clock;
using SetKey = std::u32string;

SetKey key_of(std::span<const std::uint32_t> set, std::size_t left_out) {
  SetKey key;
  for (std::size_t k = 0; k < set.size(); ++k) {
    if (k != left_out) key.push_back(static_cast<char32_t>(set[k]));
  }
  return key;
}

/// Copies to the device, and waits for it.
template <typename T>
void upload(const std::vector<T>& from, DeviceBuffer<T>& to, cudaStream_t stream) {
  to.reserve(std::max<std::size_t>(from.size(), 1));
  check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice,
                        stream));
  check(cudaStreamSynchronize(stream));
}
template <typename T>
void download(const DeviceBuffer<T>& from, T* to, std::size_t count, cudaStream_t stream) {
  check(cudaMemcpyAsync(to, from.data(), count * sizeof(T), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
}

/// A candidate that is not pruned.
struct Survivor {
  std::uint32_t candidate;
  const std::uint32_t* inclist;  // on the device
};

/// The candidates of a level that are not pruned, and what holds their inclists.
struct Level {
  std::vector<Survivor> survivors;
  std::vector<DeviceBuffer<std::uint32_t>> inclists;
};

class Pipeline final : public ThesisPipeline {
 public:
  Pipeline(const TransactionSet& transactions, std::span<const std::uint32_t> items,
           ThreadPool& pool, const DeviceOptions& options)
      : device_(options.device),
        transactions_(transactions),
        ranks_(transactions.item_count(), static_cast<std::uint32_t>(items.size())),
        items_(static_cast<std::uint32_t>(items.size())),
        words_((transactions.size() + thesis_word_rows - 1) / thesis_word_rows),
        pool_(pool) {
    for (std::uint32_t rank = 0; rank < items_; ++rank) ranks_[items[rank]] = rank;
    std::vector<double> probabilities(std::size_t{words_} * thesis_word_rows, 0);
    for (std::uint32_t t = 0; t < transactions.size(); ++t) {
      probabilities[t] = transactions.probabilities().empty() ? 1 : transactions.probabilities()[t];
    }
    upload(probabilities, probabilities_, stream_);
  }

  ThesisSupports extract(const RankedSets& candidates, const ThesisLeast& least,
                         const ThesisOptions& options) override {
    check(cudaSetDevice(device_));  // others may have used another one meanwhile
    const auto begun = Clock::now();
    times_.restart(true);
    ThesisSupports out;
    out.counts.resize(candidates.size());
    out.expected.resize(candidates.size());
    out.probabilities.resize(candidates.size());
    out.pruned.resize(candidates.size());
    Level level;
    double host_seconds = 0, plan_seconds = 0;
    if (candidates.length == 1 && options.host_singles) {
      find_on_host(candidates, least, level, out);
      host_seconds = seconds_since(begun);
    } else {
      const std::size_t together = std::max<std::size_t>(1, most_words / std::max(words_, 1U));
      for (std::size_t first = 0; first < candidates.size(); first += together) {
        find_on_device(candidates, first, std::min(together, candidates.size() - first), least,
                       options, level, out);
      }
    }
    if (options.distributions) plan_seconds = find_tails(level, least, options, out);
    remember(candidates, std::move(level));
    check(cudaStreamSynchronize(stream_));
    out.seconds = times_.seconds();
    out.seconds.inclusion += host_seconds;
    out.seconds.plans = plan_seconds;
    out.seconds.wall = seconds_since(begun);
    return out;
  }

 private:
  struct Group {
    std::size_t first, count;  // of the survivors in order
    std::uint32_t rank;
  };

  void find_on_host(const RankedSets& candidates, const ThesisLeast& least, Level& level,
                    ThesisSupports& out) {
    const SingleItems singles = find_single_items(transactions_, ranks_, items_, least, pool_);
    level.inclists.emplace_back();
    upload(singles.bits, level.inclists.back(), stream_);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const std::uint32_t rank = candidates[c][0];
      out.counts[c] = singles.counts[rank];
      out.expected[c] = singles.expected[rank];
      out.pruned[c] = singles.pruned[rank];
      if (out.pruned[c]) continue;
      const auto place = static_cast<std::size_t>(
          std::lower_bound(singles.kept.begin(), singles.kept.end(), rank) - singles.kept.begin());
      level.survivors.push_back(
          {static_cast<std::uint32_t>(c), level.inclists.back().data() + place * words_});
    }
  }

  void find_on_device(const RankedSets& candidates, std::size_t first, std::size_t count,
                      const ThesisLeast& least, const ThesisOptions& options, Level& level,
                      ThesisSupports& out) {
    inclists_.reserve(std::max<std::size_t>(count * words_, 1));
    if (candidates.length > 1 && options.and_parents) {
      join_parents(candidates, first, count);
    } else {
      scan(candidates, first, count);
    }
    const Inclists lists{inclists_.data(), static_cast<std::uint32_t>(count), words_,
                         probabilities_.data()};
    prune(lists, first, least, options, level, out);
  }

  void join_parents(const RankedSets& candidates, std::size_t first, std::size_t count) {
    std::vector<const std::uint32_t*> parents;
    for (std::size_t c = first; c < first + count; ++c) {
      for (const std::size_t left_out : {candidates.length - 1, candidates.length - 2}) {
        const auto parent = parents_.find(key_of(candidates[c], left_out));
        if (parent == parents_.end()) {
          throw InternalError("the thesis' pipeline was given a candidate without parents");
        }
        parents.push_back(parent->second);
      }
    }
    upload(parents, parents_there_, stream_);
    times_.begin(&ThesisSeconds::inclusion, stream_);
    launch_inclist_and(parents_there_.data(), static_cast<std::uint32_t>(count), words_,
                       inclists_.data(), stream_);
    times_.end(stream_);
  }

  void scan(const RankedSets& candidates, std::size_t first, std::size_t count) {
    make_rows();
    const std::size_t length = candidates.length;
    const auto begin = candidates.ranks.begin() + static_cast<std::ptrdiff_t>(first * length);
    upload(std::vector(begin, begin + static_cast<std::ptrdiff_t>(count * length)), sets_there_,
           stream_);
    times_.begin(&ThesisSeconds::inclusion, stream_);
    launch_row_scan(rows_,
                    {sets_there_.data(), static_cast<std::uint32_t>(count), candidates.length},
                    words_, inclists_.data(), stream_);
    times_.end(stream_);
  }

  /// The transactions in the ELL format, when they are scanned first.
  void make_rows() {
    if (rows_.items != nullptr) return;
    const std::uint32_t rows = transactions_.size();
    std::uint32_t width = 1;
    for (std::uint32_t t = 0; t < rows; ++t) {
      width = std::max(width, static_cast<std::uint32_t>(transactions_.transaction(t).size()));
    }
    if (scan_memory(width) > most_scan_memory()) {
      throw BackendUnavailable("cuda",
                               "32 transactions of " + std::to_string(width) +
                                   " items at most do not fit in the shared memory of a block");
    }
    std::vector<std::uint32_t> items(std::size_t{width} * rows, items_);
    for (std::uint32_t t = 0; t < rows; ++t) {
      std::size_t k = 0;
      for (const std::uint32_t name : transactions_.transaction(t)) {
        if (ranks_[name] < items_) items[k++ * rows + t] = ranks_[name];
      }
    }
    upload(items, row_items_, stream_);
    rows_ = {row_items_.data(), rows, width, items_};
  }

  void prune(const Inclists& lists, std::size_t first, const ThesisLeast& least,
             const ThesisOptions& options, Level& level, ThesisSupports& out) {
    counts_.reserve(lists.sets);
    expected_.reserve(lists.sets);
    times_.begin(&ThesisSeconds::pruning, stream_);
    launch_inclist_counts(lists, counts_.data(), stream_);
    launch_expected_supports(lists, options.find_bits, expected_.data(), stream_);
    times_.end(stream_);
    download(counts_, out.counts.data() + first, lists.sets, stream_);
    download(expected_, out.expected.data() + first, lists.sets, stream_);
    std::vector<std::uint32_t> kept;
    for (std::uint32_t s = 0; s < lists.sets; ++s) {
      const std::size_t c = first + s;
      out.pruned[c] = thesis_prunes(out.counts[c], out.expected[c], least);
      if (!out.pruned[c]) kept.push_back(s);
    }
    DeviceBuffer<std::uint32_t>& block = level.inclists.emplace_back();
    block.reserve(std::max<std::size_t>(kept.size() * words_, 1));
    upload(kept, sets_there_, stream_);
    times_.begin(&ThesisSeconds::pruning, stream_);
    launch_inclist_filter(lists, sets_there_.data(), static_cast<std::uint32_t>(kept.size()),
                          block.data(), stream_);
    times_.end(stream_);
    for (std::size_t k = 0; k < kept.size(); ++k) {
      level.survivors.push_back(
          {static_cast<std::uint32_t>(first + kept[k]), block.data() + k * words_});
    }
  }

  /// Algorithm 4, or one set after the other. @return seconds of making plans
  double find_tails(const Level& level, const ThesisLeast& least, const ThesisOptions& options,
                    ThesisSupports& out) {
    std::vector<Survivor> order = level.survivors;
    std::stable_sort(order.begin(), order.end(), [&](const Survivor& a, const Survivor& b) {
      return out.counts[a.candidate] < out.counts[b.candidate];
    });
    const std::vector<Group> groups = groups_of(order, options, out);
    const auto planning = Clock::now();
    for (const Group& group : groups) {
      distributions_.prepare(static_cast<std::uint32_t>(group.count), group.rank, options);
    }
    const double plan_seconds = seconds_since(planning);
    tails_.reserve(std::max<std::size_t>(order.size(), 1));
    for (const Group& group : groups) {
      find_tails(std::span(order).subspan(group.first, group.count), group.rank, least, options,
                 out, tails_.data() + group.first);
    }
    std::vector<double> tails(order.size());
    download(tails_, tails.data(), tails.size(), stream_);
    for (std::size_t k = 0; k < order.size(); ++k) {
      // Transforms leave a few units of the last place.
      out.probabilities[order[k].candidate] = std::clamp(tails[k], 0.0, 1.0);
    }
    return plan_seconds;
  }

  std::vector<Group> groups_of(const std::vector<Survivor>& order, const ThesisOptions& options,
                               const ThesisSupports& out) const {
    std::vector<Group> groups;
    const std::size_t most_flags = most_words / (std::size_t{words_} * thesis_word_rows + 1);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::uint32_t rank =
          thesis_rank(options.filter ? out.counts[order[k].candidate] : transactions_.size());
      const std::size_t most = std::min(most_numbers >> (rank + 2), most_flags);
      const bool joins = options.several && !groups.empty() && groups.back().rank == rank &&
                         groups.back().count < most;
      if (joins) {
        ++groups.back().count;
      } else {
        groups.push_back({k, 1, rank});
      }
    }
    return groups;
  }

  void find_tails(std::span<const Survivor> sets, std::uint32_t rank, const ThesisLeast& least,
                  const ThesisOptions& options, const ThesisSupports& out, double* tails) {
    const auto count = static_cast<std::uint32_t>(sets.size());
    // What was prepared for another group may have been forgotten.
    distributions_.prepare(count, rank, options);
    if (options.filter) filter(sets, options);
    times_.begin(&ThesisSeconds::distributions, stream_);
    for (std::uint32_t s = 0; s < count; ++s) {
      double* const leaves = distributions_.leaves(s, rank);
      if (options.filter) {
        launch_filtered_leaves(rows_of(sets[s]), flags_of(s), indexes_of(s),
                               out.counts[sets[s].candidate], rank, leaves, stream_);
      } else {
        launch_all_leaves(rows_of(sets[s]), rank, leaves, stream_);
      }
    }
    distributions_.join(count, rank, least.support, options, tails, stream_);
    times_.end(stream_);
  }

  void filter(std::span<const Survivor> sets, const ThesisOptions& options) {
    const std::uint32_t rows = transactions_.size();
    const std::size_t flags = sets.size() * words_ * thesis_word_rows;
    flags_.reserve(flags);
    indexes_.reserve(flags);
    const std::size_t scratch = index_scratch(rows);
    scratch_.reserve(std::max<std::size_t>(scratch, 1));
    times_.begin(&ThesisSeconds::filtering, stream_);
    for (std::uint32_t s = 0; s < sets.size(); ++s) {
      launch_flags(rows_of(sets[s]), options.find_bits, flags_of(s), stream_);
      launch_indexes(scratch_.data(), scratch, flags_of(s), indexes_of(s), rows, stream_);
    }
    times_.end(stream_);
  }

  SetRows rows_of(const Survivor& set) const {
    return {set.inclist, probabilities_.data(), transactions_.size()};
  }
  std::uint32_t* flags_of(std::size_t s) const {
    return flags_.data() + s * words_ * thesis_word_rows;
  }
  std::uint32_t* indexes_of(std::size_t s) const {
    return indexes_.data() + s * words_ * thesis_word_rows;
  }

  void remember(const RankedSets& candidates, Level level) {
    last_ = std::move(level);
    parents_.clear();
    for (const Survivor& survivor : last_.survivors) {
      parents_[key_of(candidates[survivor.candidate], candidates.length)] = survivor.inclist;
    }
  }

  int device_;
  const TransactionSet& transactions_;
  std::vector<std::uint32_t> ranks_;  // [names], items_ of those left out
  std::uint32_t items_, words_;
  ThreadPool& pool_;
  Stream stream_;
  PartTimes<ThesisSeconds> times_;
  DeviceBuffer<double> probabilities_, expected_, tails_;
  DeviceBuffer<std::uint32_t> row_items_, sets_there_, inclists_, counts_, flags_, indexes_;
  DeviceBuffer<const std::uint32_t*> parents_there_;
  DeviceBuffer<unsigned char> scratch_;
  EllRows rows_;
  Level last_;
  std::unordered_map<SetKey, const std::uint32_t*> parents_;
  ThesisDistributions distributions_;
};

}  // namespace

std::optional<std::string> fft_missing() {
  try {
    load_fft();
  } catch (const BackendUnavailable& error) {
    return error.what();
  }
  return {};
}

std::unique_ptr<ThesisPipeline> make_thesis_pipeline(const TransactionSet& transactions,
                                                     std::span<const std::uint32_t> items,
                                                     ThreadPool& pool,
                                                     const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_unique<Pipeline>(transactions, items, pool, options);
}

}  // namespace atl::cuda
