#include "src/sampling/class_sample.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "src/core/parallel.hpp"
#include "src/data/bit_planes.hpp"
#include "src/data/row_codes.hpp"
#include "src/sampling/literal_counts.hpp"

namespace atl {
namespace {

constexpr std::size_t most_label_literals = 1024;  // with a literal, of an attribute
/// Rows of a class that are all taken, and are in every window: rules for rare classes are grown on
/// these.
constexpr std::uint64_t rare_class_rows = 512;
/// Below this the words of literals are looked at rather than the codes of rows.
constexpr std::size_t few_literals = 16;
constexpr std::size_t least_words = 64;
/// Where coarse literals are one in so many or fewer, they are kept once more.
constexpr std::size_t least_literals_of_coarse = 4;

/// The codes that get a literal, ascending.
std::vector<std::uint32_t> literal_codes(const Attribute& attribute) {
  std::vector<std::uint32_t> codes(attribute.distinct());
  std::iota(codes.begin(), codes.end(), 0U);
  if (codes.empty()) return codes;
  if (attribute.ordered() || codes.size() == 2) {
    codes.pop_back();  // holds wherever there is a value, or where the other label is not
    return codes;
  }
  if (codes.size() <= most_label_literals) return codes;
  std::stable_sort(codes.begin(), codes.end(), [&](std::uint32_t a, std::uint32_t b) {
    return attribute.counts[a] > attribute.counts[b];
  });
  codes.resize(most_label_literals);
  std::sort(codes.begin(), codes.end());
  return codes;
}

void set_bit(std::uint64_t* words, std::size_t position) noexcept {
  words[position / 64] |= std::uint64_t{1} << (position % 64);
}

bool is_rare(std::uint64_t class_rows) noexcept {
  return class_rows <= rare_class_rows;
}

/// The rows of each class, which a pool's threads read partition by partition.
class RowsOfClasses {
 public:
  RowsOfClasses(const Dataset& dataset, std::uint32_t class_attribute, ThreadPool* pool)
      : dataset_(dataset),
        class_attribute_(class_attribute),
        pool_(pool),
        counts_(dataset.attributes()[class_attribute].distinct(), 0),
        before_(dataset.partitions()) {
    for_each_index(pool_, before_.size(), [&](std::size_t p) {
      before_[p].assign(counts_.size(), 0);
      for_each_row(p, [&](std::uint32_t label, std::uint64_t) { ++before_[p][label]; });
    });
    for (auto& of_partition : before_) {
      for (std::size_t c = 0; c < counts_.size(); ++c)
        counts_[c] += std::exchange(of_partition[c], counts_[c]);
    }
  }

  /// [classes]
  const std::vector<std::uint64_t>& counts() const noexcept { return counts_; }

  using Dealt = std::vector<std::vector<std::vector<std::uint64_t>>>;
  /// Deals some rows of each class to the windows in turn, and all rows of a rare one to each.
  /// @param taken  [classes] how many
  /// @return [windows][classes] rows, ascending
  Dealt deal(std::span<const std::uint64_t> taken, std::size_t windows) const {
    Dealt dealt(windows, std::vector<std::vector<std::uint64_t>>(counts_.size()));
    for (std::size_t w = 0; w < windows; ++w) {
      for (std::size_t c = 0; c < counts_.size(); ++c) {
        const std::uint64_t in_turn = (taken[c] + windows - 1 - w) / windows;
        dealt[w][c].resize(is_rare(counts_[c]) ? counts_[c] : in_turn);
      }
    }
    for_each_index(pool_, before_.size(), [&](std::size_t p) {
      std::vector<std::uint64_t> ranks = before_[p];  // of the next row of each class
      std::vector<Wanted> wanted(counts_.size());
      for (std::size_t c = 0; c < wanted.size(); ++c) {
        if (counts_[c] == 0) continue;
        wanted[c].number = (ranks[c] * taken[c] + counts_[c] - 1) / counts_[c];
        wanted[c].rank = wanted[c].number * counts_[c] / taken[c];
      }
      for_each_row(p, [&](std::uint32_t c, std::uint64_t row) {
        if (ranks[c]++ != wanted[c].rank) return;
        const std::uint64_t i = wanted[c].number++;
        wanted[c].rank = wanted[c].number * counts_[c] / taken[c];
        if (is_rare(counts_[c])) {
          for (auto& of_window : dealt) of_window[c][i] = row;
        } else {
          dealt[i % windows][c][i / windows] = row;
        }
      });
    });
    return dealt;
  }

