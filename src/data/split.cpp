#include "src/data/split.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "src/data/storage.hpp"

namespace atl {
namespace {

using Partition = Dataset::Storage::Partition;

constexpr std::size_t steps = 6;  // log2 of the bits of a word

/// What a part takes of the words of a partition, and how to bring these bits to the low end of
/// their words, in order (Warren 2013, 7-4). It depends on the rows
/// alone, so it is worked out once for all planes.
class Taken {
 public:
  void reserve(std::size_t words) {
    for (auto* const column :
         {&mask_, &moved_[0], &moved_[1], &moved_[2], &moved_[3], &moved_[4], &moved_[5]})
      column->reserve(words);
    bits_.reserve(words);
  }

  void add(std::uint64_t mask) {
    mask_.push_back(mask);
    bits_.push_back(static_cast<std::uint8_t>(std::popcount(mask)));
    rows_ += bits_.back();
    std::uint64_t below = ~mask << 1;  // zeros below each bit, of which parities are taken
    for (std::size_t i = 0; i < steps; ++i) {
      std::uint64_t odd = below;
      for (std::size_t s = 0; s < steps; ++s) odd ^= odd << (std::size_t{1} << s);
      const std::uint64_t moved = odd & mask;
      moved_[i].push_back(moved);
      mask = (mask ^ moved) | (moved >> (std::size_t{1} << i));
      below &= ~odd;
    }
  }

  std::uint64_t rows() const noexcept { return rows_; }
  std::uint64_t bits(std::size_t word) const noexcept { return bits_[word]; }

  /// @param to  [words.size()] overwritten
  void compress(std::span<const std::uint64_t> words, std::span<std::uint64_t> to) const {
    for (std::size_t w = 0; w < words.size(); ++w) to[w] = words[w] & mask_[w];
    for (std::size_t i = 0; i < steps; ++i) {
      const auto& moved = moved_[i];
      for (std::size_t w = 0; w < words.size(); ++w) {
        const std::uint64_t its = to[w] & moved[w];
        to[w] = (to[w] ^ its) | (its >> (std::size_t{1} << i));
      }
    }
  }

 private:
  std::vector<std::uint64_t> mask_;                      // [words]
  std::array<std::vector<std::uint64_t>, steps> moved_;  // [words] bits that go down by 2^step
  std::vector<std::uint8_t> bits_;                       // [words] that are set in the mask
  std::uint64_t rows_ = 0;
};

/// A plane of a part, written bit by bit through all its partitions.
class PlaneWriter {
 public:
  PlaneWriter() = default;
  PlaneWriter(std::vector<Partition>& to, std::size_t plane) : to_(&to), plane_(plane) {}

  void add(std::uint64_t word, std::uint64_t bits) {
    pending_ |= word << used_;
    used_ += bits;
    if (used_ < 64) return;
    put(pending_);
    used_ -= 64;
    pending_ = used_ == 0 ? 0 : word >> (bits - used_);
  }

  void finish() {
    if (used_ > 0) put(pending_);
  }

 private:
  void put(std::uint64_t word) {
    Partition& partition = (*to_)[partition_];
    words_of(partition)[word_++] = word;
    if (word_ == words_for(partition.rows)) end_partition();
  }

  void end_partition() {
    const auto words = words_of((*to_)[partition_]);
    std::fill(words.begin() + static_cast<std::ptrdiff_t>(word_), words.end(), 0);
    ++partition_;
    word_ = 0;
  }

  std::span<std::uint64_t> words_of(Partition& partition) const {
    return partition.own.words().subspan(plane_ * partition.stride, partition.stride);
  }

  std::vector<Partition>* to_ = nullptr;
  std::size_t plane_ = 0;
  std::size_t partition_ = 0, word_ = 0;
  std::uint64_t pending_ = 0, used_ = 0;  // bits that are no whole word yet
};

/// One of the two datasets, as it is filled.
class Part {
 public:
  Part(const Dataset::Storage& whole, std::uint64_t rows) : storage_(new Dataset::Storage()) {
    storage_->attributes = whole.attributes;
    storage_->first_plane = whole.first_plane;
    storage_->partition_rows = whole.partition_rows;
    storage_->fingerprint = whole.fingerprint;
    storage_->rows = rows;
    const std::size_t planes = whole.first_plane.back();
    for (std::uint64_t first = 0; first < rows; first += whole.partition_rows) {
      const auto its = std::min<std::uint64_t>(whole.partition_rows, rows - first);
      storage_->partitions.emplace_back(first, its, planes);
    }
    for (std::size_t p = 0; p < planes; ++p) writers_.emplace_back(storage_->partitions, p);
  }

