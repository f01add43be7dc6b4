// Writes the file of transactions (HDF5, io/FORMAT.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/h5_writer.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/hash.hpp"

namespace atl::io {

class Folder;

/// What is known of transactions before they are written.
struct TransactionOutline {
  std::vector<std::string> names;       ///< [items] as a TransactionSet has them, with quotes
  std::vector<std::uint64_t> supports;  ///< [items]
  std::uint64_t transactions = 0;
  std::uint64_t entries = 0;  ///< items of all transactions together
};

/// The fingerprint of transactions, of which it is given the lengths and items in pieces.
class TransactionHasher {
 public:
  void add(std::span<const std::uint32_t> lengths, std::span<const std::uint32_t> items);
  /// @param names  as they are: without quotes
  /// @param probabilities  of all, or none
  Fingerprint digest(const std::vector<std::string>& names, std::uint64_t transactions,
                     std::span<const double> probabilities) const;

 private:
  Hasher lengths_, items_;
};

/// Writes transactions as they come. Their file appears as a whole or not at all.
class TransactionWriter {
 public:
  /// @param partition  transactions, a multiple of partition_granule
  /// @param folder  of `path`, if it is held open: no link is followed then
  /// @throws BadData for no transactions, or an item with a name of more than 64 KiB; CannotCreate
  TransactionWriter(const std::string& path, TransactionOutline outline, std::uint32_t partition,
                    const Folder* folder = nullptr);

  /// The next transaction. @param items  ascending, none twice @throws CannotCreate, IoError
  void add(std::span<const std::uint32_t> items);
  /// @pre what was added is what the outline says
  /// @param probabilities  [transactions] or none
  /// @param before_output  called once the file is complete, before it takes its name; may throw
  /// @throws CannotCreate, IoError
  void finish(std::span<const double> probabilities,
              const std::function<void()>& before_output = {});

 private:
  /// Numbers on the way to their place in the file.
  struct Column {
    std::uint64_t at = 0;  // in the file
    std::vector<std::uint32_t> waiting;
  };
  void flush();
  void write(Column& column);

  std::uint32_t partition_;
  std::vector<std::string> names_;  // without quotes
  std::vector<std::uint64_t> supports_;
  std::vector<std::uint64_t> begins_;  // of partitions
  std::uint64_t transactions_ = 0, entries_ = 0, expected_;
  AtomicFile output_;
  std::unique_ptr<Hdf5Writer> file_;
  Column lengths_, items_;
  TransactionHasher hasher_;
};

}  // namespace atl::io