 private:
  /// The next row of a class that is taken: the i-th has the rank i * rows / taken in its class.
  struct Wanted {
    std::uint64_t number = 0, rank = 0;
  };

  template <typename Take>
  void for_each_row(std::size_t partition, const Take& take) const {
    std::vector<std::uint32_t> labels(dataset_.partition_rows(partition));
    dataset_.codes(partition, class_attribute_, labels);
    const std::uint64_t first = dataset_.partition_first_row(partition);
    for (std::size_t r = 0; r < labels.size(); ++r)
      if (labels[r] != missing_code) take(labels[r], first + r);
  }

  const Dataset& dataset_;
  const std::uint32_t class_attribute_;
  ThreadPool* const pool_;
  std::vector<std::uint64_t> counts_;               // [classes]
  std::vector<std::vector<std::uint64_t>> before_;  // [partitions][classes] rows of those before
};

}  // namespace

Comparison as_grown(const Comparison& comparison, const Attribute& attribute) noexcept {
  const std::uint32_t last = attribute.distinct() - 1;
  const bool from_first = comparison.low == 0, to_last = comparison.high >= last;
  if (attribute.ordered() || comparison.low == comparison.high || from_first == to_last) {
    return comparison;
  }
  const std::uint32_t labels = comparison.high - comparison.low + 1;
  if (labels <= attribute.distinct() - labels) return comparison;
  if (from_first) return {comparison.attribute, comparison.high + 1, last, !comparison.negated};
  return {comparison.attribute, 0, comparison.low - 1, !comparison.negated};
}

ClassSample::ClassSample(const Dataset& dataset, std::uint32_t class_attribute,
                         const Options& options)
    : attributes_(dataset.attributes().begin(), dataset.attributes().end()),
      class_attribute_(class_attribute),
      class_rows_(attributes_[class_attribute].distinct(), 0),
      scales_(class_rows_.size(), 1.0) {
  choose_literals(options);
  place_rows(dataset, options);
  fill(dataset, options.pool);
}

void ClassSample::choose_literals(const Options& options) {
  for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
    first_literal_.push_back(literals_.size());
    if (a == class_attribute_ || (!options.usable.empty() && !options.usable[a])) continue;
    for (const std::uint32_t code : literal_codes(attributes_[a])) literals_.push_back({a, code});
  }
  first_literal_.push_back(literals_.size());
}

bool ClassSample::keeps_codes(std::uint32_t attribute) const noexcept {
  return attributes_[attribute].ordered() && attributes_[attribute].distinct() < no_code &&
         first_literal_[attribute + 1] - first_literal_[attribute] >= few_literals;
}

bool ClassSample::keeps_coarse_bits(std::uint32_t attribute) const noexcept {
  return attributes_[attribute].ordered() &&
         literals_of(attribute) >= least_literals_of_coarse * most_coarse_literals;
}

std::size_t ClassSample::cost_of(std::size_t rows) const noexcept {
  std::size_t cost = 0;
  for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
    const std::size_t by_words = (first_literal_[a + 1] - first_literal_[a]) * ((rows + 511) / 512);
    cost += keeps_codes(a) ? std::min(by_words, rows) : by_words;
  }
  return cost;
}

void ClassSample::place_rows(const Dataset& dataset, const Options& options) {
  const RowsOfClasses rows(dataset, class_attribute_, options.pool);
  class_rows_ = rows.counts();
  const std::uint64_t all =
      std::accumulate(class_rows_.begin(), class_rows_.end(), std::uint64_t{0});
  std::size_t literals = std::max<std::size_t>(literals_.size(), 1);
  for (std::uint32_t a = 0; a < attributes_.size(); ++a) {
    if (keeps_coarse_bits(a)) literals += most_coarse_literals;
  }
  const std::uint64_t most_rows =
      std::min(options.most_rows,
               std::max<std::uint64_t>(options.most_bytes * 8 / literals, least_words * 64));
  const std::uint64_t sampled = std::min(all, most_rows);
  const std::size_t windows = std::max<std::size_t>(cost_of(sampled) / options.window_cost, 1);
  const double share =
      static_cast<double>(sampled) / static_cast<double>(std::max<std::uint64_t>(all, 1));
  std::vector<std::uint64_t> taken = class_rows_;
  for (std::size_t c = 0; c < taken.size(); ++c) {
    const auto count = static_cast<double>(class_rows_[c]);
    if (is_rare(class_rows_[c])) {
      if (class_rows_[c] > 0) scales_[c] = 1 / static_cast<double>(windows);
      continue;
    }
    taken[c] = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(share * count), rare_class_rows,
                                         class_rows_[c]);
    scales_[c] = count / static_cast<double>(taken[c]);
  }
  for (const auto& of_window : rows.deal(taken, windows)) add_window(of_window);
  mark_rows(options);
}

