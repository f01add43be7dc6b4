// Reads what a command takes for transactions: a text of items, a file of transactions, or a table
// whose labels are items.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/tables/text/text_source.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/config/text_form.hpp"
#include "src/core/report.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl {

enum class TransactionFormat : std::uint8_t { automatic, fimi, baskets, long_table, onehot, table };

struct TransactionForm {
  TransactionFormat format = TransactionFormat::automatic;
  std::optional<char> delimiter = {};  ///< of all but fimi and table; none: the text tells
  std::optional<bool> header = {};     ///< of long and one-hot tables; none: the text tells
  TextForm text = {};                  ///< of tables, all that is said
  /// Of tables and one-hot tables, the column that holds the probability that each transaction
  /// exists and is no item; empty: there is none.
  std::string probability_column = {};
};

/// @param format  auto, fimi, baskets, long, onehot or table
/// @param delimiter  one character, tab or blank; empty: none is given. Of tables it is not looked
///                   at, nor is the header: expect_text_form() does so
/// @throws UsageError
TransactionForm transaction_form(const std::string& format, const std::string& delimiter,
                                 std::optional<bool> header);

/// Automatic is: a file of transactions, or else a dataset file is a table. Of texts, ARFF and KEEL
/// are tables, one-hot ones if they can be; a text named .dat is FIMI's, and so is any other of
/// digits and blanks alone, beside comments; rows of equal length are a one-hot table if their
/// cells say yes or no, and a table if their header is sure; the rest are baskets. What was assumed
/// of a text is reported.
/// @param data  "-" is standard input; .xz and .gz are read as they are
/// @throws as io::read_fimi, io::read_baskets, io::read_long_table, io::read_one_hot,
///         io::read_transactions, read_label_items, expect_list; UsageError for a column of
///         probabilities of what is no table
TransactionSet read_transactions(const std::string& data, const TransactionForm& form,
                                 const Report& report);

/// Reads a text that is open likewise; the transactions are the sink's.
/// @pre form.format is neither `automatic` nor `table`
io::ItemNames read_transaction_text(const io::TextInput& input, const TransactionForm& form,
                                    const Report& report, io::TransactionSink& sink);

/// Would its text be transactions, and hardly a table, to somebody who knows nothing else of it?
/// Its lines are numbers of items, and either not all as long or all ascending. Reports it, and
/// where it is so up to some line, which hides what that text is.
/// @param options  what the name of --format begins with in messages
/// @throws IoError, BadData; BadData as expect_list, too
bool tells_transactions(const io::TextInput& input, const std::string& options,
                        const Report& report);

/// Reports of a text that could not be read as a table that it may be baskets, where its lines are
/// as different as lists are.
void tell_of_baskets(const io::TextInput& input, const std::string& options, const Report& report);

}  // namespace atl
