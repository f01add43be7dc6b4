#include <cstring>
#include <string>

#include <gtest/gtest.h>

#include "src/app/itemsets/search_state.hpp"

namespace atl {
namespace {

SearchState some_state() {
  SearchState state;
  state.identity = {{1, 2}, {.min_count = 5, .min_length = 2, .max_length = 9}, true};
  state.identity.limits.family = ItemsetFamily::closed;
  state.seconds = 12.5;
  state.sets = 77;
  state.tally.add(2, 3, 10);
  state.output = {{0, 100, {3, 4}}, {0, 50, {5, 6}}};
  state.pieces = {SearchRange{{1, 2}, 3, 4}, TextPart{8, 9, {10, 11}}, SearchRange{{}, 5, 70}};
  return state;
}

TEST(SearchState, ReadsBackAsItWas) {
  SearchState state = some_state();
  const Bytes bytes = encode(state);
  SearchState read = decode_search_state(bytes);
  EXPECT_EQ(read.identity.difference(state.identity), "");
  EXPECT_EQ(read.seconds, 12.5);
  EXPECT_EQ(read.sets, 77U);
  EXPECT_EQ(read.tally.by_length(), state.tally.by_length());
  EXPECT_EQ(std::get<SearchRange>(read.pieces[0]), (SearchRange{{1, 2}, 3, 4}));
  EXPECT_EQ(std::get<TextPart>(read.pieces[1]).hash, (Hash128{10, 11}));
  EXPECT_EQ(encode(read), bytes);
}

TEST(SearchState, AnyDamageIsNoticed) {
  SearchState state = some_state();
  const Bytes bytes = encode(state);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    Bytes damaged = bytes;
    damaged[at] ^= std::byte{16};
    EXPECT_THROW(decode_search_state(damaged), BadBytes) << at;
    EXPECT_THROW(decode_search_state(std::span(bytes).first(at)), BadBytes) << at;
  }
}

TEST(SearchState, AnotherVersionIsToldFromDamage) {
  SearchState state = some_state();
  const Bytes bytes = encode(state);
  constexpr std::size_t version = 8 + 14, search_version = version + 4;  // behind the magic
  for (const std::size_t at : {version, search_version}) {
    Bytes other(bytes.begin(), bytes.end() - 16);
    other[at] = std::byte{99};
    ByteWriter hash;
    put(hash, hash_bytes(other));
    other.insert(other.end(), hash.bytes().begin(), hash.bytes().end());
    EXPECT_THROW(decode_search_state(other), OtherVersion);
  }
}

TEST(SearchState, SaysInWhatSearchesDiffer) {
  const TransactionSet some({"a", "b"}, {0, 2, 3}, {0, 1, 1});
  const TransactionSet renamed({"a", "c"}, {0, 2, 3}, {0, 1, 1});
  const TransactionSet otherwise({"a", "b"}, {0, 1, 3}, {0, 0, 1});
  const ItemsetLimits limits{.min_count = 5};
  const SearchIdentity identity = identity_of(some, limits, true);
  EXPECT_EQ(identity.difference(identity_of(some, limits, true)), "");
  EXPECT_EQ(identity.difference(identity_of(renamed, limits, true)), "other transactions");
  EXPECT_EQ(identity.difference(identity_of(otherwise, limits, true)), "other transactions");
  EXPECT_EQ(identity.difference(identity_of(some, {.min_count = 4, .min_length = 2}, false)),
            "another least support, another --min-length, --count-only");
}

}  // namespace
}  // namespace atl
