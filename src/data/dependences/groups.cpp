#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "src/core/hash.hpp"
#include "src/core/portable_math.hpp"
#include "src/core/row_hash.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/data/dependences/sample.hpp"

namespace atl {
namespace {

using Key = std::pair<std::uint64_t, std::uint64_t>;

/// Hashes codes as they come so that copies have the same hash: numbers them in the order of their
/// first row or, where nearly every row has another value and that would say nothing, in the order
/// of the values, from the end that comes first.
class CopyHash {
 public:
  CopyHash(std::uint32_t distinct, bool by_order) : distinct_(distinct), by_order_(by_order) {
    hasher_.update_u64(by_order ? 1 : 0);
    if (!by_order) number_of_.assign(distinct, missing_code);
  }

  void add(std::span<const std::uint32_t> codes) {
    numbers_.resize(codes.size());
    for (std::size_t i = 0; i < codes.size(); ++i)
      numbers_[i] = codes[i] == missing_code ? missing_code : number(codes[i]);
    hasher_.update(std::as_bytes(std::span<const std::uint32_t>(numbers_)));
  }

  Key key() const {
    const Hash128 hash = hasher_.digest();
    return {hash.high, hash.low};
  }

 private:
  std::uint32_t number(std::uint32_t code) {
    if (!by_order_) {
      std::uint32_t& known = number_of_[code];
      if (known == missing_code) known = next_++;
      return known;
    }
    const std::uint32_t reversed = distinct_ - 1 - code;
    if (!decided_ && code != reversed) {
      decided_ = true;
      reverse_ = reversed < code;
    }
    return reverse_ ? reversed : code;
  }

  Hasher hasher_;
  std::uint32_t distinct_;
  bool by_order_;
  std::vector<std::uint32_t> number_of_;
  std::vector<std::uint32_t> numbers_;
  std::uint32_t next_ = 0;
  bool decided_ = false, reverse_ = false;
};

std::vector<AttributeGroup> groups_of(std::span<const std::uint32_t> attributes,
                                      std::span<const Key> keys) {
  std::map<Key, AttributeGroup> by_key;
  for (std::size_t i = 0; i < attributes.size(); ++i) by_key[keys[i]].push_back(attributes[i]);
  std::vector<AttributeGroup> groups;
  for (auto& [key, group] : by_key)
    if (group.size() > 1) groups.push_back(std::move(group));
  std::sort(groups.begin(), groups.end());
  return groups;
}

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

constexpr std::size_t most_sums = 256;

bool is_integer(const Attribute& attribute) {
  constexpr double most = 9007199254740992.0;  // 2^53
  return attribute.kind == AttributeKind::numeric && attribute.missing == 0 &&
         !attribute.binned() &&
         std::all_of(attribute.low.begin(), attribute.low.end(),
                     [](double v) { return v == std::floor(v) && std::abs(v) < most; });
}

/// Modulo 2^64, like all sums here.
std::uint64_t whole(double value) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

/// A random linear form of the column: that of a sum is the sum of those of its parts.
std::uint64_t form(const DependenceSample& sample, std::uint32_t attribute) {
  const SampleColumn& column = sample.column(attribute);
  const auto& values = sample.dataset().attributes()[attribute].low;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < sample.rows(); ++i)
    sum += row_hash(i) * whole(values[column.codes[column.labels[i]]]);
  return sum;
}

bool holds_on_all(const Dataset& dataset, const Sum& sum) {
  std::vector<std::uint32_t> whole_codes, first, second;
  const auto values = [&](std::uint32_t attribute) -> const std::vector<double>& {
    return dataset.attributes()[attribute].low;
  };
  for (std::size_t p = 0; p < dataset.partitions(); ++p) {
    const auto rows = static_cast<std::size_t>(dataset.partition_rows(p));
    for (auto* codes : {&whole_codes, &first, &second}) codes->resize(rows);
    dataset.codes(p, sum.whole, whole_codes);
    dataset.codes(p, sum.first, first);
    dataset.codes(p, sum.second, second);
    for (std::size_t i = 0; i < rows; ++i) {
      if (whole(values(sum.whole)[whole_codes[i]]) !=
          whole(values(sum.first)[first[i]]) + whole(values(sum.second)[second[i]]))
        return false;
    }
  }
  return true;
}

}  // namespace

