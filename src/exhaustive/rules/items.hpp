// The comparisons of a table that rules are made of, each with the rows on which it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/core/communicator.hpp"
#include "src/core/hash.hpp"
#include "src/data/aligned_words.hpp"
#include "src/data/dataset.hpp"
#include "src/exhaustive/rules/item_aim.hpp"
#include "src/rules/comparison.hpp"

namespace atl {

/// Position of a comparison among the items, which are in the order of comparisons: by attribute,
/// then lowest and highest code.
using Item = std::uint16_t;

/// Most items of a table: a table of counts of all pairs has to fit into memory.
inline constexpr std::size_t most_items = 8192;

/// The items of attributes with an order: numbers, dates and ordinal labels.
enum class OrderedItems : std::uint8_t {
  labels,     ///< labels as those of others; numbers and dates are left out
  intervals,  ///< every interval of codes but that of all
};

/// Immutable. The table's Dataset is not needed once it is made.
class Items {
 public:
  /// `=` of each label of the other attributes. The comparisons of the aim are items, too; they are
  /// the only ones of an attribute that nothing else is concluded of.
  /// @throws UsageError if there are more than most_items, or 2^31 rows or more
  explicit Items(const Dataset& dataset, OrderedItems ordered = OrderedItems::labels,
                 const ItemAim& aim = {});
  /// Hands rank 0's to all ranks, each of which has a copy of its own. Collective.
  /// @param of_root  on rank 0; ignored on the others
  static Items share(std::optional<Items> of_root, Communicator& ranks);

  std::size_t size() const noexcept { return comparisons_.size(); }
  std::uint64_t rows() const noexcept { return rows_; }
  std::size_t words() const noexcept { return words_; }  ///< of a set of rows, a multiple of 8

  const Comparison& comparison(Item item) const noexcept { return comparisons_[item]; }
  std::uint32_t attribute(Item item) const noexcept { return comparisons_[item].attribute; }
  std::uint64_t count(Item item) const noexcept { return counts_[item]; }
  const std::uint64_t* covered(Item item) const noexcept { return bits_.data() + item * words_; }
  /// May rules conclude it?
  bool is_concluded(Item item) const noexcept { return concluded_[item] != 0; }
  /// Are there items that no rule may conclude?
  bool aimed() const noexcept;
  /// hash_rows of what it covers.
  const Hash128& coverage(Item item) const noexcept { return coverage_[item]; }
  /// Items of each attribute that has some.
  std::span<const std::uint32_t> by_attribute() const noexcept { return by_attribute_; }

 private:
  Items() = default;
  void add(const Comparison& comparison, const ItemAim& aim);
  void add_all(std::uint32_t attribute, const Attribute& its, OrderedItems ordered,
               const ItemAim& aim);
  void cover_all(const Dataset& dataset);

  std::uint64_t rows_ = 0;
  std::size_t words_ = 0;
  std::vector<Comparison> comparisons_;
  std::vector<std::uint8_t> concluded_;  // [items] not zero: rules may conclude it
  std::vector<std::uint64_t> counts_;
  std::vector<Hash128> coverage_;
  std::vector<std::uint32_t> by_attribute_;
  AlignedWords bits_;  ///< [items][words]
};

/// Content hash of a set of rows.
Hash128 hash_rows(const std::uint64_t* rows, std::size_t words);

}  // namespace atl
