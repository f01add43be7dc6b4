#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "src/core/portable_math.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/data/dependences/sample.hpp"

namespace atl {
namespace {

/// The second value says that something is, the first that it is not.
bool is_flag(const Attribute& attribute) {
  if (attribute.distinct() != 2 || attribute.missing > 0 || is_date(attribute.kind)) return false;
  if (attribute.kind == AttributeKind::numeric)
    return attribute.low[0] == 0 && attribute.high[1] == 1 && !attribute.binned();
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> pairs = {
      {{"0", "1"},
       {"no", "yes"},
       {"n", "y"},
       {"false", "true"},
       {"f", "t"},
       {"absent", "present"}}};
  const auto lower = [](std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
  };
  const std::string unset = lower(attribute.labels[0]), set = lower(attribute.labels[1]);
  return std::any_of(pairs.begin(), pairs.end(),
                     [&](const auto& pair) { return unset == pair.first && set == pair.second; });
}

using Bits = std::vector<std::uint64_t>;

/// Columns of which exactly one is set in each row of the sample: an exact cover (Knuth 2000,
/// "Dancing links"), row by row, by depth.
class CoverSearch {
 public:
  CoverSearch(const DependenceSample& sample, std::span<const std::uint32_t> attributes)
      : rows_(sample.rows()), words_((rows_ + 63) / 64) {
    for (const std::uint32_t a : attributes) {
      if (!is_flag(sample.dataset().attributes()[a])) continue;
      const SampleColumn& column = sample.column(a);
      Column made{a, 0, Bits(words_)};
      for (std::size_t i = 0; i < rows_; ++i) {
        if (column.codes[column.labels[i]] != 1) continue;
        made.bits[i / 64] |= std::uint64_t{1} << i % 64;
        ++made.rows;
      }
      const bool repeated = std::any_of(columns_.begin(), columns_.end(), [&](const Column& other) {
        return other.rows == made.rows && other.bits == made.bits;
      });
      if (made.rows > 0 && !repeated) columns_.push_back(std::move(made));
    }
    covered_.resize(words_);
  }

  /// Calls with each group, which says whether it is one; then its columns are not used again.
  template <typename Accept>
  void run(const Accept& accept) {
    const std::size_t flags = columns_.size();
    accept_ = [&](const AttributeGroup& group, double log_ways) {
      return log_ways > 0 && accept(group, log_ways, flags);
    };
    while (extend(0)) {
      std::erase_if(columns_, [&](const Column& column) {
        return std::binary_search(group_.begin(), group_.end(), column.attribute);
      });
      chosen_.clear();
      std::fill(covered_.begin(), covered_.end(), 0);
    }
  }

 private:
  struct Column {
    std::uint32_t attribute;
    std::uint64_t rows;
    Bits bits;
  };

  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 28;  // words looked at

  bool disjoint(const Bits& bits) {
    for (std::size_t w = 0; w < words_; ++w) {
      ++steps_;
      if ((bits[w] & covered_[w]) != 0) return false;
    }
    return true;
  }

  void flip(const Bits& bits) {
    for (std::size_t w = 0; w < words_; ++w) covered_[w] ^= bits[w];
  }

  /// Covers the first row at `from` or beyond that is not yet, and so on.
  bool extend(std::size_t from) {
    while (from < rows_ && (covered_[from / 64] >> from % 64 & 1) != 0) ++from;
    if (from == rows_) return is_group();
    for (const Column& column : columns_) {
      if (++steps_ > most_steps) return false;
      if ((column.bits[from / 64] >> from % 64 & 1) == 0 || !disjoint(column.bits)) continue;
      flip(column.bits);
      chosen_.push_back(&column);
      if (extend(from + 1)) return true;
      chosen_.pop_back();
      flip(column.bits);
    }
    return false;
  }

  /// Is it a group? Few columns that are set at random in as many rows would part the rows among
  /// them.
  bool is_group() {
    if (chosen_.size() < 3) return false;
    group_.clear();
    double ways = -log_factorial(rows_);
    for (const Column* column : chosen_) {
      group_.push_back(column->attribute);
      ways += log_factorial(rows_) - log_factorial(rows_ - column->rows);
    }
    std::sort(group_.begin(), group_.end());
    return accept_(group_, ways);
  }

  std::size_t rows_, words_;
  std::vector<Column> columns_;
  Bits covered_;
  std::vector<const Column*> chosen_;
  AttributeGroup group_;
  std::uint64_t steps_ = 0;
  std::function<bool(const AttributeGroup&, double)> accept_;
};

bool holds_on_all(const Dataset& dataset, const AttributeGroup& group) {
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    const std::uint64_t rows = dataset.partition_rows(p);
    for (std::size_t w = 0; w < words_for(rows); ++w) {
      std::uint64_t once = 0;
      for (const std::uint32_t a : group) {
        const std::uint64_t bits = dataset.plane(p, a, 0)[w];
        if ((once & bits) != 0) return false;
        once |= bits;
      }
      const std::uint64_t left = rows - std::uint64_t{w} * 64;
      if (once != (left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0})) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<AttributeGroup> find_one_hot(const DependenceSample& sample,
                                         std::span<const std::uint32_t> attributes) {
  std::vector<AttributeGroup> found;
  CoverSearch search(sample, attributes);
  search.run([&](const AttributeGroup& group, double ways, std::size_t flags) {
    double looks = 1;  // groups of this size
    for (std::size_t i = 0; i < group.size(); ++i)
      looks *= static_cast<double>(flags - i) / static_cast<double>(i + 1);
    if (!beyond_chance(ways, looks)) return false;
    if (!sample.is_whole() && !holds_on_all(sample.dataset(), group)) return false;
    found.push_back(group);
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace atl
