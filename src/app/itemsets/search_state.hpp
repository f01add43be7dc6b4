// What a search for itemsets keeps when it stops, as bytes: io/FORMAT.md, "Checkpoint of itemsets".
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/hash.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_tally.hpp"
#include "src/exhaustive/itemsets/shared_search.hpp"

namespace atl {

void put(ByteWriter& out, const SearchRange& range);
SearchRange get_range(ByteReader& in);
void put(ByteWriter& out, ItemsetTally& tally);
/// Adds to the tally.
void get_tally(ByteReader& in, ItemsetTally& tally);
void put(ByteWriter& out, const std::vector<SearchRest>& rest);
std::vector<SearchRest> get_rest(ByteReader& in);

/// What a search is about. Another search cannot go on with its state.
struct SearchIdentity {
  Hash128 transactions;
  ItemsetLimits limits;
  bool lists = false;

  /// What another one has that is not as here, in words; empty if nothing is.
  std::string difference(const SearchIdentity& other) const;
};

SearchIdentity identity_of(const TransactionSet& transactions, const ItemsetLimits& limits,
                           bool lists);

/// Some text in a file.
struct TextPart {
  std::uint64_t file = 0;  ///< number
  std::uint64_t size = 0;
  Hash128 hash;
};

struct SearchState {
  SearchIdentity identity;
  double seconds = 0;            ///< of all jobs so far
  std::uint64_t sets = 0;        ///< listed
  ItemsetTally tally;            ///< counted
  std::vector<TextPart> output;  ///< pieces of the output so far, one after the other
  std::vector<std::variant<SearchRange, TextPart>> pieces;  ///< what is left, and text behind it
};

/// Of another version of atoll, whose loops may be others.
struct OtherVersion : BadBytes {
  using BadBytes::BadBytes;
};

Bytes encode(SearchState& state);
/// @throws BadBytes, OtherVersion
SearchState decode_search_state(std::span<const std::byte> bytes);

}  // namespace atl
