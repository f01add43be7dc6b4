#include <algorithm>
#include <stdexcept>
#include <string>

#include "src/core/parallel.hpp"
#include "src/data/dataset.hpp"
#include "src/data/fingerprint.hpp"
#include "src/data/storage.hpp"

namespace atl {
namespace {

std::invalid_argument refuse(const Attribute& attribute, const std::string& problem) {
  return std::invalid_argument("attribute '" + attribute.name + "': " + problem);
}

void check_codes(const Attribute& attribute, std::span<const std::uint32_t> codes) {
  std::uint32_t greatest = 0;
  if (attribute.has_missing) {
    for (const std::uint32_t code : codes) {
      greatest = std::max(greatest, code == missing_code ? 0 : code);
    }
  } else {
    for (const std::uint32_t code : codes) greatest = std::max(greatest, code);
  }
  if (greatest != 0 && greatest >= attribute.distinct()) {
    throw refuse(attribute, "code " + std::to_string(greatest) + " of " +
                                std::to_string(attribute.distinct()));
  }
}

// Are there codes of `distinct` or more, or other than zero where the value is missing?
bool planes_wrong(std::span<const std::uint64_t> words, const PlaneLayout& layout,
                  std::uint64_t rows, std::uint64_t distinct) {
  const std::size_t used = words_for(rows);
  std::vector<std::uint64_t> above(used, 0);  // code > distinct - 1, bit by bit from the lowest
  std::vector<std::uint64_t> any(used, 0);
  const std::uint64_t last_code = distinct - 1;
  for (std::uint32_t bit = 0; bit < layout.planes; ++bit) {
    const auto plane = words.subspan(bit * layout.stride, used);
    const std::uint64_t keep = ((last_code >> bit) & 1) != 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t w = 0; w < used; ++w) {
      above[w] = (plane[w] & above[w]) | (~keep & (plane[w] | above[w]));
      any[w] |= plane[w];
    }
  }
  if (layout.has_present) {
    const auto present = words.subspan(layout.planes * layout.stride, used);
    for (std::size_t w = 0; w < used; ++w) above[w] |= any[w] & ~present[w];
  }
  if (rows % 64 != 0) above.back() &= (std::uint64_t{1} << (rows % 64)) - 1;
  return std::any_of(above.begin(), above.end(), [](std::uint64_t word) { return word != 0; });
}

// Position of the first end that is not below the code: a search without unpredictable branches.
std::uint32_t bin_of(std::uint32_t code, std::span<const std::uint32_t> ends) noexcept {
  std::size_t first = 0;
  for (std::size_t left = ends.size(); left > 1;) {
    const std::size_t half = left / 2;
    first += ends[first + half - 1] < code ? half : 0;
    left -= half;
  }
  return static_cast<std::uint32_t>(first);
}

// Replaces codes by those of their bins.
void put_bins(std::span<std::uint32_t> codes, std::span<const std::uint32_t> ends) {
  const auto replace = [&](const auto& bin) {
    for (std::uint32_t& code : codes) code = code == missing_code ? missing_code : bin(code);
  };
  const std::size_t distinct = std::size_t{ends.back()} + 1;
  if (distinct > codes.size())
    return replace([&](std::uint32_t code) { return bin_of(code, ends); });
  std::vector<std::uint32_t> bins(distinct);  // of each code: fewer steps than a search takes
  std::uint32_t first = 0;
  for (std::uint32_t bin = 0; bin < ends.size(); ++bin) {
    for (; first <= ends[bin]; ++first) bins[first] = bin;
  }
  replace([&](std::uint32_t code) { return bins[code]; });
}

void copy_planes(std::span<const std::uint64_t> from, const PlaneLayout& layout, std::uint64_t rows,
                 std::span<std::uint64_t> to, std::size_t to_stride) {
  const std::size_t used = words_for(rows);
  for (std::uint32_t plane = 0; plane < layout.count(); ++plane) {
    const auto target = to.subspan(plane * to_stride, used);
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(plane * layout.stride), used,
                target.begin());
    if (rows % 64 != 0) target.back() &= (std::uint64_t{1} << (rows % 64)) - 1;
    const auto rest = to.subspan(plane * to_stride + used, to_stride - used);
    std::fill(rest.begin(), rest.end(), 0);
  }
}

/// An attribute's planes as they are in a file, of exact codes.
struct ExactPlanes {
  PlaneLayout layout;
  std::span<const std::uint64_t> words;
};

