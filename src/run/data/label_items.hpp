// Reads a table as transactions whose items are its labels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/tables/text/text_source.hpp"
#include "src/config/text_form.hpp"
#include "src/core/report.hpp"
#include "src/data/transactions/transaction_set.hpp"

namespace atl {

/// Items are `attribute=label`, as label_items() has them. Numeric attributes are left out, with a
/// warning.
/// @param data  a dataset file, or a text; "-" is standard input
/// @param text  the form that the text is said to be in
/// @param probability_column  the name of the one that holds the probability that each transaction
///                            exists and is no item; empty: there is none
/// @param opened  set: the text, which is open already, and known to be a table
/// @throws as read_data, and, for the column, as io::read_probability_column or, of a dataset file,
///         BadData with the row; BadData for a table without labels
TransactionSet read_label_items(const std::string& data, TextForm text,
                                const std::string& probability_column, const Report& report,
                                std::shared_ptr<const io::TextInput> opened = nullptr);

/// Puts them together. @throws IoError if they are not as many, as the data changed in between
TransactionSet with_probabilities(TransactionSet transactions, std::vector<double> probabilities,
                                  const std::string& data);

}  // namespace atl
