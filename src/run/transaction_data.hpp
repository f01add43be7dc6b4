// What a command takes for transactions: a text of items, or a table whose labels are items.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/core/report.hpp"
#include "src/data/transaction_set.hpp"

namespace atl {

enum class TransactionFormat : std::uint8_t { automatic, fimi, baskets, table };

struct TransactionForm {
  TransactionFormat format = TransactionFormat::automatic;
  std::optional<char> delimiter = {};  ///< of baskets; none: the text tells
};

/// @param format  auto, fimi, baskets or table
/// @param delimiter  one character, tab or blank; empty: none is given
/// @throws UsageError
TransactionForm transaction_form(const std::string& format, const std::string& delimiter);

/// Automatic is: a dataset file is a table; a text named .dat is FIMI's, and so is any other of
/// digits and blanks alone; the rest are baskets. What was assumed of a text is reported.
/// @param data  "-" is standard input; .xz and .gz are read as they are
/// @throws as io::read_fimi, io::read_baskets, read_data; BadData for a table without labels
TransactionSet read_transactions(const std::string& data, const TransactionForm& form,
                                 const Report& report);

}  // namespace atl