/// @param rows  [classes]
void ClassSample::add_window(std::span<const std::vector<std::uint64_t>> rows) {
  SampleWindow window;
  for (const auto& of_class : rows) {
    window.classes.push_back(words_);
    for (std::size_t i = 0; i < of_class.size(); ++i) {
      places_.push_back({of_class[i], words_ * 64 + i});
    }
    words_ += (of_class.size() + 63) / 64;
  }
  window.classes.push_back(words_);
  windows_.push_back(std::move(window));
}

void ClassSample::mark_rows(const Options& options) {
  std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return std::tie(a.row, a.position) < std::tie(b.row, b.position);
  });
  auto sets = static_cast<std::uint32_t>(literals_.size());
  for (const Attribute& attribute : attributes_) {
    present_.push_back(attribute.has_missing ? sets++ : no_row_set);
  }
  for (std::uint32_t& its : present_) its = its == no_row_set ? sets : its;
  first_without_ = sets + 1;
  const std::size_t all_sets = first_without_ + options.fold_count;
  sets_ = AlignedWords::unset(words_ * all_sets);
  for_each_index(options.pool, all_sets, [&](std::size_t i) { std::fill_n(set(i), words_, 0); });
  for (const Place& place : places_) {
    set_bit(set(set_of_rows()), place.position);
    const std::uint32_t own = options.folds.empty() ? 0 : options.folds[place.row];
    for (std::uint32_t f = 0; f < options.fold_count; ++f) {
      if (f != own) set_bit(set(set_without(f)), place.position);
    }
  }
}

void ClassSample::fill(const Dataset& dataset, ThreadPool* pool) {
  codes_.resize(attributes_.size());
  coarse_bits_.resize(attributes_.size());
  std::vector<std::uint64_t> rows;
  for (const Place& place : places_) rows.push_back(place.row);
  for_each_index(pool, attributes_.size(), [&](std::size_t i) {
    const auto a = static_cast<std::uint32_t>(i);
    if (first_literal_[a] != first_literal_[a + 1] || attributes_[a].has_missing) {
      fill(a, codes_of(dataset, a, rows));
    }
  });
}

/// @param codes  [places]
void ClassSample::fill(std::uint32_t attribute, std::span<const std::uint32_t> codes) {
  const std::size_t first = first_literal_[attribute], end = first_literal_[attribute + 1];
  std::vector<std::uint16_t>& kept = codes_[attribute];
  if (keeps_codes(attribute)) kept.assign(words_ * 64, no_code);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const std::uint32_t code = codes[i];
    const std::size_t position = places_[i].position;
    if (code == missing_code) continue;
    if (!kept.empty()) kept[position] = static_cast<std::uint16_t>(code);
    if (attributes_[attribute].has_missing) set_bit(set(present_[attribute]), position);
    const std::uint32_t index = find(attribute, code);
    if (index < end && literals_[index].code == code) set_bit(set(index), position);
  }
  if (!attributes_[attribute].ordered()) return;
  for (std::size_t i = first + 1; i < end; ++i) {
    const std::uint64_t* const before = bits(i - 1);
    std::uint64_t* const words = set(i);
    for (std::size_t w = 0; w < words_; ++w) words[w] |= before[w];
  }
  if (keeps_coarse_bits(attribute)) copy_coarse_bits(attribute);
}

void ClassSample::copy_coarse_bits(std::uint32_t attribute) {
  AlignedWords& copy = coarse_bits_[attribute];
  copy = AlignedWords(words_ * most_coarse_literals);
  const std::size_t each = stride(attribute), end = literals_of(attribute);
  for (std::size_t i = each / 2, number = 0; i < end; i += each, ++number) {
    const std::uint64_t* const its = bits(first_literal_[attribute] + i);
    for (std::size_t w = 0; w < words_; ++w) {
      copy.data()[interleaved_word(number, w, words_)] = its[w];
    }
  }
}

