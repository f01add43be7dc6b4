#include "src/generate/quest.hpp"

#include <algorithm>
#include <utility>

#include "src/generate/generate_stream.hpp"

namespace atl {
namespace {

constexpr double corruption_deviation = 0.31622776601683794;  // of a variance of 0.1

/// Patterns in a row that may bring nothing new: of few items a transaction may want more of them
/// than its patterns have.
constexpr int most_fruitless = 64;

DrawKey key_of(std::uint64_t seed, GenerateStream stream, std::uint64_t number) {
  return {.seed = seed,
          .island = static_cast<std::uint32_t>(stream),
          .generation = static_cast<std::uint32_t>(number >> 32),
          .slot = static_cast<std::uint32_t>(number),
          .purpose = Purpose::generate};
}

bool insert(std::vector<std::uint32_t>& ascending, std::uint32_t item) {
  const auto at = std::lower_bound(ascending.begin(), ascending.end(), item);
  if (at != ascending.end() && *at == item) return false;
  ascending.insert(at, item);
  return true;
}

/// Drops one item that is drawn.
void drop_one(std::vector<std::uint32_t>& items, RandomStream& stream) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(stream.below(items.size())));
}

}  // namespace

QuestSource::QuestSource(const QuestOptions& options) : options_(options) {
  const double least = portable_exp(1 - options.pattern_length);
  double sum = 0;
  for (std::uint32_t p = 0; p < options.patterns; ++p) {
    RandomStream stream(key_of(options.seed, GenerateStream::quest_patterns, p));
    make_pattern(stream, least);
    weights_.push_back(sum += draw_exponential(stream));
  }
}

/// @param least  e to the -(mean items - 1)
void QuestSource::make_pattern(RandomStream& stream, double least) {
  Pattern pattern;
  const std::size_t size = std::min(1 + draw_poisson(stream, least), options_.items);
  if (!patterns_.empty()) {
    std::vector<std::uint32_t> former = patterns_.back().items;
    const double share = std::min(1.0, options_.correlation * draw_exponential(stream));
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(size) + 0.5);
    while (former.size() > wanted) drop_one(former, stream);
    pattern.items = std::move(former);
  }
  while (pattern.items.size() < size) {
    insert(pattern.items, static_cast<std::uint32_t>(stream.below(options_.items)));
  }
  pattern.corruption =
      std::clamp(options_.corruption + corruption_deviation * draw_normal(stream), 0.0, 1.0);
  patterns_.push_back(std::move(pattern));
}

const QuestSource::Pattern& QuestSource::draw_pattern(RandomStream& stream) const {
  const double at = stream.next_double() * weights_.back();
  const auto found = std::upper_bound(weights_.begin(), weights_.end(), at);
  const auto last = static_cast<std::ptrdiff_t>(patterns_.size()) - 1;
  return patterns_[static_cast<std::size_t>(std::min(found - weights_.begin(), last))];
}

/// Makes the transactions of a slice one after the other.
class QuestSource::Maker {
 public:
  explicit Maker(const QuestSource& source)
      : source_(source), least_(portable_exp(1 - source.options_.length)) {}

  const std::vector<std::uint32_t>& next(std::uint64_t number) {
    RandomStream stream(key_of(source_.options_.seed, GenerateStream::quest_transactions, number));
    items_.clear();
    const std::size_t size = std::min(1 + draw_poisson(stream, least_), source_.options_.items);
    for (int fruitless = 0; items_.size() < size && fruitless < most_fruitless; ++fruitless) {
      std::vector<std::uint32_t> pattern = std::exchange(waits_, {});
      if (pattern.empty()) pattern = corrupted(stream);
      merged_ = items_;
      for (const std::uint32_t item : pattern) insert(merged_, item);
      if (merged_.size() > size && !items_.empty() && stream.chance(0.5)) {
        waits_ = std::move(pattern);
        break;
      }
      if (merged_.size() > items_.size()) fruitless = 0;
      items_.swap(merged_);
    }
    if (items_.empty()) {  // all patterns have lost all their items
      items_.push_back(static_cast<std::uint32_t>(stream.below(source_.options_.items)));
    }
    return items_;
  }

 private:
  std::vector<std::uint32_t> corrupted(RandomStream& stream) const {
    const Pattern& pattern = source_.draw_pattern(stream);
    std::vector<std::uint32_t> items = pattern.items;
    while (!items.empty() && stream.chance(pattern.corruption)) drop_one(items, stream);
    return items;
  }

  const QuestSource& source_;
  const double least_;
  std::vector<std::uint32_t> items_, merged_;
  std::vector<std::uint32_t> waits_;  // a pattern, for the next transaction
};

void QuestSource::make(RowRange slice, const Take& take) const {
  Maker maker(*this);
  for (std::uint64_t number = slice.first; number < slice.last; ++number) take(maker.next(number));
}

}  // namespace atl
