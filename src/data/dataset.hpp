// The table in memory, as bit planes of rank codes (O'Neil and Quass 1997, bit-sliced index).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "src/core/hash.hpp"
#include "src/data/attribute.hpp"
#include "src/data/bit_planes.hpp"

namespace atl {

class Communicator;
class RowMask;
class ThreadPool;
struct KeptRows;
struct RowShare;
struct SharedDataset;
struct SplitDataset;

/// Rows of a partition are a multiple of this, except the last one's.
inline constexpr std::uint32_t partition_granule = 4096;

/// Immutable: the partitions of one shard, which may be the whole. Bit b of row r of a partition is
/// bit r % 64 of word r / 64 of plane b. A plane has words(p) words, a multiple of 8, and begins at
/// a 64-byte boundary; bits beyond the partition's rows are zero. Planes of a missing value are
/// zero, and an attribute with missing values has the further plane `present`.
class Dataset {
 public:
  /// Takes over what DatasetBuilder made.
  struct Storage;
  explicit Dataset(std::unique_ptr<Storage> storage);
  ~Dataset();
  Dataset(Dataset&&) noexcept;
  Dataset& operator=(Dataset&&) noexcept;

  std::uint64_t rows() const noexcept;        ///< of this shard
  std::uint64_t first_row() const noexcept;   ///< index of the shard's first row in the dataset
  std::uint64_t whole_rows() const noexcept;  ///< of the dataset that this is a shard of, or is
  /// The rows that are counted here: all, unless others count a part of them (divide()). Its
  /// attributes, with their counts, are those of the whole.
  const Dataset& shard() const noexcept;
  std::span<const Attribute> attributes() const noexcept;
  Fingerprint fingerprint()
      const noexcept;  ///< of the whole dataset as in its file, before binning

  std::size_t partitions() const noexcept;
  std::uint64_t partition_rows(std::size_t partition) const noexcept;
  /// Are the partition's planes here? Where hosts share out the rows, each has some partitions only
  /// (share()).
  bool holds(std::size_t partition) const noexcept;
  std::uint64_t rows_held() const noexcept;   ///< of partitions whose planes are here
  std::uint64_t bytes_held() const noexcept;  ///< of these planes
  /// Rows that are here by themselves where partitions are not; codes_of() and code() know them.
  /// Null: there are none.
  const KeptRows* kept_rows() const noexcept;
  /// Index of the partition's first row within the shard.
  std::uint64_t partition_first_row(std::size_t partition) const noexcept;
  std::size_t words(std::size_t partition) const noexcept;
  /// Words from the beginning of a plane to that of the next; an attribute's follow those of the
  /// one before it, with `present` the last.
  std::size_t plane_stride(std::size_t partition) const noexcept;

  /// @pre bit < attributes()[attribute].planes(), holds(partition); likewise of the next two
  std::span<const std::uint64_t> plane(std::size_t partition, std::uint32_t attribute,
                                       std::uint32_t bit) const noexcept;
  /// Bits of the rows with a value; empty if the attribute has no missing values.
  std::span<const std::uint64_t> present(std::size_t partition,
                                         std::uint32_t attribute) const noexcept;

  /// All cells of an attribute in a partition, missing_code where there is no value.
  /// @param out  [partition_rows(partition)] overwritten
  void codes(std::size_t partition, std::uint32_t attribute, std::span<std::uint32_t> out) const;

  /// One cell, slowly; missing_code if there is no value. @pre row < rows()
  /// @throws as codes_of()
  std::uint32_t code(std::uint64_t row, std::uint32_t attribute) const;
  /// Position of the attribute of that name.
  std::optional<std::uint32_t> find(std::string_view name) const noexcept;

 private:
  friend SplitDataset split(Dataset&& whole, const RowMask& drawn, ThreadPool& pool);
  friend void divide(Dataset& whole, const RowShare& share);
  friend SharedDataset share(std::optional<Dataset> of_root, Communicator& ranks,
                             const RowShare& needed, int host);
  friend void keep_rows(Dataset& dataset, std::vector<std::uint64_t> rows, Communicator& ranks,
                        int host);

  std::unique_ptr<Storage> storage_;
};

/// Some rows of a dataset.
struct KeptRows {
  std::vector<std::uint64_t> rows;  ///< ascending, each once
  Dataset table;                    ///< its row i is rows[i]
};

/// The cells of an attribute, missing_code where there is no value. @return [rows()]
std::vector<std::uint32_t> all_codes(const Dataset& dataset, std::uint32_t attribute);

/// Builds a Dataset partition by partition.
class DatasetBuilder {
 public:
  /// @param attributes  complete, dictionaries and has_missing included
  /// @param partition_rows  multiple of partition_granule
  /// @param first_row  index of the first row to come in the whole dataset
  DatasetBuilder(std::vector<Attribute> attributes, std::uint32_t partition_rows,
                 std::uint64_t first_row = 0);
  ~DatasetBuilder();

  /// Appends a partition of `rows` rows. All but the last must have partition_rows.
  /// @param codes  [attributes][rows], codes below distinct(), or missing_code where has_missing
  /// @throws std::invalid_argument if a code is out of range
  void append(std::uint64_t rows, std::span<const std::span<const std::uint32_t>> codes);

  /// Appends partitions that are given as planes of exact codes, as a dataset file holds them, all
  /// full but perhaps the last. Attributes that are not binned() are copied; of the others every
  /// exact code is replaced by its bin's. Bits beyond the rows are ignored.
  /// @param rows  of all of them
  /// @param words  [partitions][exact planes of all attributes][stride], a plane with a word for
  ///               each 64 rows at least; each attribute's planes_for(exact_distinct) planes
  ///               (planes() if not binned), low bit first, then `present` if it has missing values
  /// @param bin_ends  [attributes] what bin_ends() gave for the binned ones, unused for the others;
  ///               may be empty if none is binned
  /// @param pool  whose threads share out partitions and attributes; null: this one does it
  /// @throws std::invalid_argument if a code is out of range or a missing value's is not zero
  void append_planes(std::uint64_t rows, std::span<const std::uint64_t> words,
                     std::span<const std::vector<std::uint32_t>> bin_ends = {},
                     ThreadPool* pool = nullptr);
  /// The same of partitions that do not lie one behind the other.
  /// @param words  [partitions]
  void append_planes(std::uint64_t rows, std::span<const std::span<const std::uint64_t>> words,
                     std::span<const std::vector<std::uint32_t>> bin_ends, ThreadPool* pool);

  /// The builder is empty afterwards.
  Dataset finish(Fingerprint fingerprint);

 private:
  std::unique_ptr<Dataset::Storage> storage_;
};

/// Dataset of whole columns, for tests and small tables; fingerprint computed from them.
/// @param columns  [attributes][rows]
Dataset make_dataset(std::vector<Attribute> attributes,
                     const std::vector<std::vector<std::uint32_t>>& columns,
                     std::uint32_t partition_rows = 65536);

}  // namespace atl