  /// Makes room for the next rows.
  void expect(std::uint64_t rows) {
    expected_ += rows;
    for (; allocated_ < storage_->partitions.size(); ++allocated_) {
      Partition& next = storage_->partitions[allocated_];
      if (next.first_row >= expected_) return;
      next.allocate();
    }
  }

  PlaneWriter& writer(std::size_t plane) noexcept { return writers_[plane]; }
  Dataset::Storage& storage() noexcept { return *storage_; }
  Dataset finish() { return Dataset(std::move(storage_)); }

 private:
  std::unique_ptr<Dataset::Storage> storage_;
  std::vector<PlaneWriter> writers_;  // [planes]
  std::size_t allocated_ = 0;         // partitions
  std::uint64_t expected_ = 0;        // rows
};

/// Bits of the rows of a partition that are drawn, and of those that are not.
std::array<Taken, 2> taken_of(const Partition& partition, const RowMask& drawn) {
  std::array<Taken, 2> taken;  // rest, drawn
  const auto words = drawn.words().subspan(partition.first_row / 64, words_for(partition.rows));
  for (Taken& one : taken) one.reserve(words.size());
  std::uint64_t left = partition.rows;
  for (const std::uint64_t word : words) {
    const std::uint64_t all = left < 64 ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
    taken[0].add(all & ~word);
    taken[1].add(all & word);
    left -= std::min<std::uint64_t>(left, 64);
  }
  return taken;
}

/// Counts an attribute in the drawn rows, and takes these counts from those of the whole.
void count(std::size_t attribute, Dataset::Storage& rest, Dataset::Storage& drawn) {
  Attribute& its = drawn.attributes[attribute];
  if (its.counts.size() != its.distinct()) {
    throw std::invalid_argument("attribute '" + its.name + "' has no counts of its values");
  }
  std::fill(its.counts.begin(), its.counts.end(), 0);
  its.missing = 0;
  std::vector<std::uint32_t> codes;
  for (const Partition& partition : drawn.partitions) {
    const PlaneLayout layout{its.planes(), its.has_missing, partition.stride};
    codes.resize(partition.rows);
    planes_to_codes(
        partition.planes.subspan(drawn.first_plane[attribute] * partition.stride, layout.size()),
        layout, codes);
    for (const std::uint32_t code : codes)
      ++(code == missing_code ? its.missing : its.counts[code]);
  }
  Attribute& others = rest.attributes[attribute];
  others.missing -= its.missing;
  for (std::size_t code = 0; code < its.counts.size(); ++code)
    others.counts[code] -= its.counts[code];
}

}  // namespace

SplitDataset split(Dataset&& whole, const RowMask& drawn, ThreadPool& pool) {
  constexpr std::size_t at_once = 8;  // partitions that are there twice
  const std::unique_ptr<Dataset::Storage> storage = std::move(whole.storage_);
  const std::uint64_t drawn_rows = drawn.count();
  std::array<Part, 2> parts = {Part(*storage, storage->rows - drawn_rows),
                               Part(*storage, drawn_rows)};
  const std::size_t planes = storage->first_plane.back();
  auto& partitions = storage->partitions;
  for (std::size_t first = 0; first < partitions.size(); first += at_once) {
    const std::size_t count = std::min(at_once, partitions.size() - first);
    std::vector<std::array<Taken, 2>> taken(count);
    pool.wait(pool.submit(count, [&](std::size_t i, unsigned) {
      taken[i] = taken_of(partitions[first + i], drawn);
    }));
    for (const auto& of_partition : taken)
      for (std::size_t p = 0; p < parts.size(); ++p) parts[p].expect(of_partition[p].rows());
    pool.wait(pool.submit(planes, [&](std::size_t plane, unsigned) {
      std::vector<std::uint64_t> compressed;
      for (std::size_t i = 0; i < count; ++i) {
        const Partition& from = partitions[first + i];
        const auto words = from.planes.subspan(plane * from.stride, words_for(from.rows));
        for (std::size_t p = 0; p < parts.size(); ++p) {
          const Taken& its = taken[i][p];
          compressed.resize(words.size());
          its.compress(words, compressed);
          PlaneWriter& to = parts[p].writer(plane);
          for (std::size_t w = 0; w < words.size(); ++w) to.add(compressed[w], its.bits(w));
        }
      }
    }));
    for (std::size_t i = 0; i < count; ++i) partitions[first + i].replace({});
  }
  pool.wait(pool.submit(planes, [&](std::size_t plane, unsigned) {
    for (Part& part : parts) part.writer(plane).finish();
  }));
  pool.wait(pool.submit(storage->attributes.size(), [&](std::size_t a, unsigned) {
    count(a, parts[0].storage(), parts[1].storage());
  }));
  return {parts[0].finish(), parts[1].finish()};
}

}  // namespace atl
