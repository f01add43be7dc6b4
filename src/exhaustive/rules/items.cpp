#include "src/exhaustive/rules/items.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "src/core/error.hpp"
#include "src/exhaustive/rules/row_sets.hpp"

namespace atl {

namespace {

// Adds the rows of a partition on which the attribute has the code: for each plane the word itself
// or its complement, less what is beyond the rows or missing, which the planes have as code 0.
void add_rows(const Dataset& dataset, std::size_t partition, std::uint32_t attribute,
              std::uint32_t code, std::uint64_t* out) {
  const std::uint64_t rows = dataset.partition_rows(partition);
  const auto present = dataset.present(partition, attribute);
  const std::uint32_t planes = dataset.attributes()[attribute].planes();
  for (std::size_t w = 0; w < words_for(rows); ++w) {
    const std::uint64_t left = rows - 64 * w;
    std::uint64_t word = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    if (code == missing_code) {
      out[w] |= present.empty() ? 0 : word & ~present[w];
      continue;
    }
    if (!present.empty()) word &= present[w];
    for (std::uint32_t bit = 0; bit < planes; ++bit) {
      const std::uint64_t plane = dataset.plane(partition, attribute, bit)[w];
      word &= (code >> bit & 1U) != 0 ? plane : ~plane;
    }
    out[w] |= word;
  }
}

/// The codes that a comparison takes, missing_code among them.
/// @param last_alone  those but the last are known
std::vector<std::uint32_t> taken_codes(const Comparison& comparison, const Dataset& dataset,
                                       bool last_alone) {
  if (last_alone) return {comparison.high};
  std::vector<std::uint32_t> codes;
  const std::uint32_t distinct = dataset.attributes()[comparison.attribute].distinct();
  for (std::uint32_t code = 0; code < distinct; ++code) {
    if (takes(comparison, code)) codes.push_back(code);
  }
  if (takes(comparison, missing_code)) codes.push_back(missing_code);
  return codes;
}

}  // namespace

void Items::add(const Comparison& comparison, const ItemAim& aim) {
  const bool is_target = std::ranges::binary_search(aim.comparisons, comparison) ||
                         std::ranges::binary_search(aim.attributes, comparison.attribute);
  comparisons_.push_back(comparison);
  concluded_.push_back(aim.open() || is_target ? 1 : 0);
  if (comparisons_.size() <= most_items) return;
  throw UsageError("more than " + std::to_string(most_items) +
                   " labels and intervals to enumerate");
}

/// The usual items of an attribute and those of the aim, in the order of comparisons.
void Items::add_all(std::uint32_t attribute, const Attribute& its, OrderedItems ordered,
                    const ItemAim& aim) {
  auto target = std::ranges::lower_bound(aim.comparisons, attribute, {}, &Comparison::attribute);
  const auto end = std::ranges::upper_bound(aim.comparisons, attribute, {}, &Comparison::attribute);
  const auto take = [&](const Comparison& usual) {
    for (; target != end && *target < usual; ++target) add(*target, aim);
    if (target != end && *target == usual) ++target;
    add(usual, aim);
  };
  const std::uint32_t codes = its.distinct();
  const bool any = !aim.is_only(attribute) || !aim.attributes.empty();
  if (any && ordered == OrderedItems::intervals && its.ordered()) {
    for (std::uint32_t low = 0; low < codes; ++low) {
      for (std::uint32_t high = low; high < codes; ++high) {
        if (low > 0 || high + 1 < codes) take({attribute, low, high, false});
      }
    }
  } else if (any && !has_numbers(its.kind)) {
    for (std::uint32_t code = 0; code < codes; ++code) take({attribute, code, code, false});
  }
  for (; target != end; ++target) add(*target, aim);
}

Items::Items(const Dataset& dataset, OrderedItems ordered, const ItemAim& aim)
    : rows_(dataset.rows()) {
  const auto attributes = dataset.attributes();
  if (rows_ >= std::uint64_t{1} << 31) {
    throw UsageError("too many rows to enumerate: " + std::to_string(rows_));
  }
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    const std::size_t before = comparisons_.size();
    add_all(a, attributes[a], ordered, aim);
    if (comparisons_.size() > before) {
      by_attribute_.push_back(static_cast<std::uint32_t>(comparisons_.size() - before));
    }
  }
  for (std::size_t p = 0; p < dataset.partitions(); ++p) words_ += dataset.words(p);
  cover_all(dataset);
}

