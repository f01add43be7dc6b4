#include <algorithm>
#include <map>
#include <utility>

#include "src/core/hash.hpp"
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

}  // namespace atl
