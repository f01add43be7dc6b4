// What comes of how a text of data is to be read (TextForm).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "io/tables/import.hpp"
#include "io/tables/text/text_source.hpp"
#include "src/config/text_form.hpp"
#include "src/core/report.hpp"
#include "src/run/data/transaction_data.hpp"

namespace atl {

/// What a command can read.
enum class TextKinds : std::uint8_t { tables, any };

/// @throws UsageError for what is no form, or none that can be read, or has a delimiter or header
///         that the format has not; the message begins with the option's name. BadData or BadCell
///         for a schema that is none.
void expect_text_form(const TextForm& form, TextKinds kinds = TextKinds::any);

/// @throws UsageError if the form says what is of tables alone
void expect_of_transactions(const TextForm& form);

/// Opens a text. @param folder  for what can be read only once
std::shared_ptr<const io::TextInput> open_text(const std::string& data, const TextForm& form,
                                               const std::string& folder);

/// What the text is, if the form says that it is transactions, or says nothing and the text
/// tells_transactions().
/// @throws UsageError; IoError, BadData
std::optional<TransactionForm> transactions_in(const io::TextInput& input, const TextForm& form,
                                               const Report& report);

/// Sets what the form says of a table. @throws as expect_text_form
void set_table_form(const TextForm& form, io::ImportOptions& options);

/// How another text is to be read than that of a run: as is said of it, else, of a table, with the
/// run's words for "no value", its marks of numbers and its schema, and in its encoding unless it
/// is UTF-8. Of format, delimiter, header and names of columns each text has its own; but where
/// nothing is said, transactions are in the form of those of the run.
TextForm or_as_of_run(TextForm form, const TextForm& of_run);

}  // namespace atl