void Items::cover_all(const Dataset& dataset) {
  bits_ = AlignedWords(comparisons_.size() * words_);
  std::fill_n(bits_.data(), comparisons_.size() * words_, std::uint64_t{0});
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    const Comparison& item = comparisons_[i];
    std::uint64_t* const begin = bits_.data() + i * words_;
    const Comparison shorter{item.attribute, item.low, item.high - 1, false};
    const bool goes_on =
        i > 0 && item.high > item.low && !item.negated && comparisons_[i - 1] == shorter;
    if (goes_on) std::copy_n(begin - words_, words_, begin);
    for (const std::uint32_t code : taken_codes(item, dataset, goes_on)) {
      std::uint64_t* out = begin;
      for (std::size_t p = 0; p < dataset.partitions(); ++p) {
        add_rows(dataset, p, item.attribute, code, out);
        out += dataset.words(p);
      }
    }
    counts_.push_back(count_common(begin, begin, words_));
    coverage_.push_back(hash_rows(begin, words_));
  }
}

bool Items::aimed() const noexcept {
  return std::ranges::any_of(concluded_, [](std::uint8_t concluded) { return concluded == 0; });
}

Items Items::share(std::optional<Items> of_root, Communicator& ranks) {
  if (ranks.size() == 1) return std::move(*of_root);
  const bool is_root = of_root.has_value();
  Items items = is_root ? std::move(*of_root) : Items();
  ByteWriter out;
  if (is_root) {
    out.put(items.rows_);
    out.put(std::uint64_t{items.words_});
    out.put(std::uint64_t{items.comparisons_.size()});
    for (std::size_t i = 0; i < items.comparisons_.size(); ++i) {
      const Comparison& item = items.comparisons_[i];
      for (const std::uint32_t part : {item.attribute, item.low, item.high}) out.put(part);
      out.put(static_cast<std::uint8_t>(item.negated));
      out.put(items.concluded_[i]);
      out.put(items.counts_[i]);
      put(out, items.coverage_[i]);
    }
    out.put_all(std::span<const std::uint32_t>(items.by_attribute_));
  }
  const Bytes bytes = ranks.broadcast(std::move(out).take(), 0);
  if (!is_root) {
    ByteReader in(bytes);
    items.rows_ = in.get<std::uint64_t>();
    items.words_ = in.get<std::uint64_t>();
    items.comparisons_.resize(in.get<std::uint64_t>());
    for (Comparison& item : items.comparisons_) {
      for (std::uint32_t* part : {&item.attribute, &item.low, &item.high}) {
        *part = in.get<std::uint32_t>();
      }
      item.negated = in.get_flag();
      items.concluded_.push_back(in.get<std::uint8_t>());
      items.counts_.push_back(in.get<std::uint64_t>());
      items.coverage_.push_back(get_hash(in));
    }
    items.by_attribute_ = in.get_all<std::uint32_t>();
    items.bits_ = AlignedWords::unset(items.comparisons_.size() * items.words_);
  }
  // In parts, as each is copied on its way.
  constexpr std::size_t most_words = std::size_t{1} << 23;
  for (std::size_t at = 0; at < items.bits_.size(); at += most_words) {
    const auto part =
        items.bits_.words().subspan(at, std::min(most_words, items.bits_.size() - at));
    const auto raw = std::as_writable_bytes(part);
    const Bytes sent = ranks.broadcast(is_root ? Bytes(raw.begin(), raw.end()) : Bytes(), 0);
    if (!is_root) std::ranges::copy(sent, raw.begin());
  }
  return items;
}

Hash128 hash_rows(const std::uint64_t* rows, std::size_t words) {
  return hash_bytes(std::as_bytes(std::span(rows, words)));
}

}  // namespace atl
