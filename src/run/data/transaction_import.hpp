// From a text of transactions to their file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "io/tables/text/text_source.hpp"
#include "src/core/report.hpp"
#include "src/run/data/transaction_data.hpp"

namespace atl {

namespace io {
class Folder;
}

struct TransactionImport {
  TransactionForm form;                      ///< not a table's
  std::string probabilities = {};            ///< text of them; empty: none
  std::string output;                        ///< file to write; exists only once complete
  const io::Folder* folder = nullptr;        ///< set: it is to lie in this one, under its name
  std::function<void()> before_output = {};  ///< set: called once it is complete, before it exists
  std::uint32_t partition_rows = 65536;      ///< transactions of a partition
  std::uint64_t memory_limit = 1ULL << 30;   ///< bytes, for names of items and rows of long tables
};

struct ImportedTransactions {
  std::uint64_t transactions = 0, items = 0;
  std::uint64_t entries = 0;  ///< items of all transactions together
  bool with_probabilities = false;
};

/// Reads the text twice and holds no transactions; of a long table all rows.
/// @throws as read_transaction_text, io::read_probabilities and io::TransactionWriter; UsageError
///         beyond the memory limit; IoError if the text changes meanwhile; leaves no output then
ImportedTransactions import_transactions(const io::TextInput& input,
                                         const TransactionImport& options, const Report& report);

/// "88162 transactions, 16470 items, 10.31 items a transaction"
std::string in_words(const ImportedTransactions& imported);

}  // namespace atl
