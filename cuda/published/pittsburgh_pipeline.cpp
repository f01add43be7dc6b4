#include "cuda/published/pittsburgh_pipeline.hpp"

#include <algorithm>
#include <limits>

#include "cuda/device/handles.hpp"
#include "cuda/device/part_times.hpp"
#include "cuda/host/pittsburgh_rules.hpp"
#include "cuda/published/pittsburgh_kernels.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

/// Codes beyond are no floats.
constexpr std::uint32_t most_codes = std::uint32_t{1} << 24;

class Pipeline final : public PittsburghPipeline {
 public:
  Pipeline(const Dataset& dataset, std::uint32_t class_attribute, const DeviceOptions& options)
      : attributes_(dataset.attributes()), device_(options.device) {
    if (dataset.rows() > std::uint64_t{1} << 31) {
      throw BackendUnavailable("cuda", "the published pipeline takes 2^31 rows at most");
    }
    upload_rows(dataset, class_attribute);
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total));
    if (options.memory != 0) {
      const std::uint64_t taken = attributes_.size() * std::uint64_t{rows_.stride} * sizeof(double);
      free = std::min<std::uint64_t>(free, options.memory - std::min(options.memory, taken));
    }
    memory_ = free / 4 * 3;  // a quarter is left to rules, results and others
  }

  void evaluate(std::span<const RuleSet> lists, const PittsburghOptions& options,
                PittsburghResults& out) override {
    check(cudaSetDevice(device_));  // others may have used another one meanwhile
    out = {};
    times_.restart(options.timed);
    rules_.build(lists, attributes_);
    const std::size_t of_list =
        (std::size_t{rules_.most_rules()} + 1) * std::max(rows_.stride, pittsburgh_threads);
    const std::size_t together = std::min(memory_ / of_list, lists.size());
    if (together == 0 && !lists.empty()) refuse_for_memory(of_list);
    reserve(lists.size(), together);
    upload();
    for (std::size_t first = 0; first < lists.size(); first += together) {
      launch(first, std::min(together, lists.size() - first), options.threads);
    }
    download(lists.size());
    check(cudaStreamSynchronize(stream_));
    write(lists, out);
    out.seconds = times_.seconds();
  }

  PittsburghOccupancy occupancy(std::uint32_t threads) const override {
    check(cudaSetDevice(device_));
    const std::uint32_t blocks = coverage_blocks(threads);
    return {threads, blocks, blocks * threads, processor_threads()};
  }

 private:
  void upload_rows(const Dataset& dataset, std::uint32_t class_attribute) {
    std::vector<std::uint32_t> codes(dataset.rows());
    const auto read = [&](std::uint32_t attribute) {
      for (std::size_t p = 0; p < dataset.partitions(); ++p) {
        dataset.codes(
            p, attribute,
            std::span(codes).subspan(dataset.partition_first_row(p), dataset.partition_rows(p)));
      }
    };
    read(class_attribute);
    const std::vector<std::uint32_t> labels = codes;
    std::vector<std::int32_t> classes;
    for (const std::uint32_t label : labels) {
      if (label != missing_code) classes.push_back(static_cast<std::int32_t>(label));
    }
    rows_.rows = static_cast<std::uint32_t>(classes.size());
    rows_.stride = static_cast<std::uint32_t>(padded_instances(classes.size()));
    classes_.reserve(classes.size());
    instances_.reserve(attributes_.size() * std::size_t{rows_.stride});
    rows_.classes = classes_.data();
    rows_.instances = instances_.data();
    check(cudaMemcpy(classes_.data(), classes.data(), classes.size() * sizeof(std::int32_t),
                     cudaMemcpyHostToDevice));
    std::vector<double> column;
    for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
      if (attributes_[a].distinct() > most_codes) {
        throw BackendUnavailable("cuda",
                                 "the published pipeline takes 2^24 values of an attribute");
      }
      read(a);
      column.clear();
      for (std::size_t r = 0; r < codes.size(); ++r) {
        if (labels[r] == missing_code) continue;
        column.push_back(codes[r] == missing_code ? std::numeric_limits<double>::quiet_NaN()
                                                  : codes[r]);
      }
      check(cudaMemcpy(instances_.data() + std::size_t{a} * rows_.stride, column.data(),
                       column.size() * sizeof(double), cudaMemcpyHostToDevice));
    }
    check(cudaDeviceSynchronize());  // with the copies, which no stream of ours waits for
  }

  void reserve(std::size_t lists, std::size_t together) {
    const std::size_t rules = rules_.begins().size();
    symbols_.reserve(rules_.symbols().size());
    begins_.reserve(rules);
    consequents_.reserve(rules);
    defaults_.reserve(lists);
    host_symbols_.reserve(rules_.symbols().size());
    host_begins_.reserve(rules);
    host_consequents_.reserve(rules);
    host_defaults_.reserve(lists);
    rule_results_.reserve(rules);
    set_results_.reserve(lists);
    host_rule_results_.reserve(rules);
    host_set_results_.reserve(lists);
    matches_.reserve(together * rules_.most_rules() * std::size_t{rows_.stride});
    correct_.reserve(together * std::size_t{rows_.stride});
  }

  template <typename T>
  void copy_up(const PinnedBuffer<T>& from, const DeviceBuffer<T>& to, std::size_t count) {
    check(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(T), cudaMemcpyHostToDevice,
                          stream_));
  }
  template <typename T>
  void copy_down(const DeviceBuffer<T>& from, const PinnedBuffer<T>& to, std::size_t count) {
    check(cudaMemcpyAsync(to.data(), from.data(), count * sizeof(T), cudaMemcpyDeviceToHost,
                          stream_));
  }

  void upload() {
    const std::size_t rules = rules_.begins().size();
    std::copy(rules_.symbols().begin(), rules_.symbols().end(), host_symbols_.data());
    for (std::size_t r = 0; r < rules; ++r) {
      const std::size_t begin = rules_.begins()[r];
      host_begins_.data()[r] = begin == PittsburghRules::none ? nullptr : symbols_.data() + begin;
    }
    std::copy(rules_.consequents().begin(), rules_.consequents().end(), host_consequents_.data());
    std::copy(rules_.defaults().begin(), rules_.defaults().end(), host_defaults_.data());
    times_.begin(&PittsburghSeconds::upload, stream_);
    copy_up(host_symbols_, symbols_, rules_.symbols().size());
    copy_up(host_begins_, begins_, rules);
    copy_up(host_consequents_, consequents_, rules);
    copy_up(host_defaults_, defaults_, rules_.defaults().size());
    times_.end(stream_);
  }

  void launch(std::size_t first, std::size_t count, std::uint32_t threads) {
    const std::size_t before = first * rules_.most_rules();
    const PittsburghIndividuals individuals{static_cast<std::uint32_t>(count),
                                            rules_.most_rules(),
                                            begins_.data() + before,
                                            consequents_.data() + before,
                                            defaults_.data() + first,
                                            matches_.data(),
                                            correct_.data()};
    times_.begin(&PittsburghSeconds::coverage, stream_);
    launch_rule_coverage(rows_, individuals, threads, stream_);
    times_.end(stream_);
    times_.begin(&PittsburghSeconds::rule_fitness, stream_);
    launch_rules_fitness(rows_, individuals, rule_results_.data() + before, stream_);
    times_.end(stream_);
    times_.begin(&PittsburghSeconds::classification, stream_);
    launch_set_classification(rows_, individuals, threads, stream_);
    times_.end(stream_);
    times_.begin(&PittsburghSeconds::set_fitness, stream_);
    launch_sets_fitness(rows_, individuals, set_results_.data() + first, stream_);
    times_.end(stream_);
  }

  void download(std::size_t lists) {
    times_.begin(&PittsburghSeconds::download, stream_);
    copy_down(rule_results_, host_rule_results_, rules_.begins().size());
    copy_down(set_results_, host_set_results_, lists);
    times_.end(stream_);
  }

  void write(std::span<const RuleSet> lists, PittsburghResults& out) const {
    for (std::size_t l = 0; l < lists.size(); ++l) {
      const PittsburghRuleResult* of_rule = host_rule_results_.data() + l * rules_.most_rules();
      for (std::size_t r = 0; r < lists[l].rules.size(); ++r, ++of_rule) {
        const std::uint32_t* const cells = of_rule->cells;
        const auto of = [cells](Match match) {
          return std::uint64_t{cells[static_cast<std::size_t>(match)]};
        };
        out.confusions.push_back({of(Match::true_positive), of(Match::false_positive),
                                  of(Match::true_negative), of(Match::false_negative)});
        out.rule_fitness.push_back(of_rule->fitness);
      }
      out.correct.push_back(host_set_results_.data()[l].correct);
      out.accuracy.push_back(host_set_results_.data()[l].fitness);
    }
  }

  const std::span<const Attribute> attributes_;
  const int device_;
  Stream stream_;
  PartTimes<PittsburghSeconds> times_;
  PittsburghRows rows_;
  std::size_t memory_ = 0;  // for results
  PittsburghRules rules_;
  DeviceBuffer<double> instances_;
  DeviceBuffer<std::int32_t> classes_;
  DeviceBuffer<float> symbols_;
  DeviceBuffer<const float*> begins_;
  DeviceBuffer<std::int32_t> consequents_, defaults_;
  DeviceBuffer<std::uint8_t> matches_, correct_;
  DeviceBuffer<PittsburghRuleResult> rule_results_;
  DeviceBuffer<PittsburghSetResult> set_results_;
  PinnedBuffer<float> host_symbols_;
  PinnedBuffer<const float*> host_begins_;
  PinnedBuffer<std::int32_t> host_consequents_, host_defaults_;
  PinnedBuffer<PittsburghRuleResult> host_rule_results_;
  PinnedBuffer<PittsburghSetResult> host_set_results_;
};

}  // namespace

std::unique_ptr<PittsburghPipeline> make_pittsburgh_pipeline(const Dataset& dataset,
                                                             std::uint32_t class_attribute,
                                                             const DeviceOptions& options) {
  check(cudaSetDevice(options.device));
  return std::make_unique<Pipeline>(dataset, class_attribute, options);
}

}  // namespace atl::cuda