/// Copies them, or makes the planes of their bins.
/// @param ends  of bins; empty if there are none
/// @param to  all words of the attribute, overwritten
void put_planes(const Attribute& attribute, std::uint64_t rows, const ExactPlanes& exact,
                std::span<const std::uint32_t> ends, std::size_t to_stride,
                std::span<std::uint64_t> to) {
  const std::uint64_t distinct =
      attribute.binned() ? attribute.exact_distinct : attribute.distinct();
  if (planes_wrong(exact.words, exact.layout, rows, distinct)) {
    throw refuse(attribute, "codes out of range or of missing values");
  }
  if (!attribute.binned()) {
    copy_planes(exact.words, exact.layout, rows, to, to_stride);
    return;
  }
  if (ends.size() != attribute.distinct() || ends.back() + std::uint64_t{1} != distinct) {
    throw refuse(attribute, "bins that do not fit its dictionary");
  }
  std::vector<std::uint32_t> codes(rows);
  planes_to_codes(exact.words, exact.layout, codes);
  put_bins(codes, ends);
  codes_to_planes(codes, {attribute.planes(), attribute.has_missing, to_stride}, to);
}

}  // namespace

DatasetBuilder::DatasetBuilder(std::vector<Attribute> attributes, std::uint32_t partition_rows,
                               std::uint64_t first_row)
    : storage_(std::make_unique<Dataset::Storage>()) {
  if (partition_rows == 0 || partition_rows % partition_granule != 0) {
    throw std::invalid_argument("partition_rows is no multiple of " +
                                std::to_string(partition_granule));
  }
  std::uint32_t planes = 0;
  for (const Attribute& attribute : attributes) {
    storage_->first_plane.push_back(planes);
    planes += attribute.planes() + (attribute.has_missing ? 1U : 0U);
  }
  storage_->first_plane.push_back(planes);
  storage_->attributes = std::move(attributes);
  storage_->partition_rows = partition_rows;
  storage_->first_row = first_row;
}

DatasetBuilder::~DatasetBuilder() = default;

namespace {

using Partitions = std::vector<Dataset::Storage::Partition>;

// New partitions after those that the storage has, all full but perhaps the last.
Partitions next_partitions(const Dataset::Storage& storage, std::uint64_t rows) {
  if (rows == 0) throw std::invalid_argument("a partition without rows");
  if (storage.rows % storage.partition_rows != 0) {
    throw std::invalid_argument("a partition after one that is not full");
  }
  Partitions partitions;
  for (std::uint64_t first = 0; first < rows; first += storage.partition_rows) {
    const std::uint64_t its = std::min<std::uint64_t>(storage.partition_rows, rows - first);
    partitions.emplace_back(storage.rows + first, its, storage.first_plane.back()).allocate();
  }
  return partitions;
}

void append(Dataset::Storage& storage, Partitions partitions) {
  for (auto& partition : partitions) {
    storage.rows += partition.rows;
    storage.partitions.push_back(std::move(partition));
  }
}

// Layout of the planes of an attribute in a partition.
PlaneLayout layout_of(const Attribute& attribute, const Dataset::Storage::Partition& partition) {
  return {attribute.planes(), attribute.has_missing, partition.stride};
}

std::span<std::uint64_t> planes_of(const Dataset::Storage& storage, std::size_t attribute,
                                   Dataset::Storage::Partition& partition) {
  const std::size_t first = storage.first_plane[attribute];
  const std::size_t last = storage.first_plane[attribute + 1];
  return partition.own.words().subspan(first * partition.stride, (last - first) * partition.stride);
}

// Places of the planes of each attribute in a partition of exact codes.
std::vector<ExactPlanes> exact_planes(std::span<const Attribute> attributes,
                                      std::span<const std::uint64_t> words, std::uint64_t rows) {
  std::vector<ExactPlanes> exact;
  std::size_t planes = 0;
  for (const Attribute& attribute : attributes) {
    const std::uint32_t its =
        attribute.binned() ? planes_for(attribute.exact_distinct) : attribute.planes();
    exact.push_back({{its, attribute.has_missing, 0}, {}});
    planes += exact.back().layout.count();
  }
  const std::size_t stride = planes == 0 ? words_for(rows) : words.size() / planes;
  if (stride * planes != words.size() || stride < words_for(rows)) {
    throw std::invalid_argument("words for another number of planes or rows");
  }
  for (ExactPlanes& of_one : exact) {
    of_one.layout.stride = stride;
    of_one.words = words.first(of_one.layout.size());
    words = words.subspan(of_one.words.size());
  }
  return exact;
}

}  // namespace

