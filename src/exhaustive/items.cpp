#include "src/exhaustive/items.hpp"

#include <string>

#include "src/core/error.hpp"
#include "src/exhaustive/row_sets.hpp"

namespace atl {

namespace {

// Rows of a partition on which the attribute has the code: for each plane the word itself or its
// complement, less what is beyond the rows or missing, which the planes have as code 0.
void cover(const Dataset& dataset, std::size_t partition, const Comparison& item,
           std::uint64_t* out) {
  const std::uint64_t rows = dataset.partition_rows(partition);
  const auto present = dataset.present(partition, item.attribute);
  const std::uint32_t planes = dataset.attributes()[item.attribute].planes();
  for (std::size_t w = 0; w < words_for(rows); ++w) {
    const std::uint64_t left = rows - 64 * w;
    std::uint64_t word = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    if (!present.empty()) word &= present[w];
    for (std::uint32_t bit = 0; bit < planes; ++bit) {
      const std::uint64_t plane = dataset.plane(partition, item.attribute, bit)[w];
      word &= (item.low >> bit & 1U) != 0 ? plane : ~plane;
    }
    out[w] = word;
  }
}

}  // namespace

Items::Items(const Dataset& dataset) : rows_(dataset.rows()) {
  const auto attributes = dataset.attributes();
  if (rows_ >= std::uint64_t{1} << 31) {
    throw UsageError("too many rows to enumerate: " + std::to_string(rows_));
  }
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    if (has_numbers(attributes[a].kind)) continue;
    labels_.push_back(attributes[a].distinct());
    for (std::uint32_t code = 0; code < attributes[a].distinct(); ++code) {
      comparisons_.push_back({a, code, code, false});
    }
  }
  if (comparisons_.size() > most_items) {
    throw UsageError("too many labels to enumerate: " + std::to_string(comparisons_.size()) +
                     ", expected at most " + std::to_string(most_items));
  }
  for (std::size_t p = 0; p < dataset.partitions(); ++p) words_ += dataset.words(p);

  bits_ = AlignedWords(comparisons_.size() * words_);
  for (std::size_t i = 0; i < comparisons_.size(); ++i) {
    std::uint64_t* const begin = bits_.data() + i * words_;
    std::uint64_t* out = begin;
    for (std::size_t p = 0; p < dataset.partitions(); ++p) {
      cover(dataset, p, comparisons_[i], out);
      out += dataset.words(p);
    }
    counts_.push_back(count_common(begin, begin, words_));
    coverage_.push_back(hash_rows(begin, words_));
  }
}

Hash128 hash_rows(const std::uint64_t* rows, std::size_t words) {
  return hash_bytes(std::as_bytes(std::span(rows, words)));
}

}  // namespace atl