std::uint32_t ClassSample::find(std::uint32_t attribute, std::uint32_t code) const noexcept {
  const auto first = literals_.begin() + static_cast<std::ptrdiff_t>(first_literal_[attribute]);
  const auto end = literals_.begin() + static_cast<std::ptrdiff_t>(first_literal_[attribute + 1]);
  const auto found = std::lower_bound(
      first, end, code,
      [](const Literal& literal, std::uint32_t wanted) { return literal.code < wanted; });
  return static_cast<std::uint32_t>(found - literals_.begin());
}

bool ClassSample::has_literal(std::uint32_t attribute, std::uint32_t code) const noexcept {
  const std::uint32_t index = find(attribute, code);
  return index < first_literal_[attribute + 1] && literals_[index].code == code;
}

bool ClassSample::knows(std::uint32_t attribute, std::uint32_t code) const noexcept {
  const Attribute& its = attributes_[attribute];
  return its.ordered() || its.distinct() == 2 || has_literal(attribute, code);
}

ComparisonRows ClassSample::rows_of(const Comparison& of) const noexcept {
  const std::uint32_t a = of.attribute;
  const Attribute& attribute = attributes_[a];
  if (asks_missing(of)) return {set_of_rows(), set_of_rows() + 1, present_[a], present_[a]};
  const Comparison comparison = as_grown(of, attribute);
  ComparisonRows rows;
  rows.present = present_[a] | (comparison.negated ? ComparisonRows::negation : 0);
  const auto hold_on = [&](std::uint32_t first, std::uint32_t end) {
    rows.first = first;
    rows.end = end;
  };
  // One of two labels has a literal, as if they had an order.
  const bool ordered = attribute.ordered() || attribute.distinct() == 2;
  const bool to_last = comparison.high + 1 >= attribute.distinct();
  if (!ordered && (comparison.low > 0 || !to_last)) {
    hold_on(find(a, comparison.low), find(a, comparison.high + 1));
    return rows;
  }
  if (to_last) {
    hold_on(present_[a], present_[a] + 1);
  } else if (has_literal(a, comparison.high)) {
    hold_on(find(a, comparison.high), find(a, comparison.high) + 1);
  }
  if (comparison.low > 0 && has_literal(a, comparison.low - 1)) {
    rows.without = find(a, comparison.low - 1);
  }
  return rows;
}

void ClassSample::narrow(const ComparisonRows& comparison, std::size_t first, std::size_t end,
                         std::uint64_t* rows) const {
  const bool negated = (comparison.present & ComparisonRows::negation) != 0;
  const std::uint64_t* const present = row_set(comparison.present & ~ComparisonRows::negation);
  const std::uint64_t* const without =
      comparison.without == no_row_set ? nullptr : row_set(comparison.without);
  if (comparison.end == comparison.first + 1 && !negated) {  // most are so
    const std::uint64_t* const in = row_set(comparison.first);
    if (without == nullptr) {
      for (std::size_t w = first; w < end; ++w) rows[w] &= in[w];
    } else {
      for (std::size_t w = first; w < end; ++w) rows[w] &= in[w] & ~without[w];
    }
    return;
  }
  for (std::size_t w = first; w < end; ++w) {
    std::uint64_t in = 0;
    for (std::uint32_t s = comparison.first; s < comparison.end; ++s) in |= row_set(s)[w];
    if (without != nullptr) in &= ~without[w];
    rows[w] &= negated ? present[w] & ~in : in;
  }
}

void ClassSample::cover(const Expression& expression, std::uint64_t* out) const {
  std::copy_n(rows(), words_, out);
  if (expression.empty()) return;
  if (expression.is_conjunction()) {
    for (const Comparison& comparison : expression.comparisons()) {
      narrow(rows_of(comparison), 0, words_, out);
    }
    return;
  }
  std::vector<std::vector<std::uint64_t>> stack;
  std::size_t next = 0;
  for (const Op op : expression.program()) {
    if (op == Op::comparison) {
      stack.emplace_back(rows(), rows() + words_);
      narrow(rows_of(expression.comparisons()[next++]), 0, words_, stack.back().data());
      continue;
    }
    if (op == Op::negation) {
      for (std::size_t w = 0; w < words_; ++w) stack.back()[w] = rows()[w] & ~stack.back()[w];
      continue;
    }
    const std::vector<std::uint64_t> top = std::move(stack.back());
    stack.pop_back();
    std::vector<std::uint64_t>& below = stack.back();
    for (std::size_t w = 0; w < words_; ++w) {
      below[w] = op == Op::conjunction ? below[w] & top[w] : below[w] | top[w];
    }
  }
  std::copy_n(stack.back().data(), words_, out);
}

}  // namespace atl
