// What a text is that somebody takes for transactions.
#pragma once

#include <memory>
#include <string>

#include "io/tables/input_tables.hpp"
#include "io/tables/text/text_source.hpp"
#include "src/core/report.hpp"
#include "src/run/data/transaction_data.hpp"

namespace atl {

/// The form with its format settled: of an automatic one it is what the text tells, maybe a table,
/// which is reported. @throws BadData as expect_list; IoError
TransactionForm recognised(const io::TextInput& input, TransactionForm form, const Report& report);

/// @throws BadData for what surely is no list of items in each line, though it could be read as
/// such:
///         ARFF, sequences and the like; and for SPMF's header if the format is baskets
void expect_list(const std::string& name, const std::string& start, TransactionFormat format);

/// The one-hot table that the text is. The input must outlive it.
/// @throws as io::InputTables
std::unique_ptr<io::InputTables> one_hot_table(const io::TextInput& input,
                                               const TransactionForm& form, const Report& report);

}  // namespace atl