void DatasetBuilder::append(std::uint64_t rows,
                            std::span<const std::span<const std::uint32_t>> codes) {
  if (rows > storage_->partition_rows) {
    throw std::invalid_argument("a partition of " + std::to_string(rows) + " rows, expected 1 to " +
                                std::to_string(storage_->partition_rows));
  }
  Partitions partitions = next_partitions(*storage_, rows);
  if (codes.size() != storage_->attributes.size()) {
    throw std::invalid_argument("codes for another number of attributes");
  }
  for (std::size_t a = 0; a < codes.size(); ++a) {
    const Attribute& attribute = storage_->attributes[a];
    if (codes[a].size() != rows) throw refuse(attribute, "codes for another number of rows");
    check_codes(attribute, codes[a]);
    const auto to = planes_of(*storage_, a, partitions.front());
    std::fill(to.begin(), to.end(), 0);
    codes_to_planes(codes[a], layout_of(attribute, partitions.front()), to);
  }
  atl::append(*storage_, std::move(partitions));
}

void DatasetBuilder::append_planes(std::uint64_t rows, std::span<const std::uint64_t> words,
                                   std::span<const std::vector<std::uint32_t>> bin_ends,
                                   ThreadPool* pool) {
  const std::size_t count = (rows + storage_->partition_rows - 1) / storage_->partition_rows;
  const std::size_t size = words.size() / std::max<std::size_t>(count, 1);
  if (size * count != words.size()) {
    throw std::invalid_argument("words for another number of partitions");
  }
  std::vector<std::span<const std::uint64_t>> of_each;
  for (std::size_t p = 0; p < count; ++p) of_each.push_back(words.subspan(p * size, size));
  append_planes(rows, of_each, bin_ends, pool);
}

void DatasetBuilder::append_planes(std::uint64_t rows,
                                   std::span<const std::span<const std::uint64_t>> words,
                                   std::span<const std::vector<std::uint32_t>> bin_ends,
                                   ThreadPool* pool) {
  Partitions partitions = next_partitions(*storage_, rows);
  if (partitions.size() != words.size()) {
    throw std::invalid_argument("words for another number of partitions");
  }
  const auto& attributes = storage_->attributes;
  std::vector<std::vector<ExactPlanes>> exact;
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    exact.push_back(exact_planes(attributes, words[p], partitions[p].rows));
  }
  const bool has_ends = bin_ends.size() == attributes.size();
  const auto put = [&](std::size_t i) {
    const std::size_t p = i / attributes.size();
    const std::size_t a = i % attributes.size();
    put_planes(
        attributes[a], partitions[p].rows, exact[p][a],
        has_ends ? std::span<const std::uint32_t>(bin_ends[a]) : std::span<const std::uint32_t>(),
        partitions[p].stride, planes_of(*storage_, a, partitions[p]));
  };
  for_each_index(pool, partitions.size() * attributes.size(), put);
  atl::append(*storage_, std::move(partitions));
}

Dataset DatasetBuilder::finish(Fingerprint fingerprint) {
  storage_->fingerprint = fingerprint;
  return Dataset(std::move(storage_));
}

Dataset make_dataset(std::vector<Attribute> attributes,
                     const std::vector<std::vector<std::uint32_t>>& columns,
                     std::uint32_t partition_rows) {
  const std::uint64_t rows = columns.empty() ? 0 : columns.front().size();
  FingerprintBuilder fingerprint(columns.size());
  for (std::size_t a = 0; a < columns.size(); ++a) fingerprint.add(a, columns[a]);
  const Fingerprint hash = fingerprint.finish(rows, attributes);
  DatasetBuilder builder(std::move(attributes), partition_rows);
  for (std::uint64_t first = 0; first < rows; first += partition_rows) {
    const std::uint64_t count = std::min<std::uint64_t>(partition_rows, rows - first);
    std::vector<std::span<const std::uint32_t>> codes;
    for (const auto& column : columns) {
      if (column.size() != rows) throw std::invalid_argument("columns of different lengths");
      codes.push_back(std::span(column).subspan(first, count));
    }
    builder.append(count, codes);
  }
  return builder.finish(hash);
}

}  // namespace atl
