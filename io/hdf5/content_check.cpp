#include "io/hdf5/content_check.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "io/hdf5/dataset_tables.hpp"
#include "src/core/error.hpp"
#include "src/data/bit_planes.hpp"

namespace atl::io {
namespace {

std::invalid_argument contradiction(const Attribute& attribute, const std::string& problem) {
  return std::invalid_argument("attribute " + printable(attribute.name) + ": " + problem);
}

}  // namespace

ContentCheck::ContentCheck(const DatasetSummary& summary)
    : summary_(summary), fingerprint_(summary.attributes.size()) {
  for (const Attribute& attribute : summary.attributes) {
    counts_.emplace_back(attribute.exact_distinct + 1, 0);
  }
}

void ContentCheck::add(std::uint64_t rows, std::span<const std::uint64_t> words, ThreadPool& pool) {
  const auto& attributes = summary_.attributes;
  const std::uint64_t partitions = (rows + summary_.partition_rows - 1) / summary_.partition_rows;
  const std::size_t size = words.size() / partitions;
  std::vector<std::uint64_t> first_plane;
  std::uint64_t planes = 0;
  for (const Attribute& attribute : attributes) {
    first_plane.push_back(planes);
    planes += stored_planes(attribute);
  }
  const std::size_t stride = size / planes;
  codes_.resize(pool.threads());
  pool.wait(pool.submit(attributes.size(), [&](std::size_t a, unsigned worker) {
    const PlaneLayout layout{planes_for(attributes[a].exact_distinct), attributes[a].has_missing,
                             stride};
    auto& codes = codes_[worker];
    std::uint64_t left = rows;
    for (std::size_t p = 0; p < partitions; ++p) {
      codes.resize(std::min<std::uint64_t>(left, summary_.partition_rows));
      left -= codes.size();
      planes_to_codes(words.subspan(p * size + first_plane[a] * stride, layout.size()), layout,
                      codes);
      add(a, codes);
    }
  }));
}

void ContentCheck::add(std::size_t a, std::span<const std::uint32_t> codes) {
  const Attribute& attribute = summary_.attributes[a];
  auto& counts = counts_[a];
  const std::uint32_t distinct = attribute.distinct();
  for (const std::uint32_t code : codes) {
    if (code >= distinct && code != missing_code) {
      throw contradiction(attribute, "a code that its dictionary does not have");
    }
    ++counts[std::min(code, distinct)];
  }
  fingerprint_.add(a, codes);
}

void ContentCheck::finish() const {
  for (std::size_t a = 0; a < counts_.size(); ++a) {
    const Attribute& attribute = summary_.attributes[a];
    const bool as_told =
        std::equal(attribute.counts.begin(), attribute.counts.end(), counts_[a].begin()) &&
        attribute.missing == counts_[a].back();
    if (!as_told) throw contradiction(attribute, "its planes do not have the rows of its counts");
  }
  if (fingerprint_.finish(summary_.rows, summary_.attributes) != summary_.fingerprint) {
    throw std::invalid_argument("the fingerprint is not that of the content");
  }
}

}  // namespace atl::io
