#include "cuda/host/growth_program.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace atl::cuda {

static_assert(std::endian::native == std::endian::little, "words of 64 bits are read as of 32");

namespace {

template <typename T>
std::byte* put(const T& value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}

constexpr std::size_t whole_units(std::size_t bytes) noexcept {
  return (bytes + 15) / 16 * 16;
}

std::size_t terms_of(std::span<const SharedRule> rules) noexcept {
  std::size_t terms = 0;
  for (const SharedRule& rule : rules) {
    for (std::size_t i = 0; i < rule->alternatives(); ++i) {
      terms += std::max<std::size_t>(rule->alternative(i).size(), 1);
    }
  }
  return terms;
}

bool have_alternatives(std::span<const SharedRule> rules) noexcept {
  return std::all_of(rules.begin(), rules.end(),
                     [](const SharedRule& rule) { return rule->alternatives() > 0; });
}

/// Most comparisons of a rule: the counts of a block have to hold those of each class without each
/// of them.
std::uint32_t most_comparisons_of(std::uint32_t classes) noexcept {
  return std::min(growth_counts / classes - 1, most_growth_comparisons);
}

}  // namespace

bool grows_on_device(const ClassSample& sample, const GrowthSettings& settings) noexcept {
  constexpr std::size_t most_sets = std::size_t{1} << 31;  // a bit tells whether to negate
  constexpr std::size_t most_words = std::numeric_limits<std::uint32_t>::max();
  return sample.classes() > 0 && sample.classes() <= most_growth_classes &&
         settings.most_comparisons <= most_comparisons_of(sample.classes()) &&
         sample.words() <= most_words && sample.set_without(0) < most_sets;
}

GrowthProgram::GrowthProgram(const ClassSample& sample, const GrowthSettings& settings)
    : sample_(sample), settings_(settings) {}

std::size_t GrowthProgram::bytes_of(const GrowthTask& task) const noexcept {
  return whole_units(sizeof(GrowthHead) +
                     (terms_of(task.before) + terms_of(task.behind)) * sizeof(GrowthTerm) +
                     task.start.size() * sizeof(GrowthComparison) +
                     task.attributes.size() * sizeof(std::uint64_t));
}

void GrowthProgram::plan(std::span<const GrowthTask> tasks) {
  all_ = tasks;
  tasks_.clear();
  others_.clear();
  most_comparisons_ = settings_.most_comparisons;
  const std::size_t most = most_comparisons_of(sample_.classes());
  std::size_t all_bytes = 0;
  for (std::uint32_t t = 0; t < tasks.size(); ++t) {
    const std::size_t bytes = bytes_of(tasks[t]);
    const bool fits = have_alternatives(tasks[t].before) && have_alternatives(tasks[t].behind) &&
                      tasks[t].start.size() <= most && all_bytes + bytes <= most_growth_bytes;
    if (fits) all_bytes += bytes;
    (fits ? tasks_ : others_).push_back(t);
    if (!fits) continue;
    most_comparisons_ =
        std::max(most_comparisons_, static_cast<std::uint32_t>(tasks[t].start.size()));
  }
  offsets_.clear();
  bytes_ = whole_units(tasks_.size() * sizeof(std::uint32_t));
  for (const std::uint32_t t : tasks_) {
    offsets_.push_back(static_cast<std::uint32_t>(bytes_));
    bytes_ += bytes_of(tasks[t]);
  }
}

std::byte* GrowthProgram::write_rules(std::span<const SharedRule> rules, bool before,
                                      std::byte* to) const {
  const ComparisonRows everywhere{sample_.set_of_rows(), sample_.set_of_rows() + 1, no_row_set,
                                  sample_.set_of_rows()};
  for (const SharedRule& rule : rules) {
    const std::uint32_t label = before ? before_gap : rule->rule().label;
    for (std::size_t i = 0; i < rule->alternatives(); ++i) {  // as if each were a rule
      std::span<const ComparisonRows> comparisons = rule->alternative(i);
      if (comparisons.empty()) comparisons = {&everywhere, 1};
      for (const ComparisonRows& its : comparisons) {
        GrowthTerm term{its.first, its.end - its.first, its.without, its.present};
        if (&its == &comparisons.back()) term.sets_and_rule |= GrowthTerm::last;
        term.sets_and_rule |= label << GrowthTerm::label_shift;
        to = put(term, to);
      }
    }
  }
  return to;
}

std::byte* GrowthProgram::write(const GrowthTask& task, std::byte* to) const {
  GrowthHead head{};
  head.drawn = task.drawn;
  head.prior_rows = task.prior_rows;
  head.criterion = static_cast<std::uint8_t>(task.criterion);
  head.counted = static_cast<std::uint8_t>(task.counted);
  head.price = static_cast<std::uint16_t>(task.price);
  head.window = task.window;
  head.rows = task.without ? sample_.set_without(*task.without) : sample_.set_of_rows();
  head.default_class = task.default_class;
  head.label = task.label.value_or(no_label);
  head.terms = static_cast<std::uint32_t>(terms_of(task.before) + terms_of(task.behind));
  head.starts = static_cast<std::uint32_t>(task.start.size());
  head.step_words = static_cast<std::uint32_t>(
      task.attributes.empty() ? 0 : 2 * attribute_words(sample_.attributes().size()));
  to = put(head, to);
  to = write_rules(task.before, true, to);
  to = write_rules(task.behind, false, to);
  for (const Comparison& its : task.start) {
    to = put(GrowthComparison{its.attribute, its.low, its.high, its.negated ? 1U : 0U}, to);
  }
  const auto attributes = std::as_bytes(std::span(task.attributes));
  std::copy(attributes.begin(), attributes.end(), to);  // memcpy must not see the null of none
  return to;
}

void GrowthProgram::write(std::byte* out) const {
  if (offsets_.empty()) return;
  std::memcpy(out, offsets_.data(), offsets_.size() * sizeof(std::uint32_t));
  for (std::size_t i = 0; i < tasks_.size(); ++i) write(all_[tasks_[i]], out + offsets_[i]);
}

void GrowthProgram::read(const std::byte* results, std::span<std::optional<Grown>> out) const {
  for (const std::uint32_t t : tasks_) {
    GrowthResult result;
    std::memcpy(&result, results, sizeof result);
    out[t].reset();
    std::vector<Comparison> conjunction;
    for (std::uint32_t i = 0; i < result.comparisons; ++i) {
      GrowthComparison its;
      std::memcpy(&its, results + sizeof result + i * sizeof its, sizeof its);
      conjunction.push_back({its.attribute, its.low, its.high, its.negated != 0});
    }
    if (!conjunction.empty()) {
      out[t] = Grown{result.label, grown_antecedent(std::move(conjunction), sample_.attributes())};
    }
    results += result_bytes();
  }
}

}  // namespace atl::cuda