std::vector<AttributeGroup> find_copies(const DependenceSample& sample, ThreadPool& pool) {
  const Dataset& dataset = sample.dataset();
  std::vector<std::uint32_t> asked;
  for (const std::uint32_t a : sample.attributes()) {
    const SampleColumn& column = sample.column(a);
    const auto count = static_cast<double>(sample.attributes().size());
    if (beyond_chance(column.log_ways(), count * count)) asked.push_back(a);
  }
  std::vector<Key> keys(asked.size());
  pool.wait(pool.submit(asked.size(), [&](std::size_t i, unsigned) {
    const SampleColumn& column = sample.column(asked[i]);
    CopyHash hash(dataset.attributes()[asked[i]].distinct(), column.mostly_single());
    std::vector<std::uint32_t> codes(sample.rows());
    for (std::size_t row = 0; row < codes.size(); ++row)
      codes[row] = column.codes[column.labels[row]];
    hash.add(codes);
    keys[i] = hash.key();
  }));
  std::vector<AttributeGroup> groups = groups_of(asked, keys);
  if (sample.is_whole()) return groups;

  asked.clear();
  for (const AttributeGroup& group : groups) asked.insert(asked.end(), group.begin(), group.end());
  std::sort(asked.begin(), asked.end());
  keys.resize(asked.size());
  pool.wait(pool.submit(asked.size(), [&](std::size_t i, unsigned) {
    CopyHash hash(dataset.attributes()[asked[i]].distinct(),
                  sample.column(asked[i]).mostly_single());
    std::vector<std::uint32_t> codes;
    for (std::size_t p = 0; p < dataset.partitions(); ++p) {
      codes.resize(static_cast<std::size_t>(dataset.partition_rows(p)));
      dataset.codes(p, asked[i], codes);
      hash.add(codes);
    }
    keys[i] = hash.key();
  }));
  return groups_of(asked, keys);
}

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

std::vector<Sum> find_sums(const DependenceSample& sample,
                           std::span<const std::uint32_t> attributes,
                           std::span<const AttributeGroup> copies) {
  const Dataset& dataset = sample.dataset();
  std::vector<std::uint32_t> class_of(dataset.attributes().size());
  for (std::uint32_t a = 0; a < class_of.size(); ++a) class_of[a] = a;
  for (const AttributeGroup& group : copies)
    for (const std::uint32_t a : group) class_of[a] = group.front();

  std::vector<std::pair<std::uint64_t, std::uint32_t>> forms;  // ascending
  for (const std::uint32_t a : attributes)
    if (is_integer(dataset.attributes()[a])) forms.emplace_back(form(sample, a), a);
  std::sort(forms.begin(), forms.end());
  forms.erase(std::unique(forms.begin(), forms.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; }),
              forms.end());

  const auto count = static_cast<double>(forms.size());
  std::vector<Sum> found;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    for (std::size_t k = i + 1; k < forms.size(); ++k) {
      const std::uint64_t wanted = forms[i].first + forms[k].first;
      const auto at = std::lower_bound(forms.begin(), forms.end(), std::pair(wanted, 0U));
      if (at == forms.end() || at->first != wanted) continue;
      const auto [first, second] = std::minmax(forms[i].second, forms[k].second);
      const Sum sum{at->second, first, second};
      if (sum.whole == first || sum.whole == second || class_of[first] == class_of[second] ||
          class_of[sum.whole] == class_of[first] || class_of[sum.whole] == class_of[second])
        continue;
      if (!beyond_chance(sample.column(sum.whole).log_ways(), count * count * count)) continue;
      if (sample.is_whole() || holds_on_all(dataset, sum)) found.push_back(sum);
      if (found.size() == most_sums) break;
    }
    if (found.size() == most_sums) break;
  }
  std::sort(found.begin(), found.end(), [](const Sum& a, const Sum& b) {
    return std::tie(a.whole, a.first, a.second) < std::tie(b.whole, b.first, b.second);
  });
  return found;
}

}  // namespace atl
