#include "src/app/itemsets/search_state.hpp"

#include <string_view>
#include <utility>

#include "src/exhaustive/itemsets/parted_search.hpp"

namespace atl {

namespace {

constexpr std::string_view magic = "atoll.itemsets";
constexpr std::uint32_t state_version = 1;

enum class PieceKind : std::uint8_t { left, text };

void put(ByteWriter& out, const TextPart& text) {
  out.put(text.file);
  out.put(text.size);
  put(out, text.hash);
}

TextPart get_text_part(ByteReader& in) {
  TextPart text;
  text.file = in.get<std::uint64_t>();
  text.size = in.get<std::uint64_t>();
  text.hash = get_hash(in);
  return text;
}

}  // namespace

void put(ByteWriter& out, const SearchRange& range) {
  out.put_all(std::span<const std::uint32_t>(range.way));
  out.put(range.first);
  out.put(range.end);
}

SearchRange get_range(ByteReader& in) {
  SearchRange range;
  range.way = in.get_all<std::uint32_t>();
  range.first = in.get<std::uint32_t>();
  range.end = in.get<std::uint32_t>();
  require_bytes(range.first <= range.end, "a part of a search ends before it begins");
  return range;
}

void put(ByteWriter& out, ItemsetTally& tally) {
  const std::vector<ItemsetTally::Entry> entries = tally.entries();
  out.put(std::uint64_t{entries.size()});
  for (const ItemsetTally::Entry& entry : entries) {
    out.put(entry.perfect);
    out.put(entry.length);
    out.put(entry.sets);
  }
}

void get_tally(ByteReader& in, ItemsetTally& tally) {
  const std::size_t entries = in.get_count(24);
  constexpr std::uint64_t most = std::uint64_t{1} << 32;  // items
  for (std::size_t k = 0; k < entries; ++k) {
    const auto perfect = in.get<std::uint64_t>();
    const auto length = in.get<std::uint64_t>();
    require_bytes(perfect < most && length < most, "a set has more items than there can be");
    tally.add(static_cast<std::size_t>(perfect), static_cast<std::size_t>(length),
              in.get<std::uint64_t>());
  }
}

void put(ByteWriter& out, const std::vector<SearchRest>& rest) {
  out.put(std::uint64_t{rest.size()});
  for (const SearchRest& part : rest) {
    out.put(std::uint64_t{part.left.size()});
    for (const SearchRange& range : part.left) put(out, range);
    out.put_text(part.text);
  }
}

std::vector<SearchRest> get_rest(ByteReader& in) {
  std::vector<SearchRest> rest(in.get_count(16));
  for (SearchRest& part : rest) {
    part.left.resize(in.get_count(16));
    for (SearchRange& range : part.left) range = get_range(in);
    part.text = in.get_text();
  }
  return rest;
}

std::string SearchIdentity::difference(const SearchIdentity& other) const {
  std::string all;
  const auto expect = [&](bool equal, const char* what) {
    if (!equal) all += (all.empty() ? "" : ", ") + std::string(what);
  };
  expect(transactions == other.transactions, "other transactions");
  expect(limits.min_count == other.limits.min_count, "another least support");
  expect(limits.min_length == other.limits.min_length, "another --min-length");
  expect(limits.max_length == other.limits.max_length, "another --max-length");
  expect(limits.family == other.limits.family, "other sets (--closed, --maximal)");
  expect(lists == other.lists, lists ? "--count-only" : "no --count-only");
  return all;
}

SearchIdentity identity_of(const TransactionSet& transactions, const ItemsetLimits& limits,
                           bool lists) {
  Hasher hasher;
  hasher.update_u64(transactions.item_count());
  for (const std::string& name : transactions.names()) hasher.update_text(name);
  hasher.update_u64(transactions.size());
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    hasher.update_u64(transactions.transaction(t).size());
  }
  hasher.update(std::as_bytes(transactions.items()));
  return {hasher.digest(), limits, lists};
}

Bytes encode(SearchState& state) {
  ByteWriter out;
  out.put_text(std::string(magic));
  out.put(state_version);
  out.put(PartedSearch::version);
  put(out, state.identity.transactions);
  const ItemsetLimits& limits = state.identity.limits;
  out.put(limits.min_count);
  out.put(limits.min_length);
  out.put(limits.max_length);
  out.put(static_cast<std::uint8_t>(limits.family));
  out.put(std::uint8_t{state.identity.lists});
  out.put(state.seconds);
  out.put(state.sets);
  put(out, state.tally);
  out.put(std::uint64_t{state.output.size()});
  for (const TextPart& text : state.output) put(out, text);
  out.put(std::uint64_t{state.pieces.size()});
  for (const auto& piece : state.pieces) {
    if (const auto* const range = std::get_if<SearchRange>(&piece)) {
      out.put(PieceKind::left);
      put(out, *range);
    } else {
      out.put(PieceKind::text);
      put(out, std::get<TextPart>(piece));
    }
  }
  put(out, hash_bytes(out.bytes()));
  return std::move(out).take();
}

SearchState decode_search_state(std::span<const std::byte> bytes) {
  constexpr std::size_t hash_size = 16;
  require_bytes(bytes.size() >= hash_size, "the bytes end early");
  ByteReader trailer(bytes.last(hash_size));
  const auto content = bytes.first(bytes.size() - hash_size);
  require_bytes(get_hash(trailer) == hash_bytes(content), "the content is not what was written");
  ByteReader in(content);
  require_bytes(in.get_text() == magic, "this is no state of a search for itemsets");
  const auto version = in.get<std::uint32_t>();
  if (version != state_version || in.get<std::uint32_t>() != PartedSearch::version) {
    throw OtherVersion("it is of another version of atoll");
  }
  SearchState state;
  state.identity.transactions = get_hash(in);
  ItemsetLimits& limits = state.identity.limits;
  limits.min_count = in.get<std::uint64_t>();
  limits.min_length = in.get<std::uint32_t>();
  limits.max_length = in.get<std::uint32_t>();
  const auto family = in.get<std::uint8_t>();
  require_bytes(family <= static_cast<std::uint8_t>(ItemsetFamily::maximal), "unknown sets");
  limits.family = static_cast<ItemsetFamily>(family);
  state.identity.lists = in.get_flag();
  state.seconds = in.get<double>();
  state.sets = in.get<std::uint64_t>();
  get_tally(in, state.tally);
  state.output.resize(in.get_count(32));
  for (TextPart& text : state.output) text = get_text_part(in);
  const std::size_t pieces = in.get_count(17);
  for (std::size_t k = 0; k < pieces; ++k) {
    const auto kind = in.get<std::uint8_t>();
    require_bytes(kind <= static_cast<std::uint8_t>(PieceKind::text), "unknown piece");
    if (kind == static_cast<std::uint8_t>(PieceKind::left)) {
      state.pieces.emplace_back(get_range(in));
    } else {
      state.pieces.emplace_back(get_text_part(in));
    }
  }
  in.expect_end();
  return state;
}

}  // namespace atl
