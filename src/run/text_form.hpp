// How a text of data is to be read, where it does not tell by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/tables/import.hpp"
#include "io/tables/text_source.hpp"
#include "src/core/report.hpp"
#include "src/run/transaction_data.hpp"

namespace atl {

/// As it was typed.
struct TextForm {
  std::string format = "auto";      ///< or csv, arff, keel, of tables; fimi, baskets, long, onehot
  std::string delimiter = {};       ///< empty: the text tells
  std::optional<bool> header = {};  ///< is there one? none: the text tells
  bool is_table = false;            ///< whatever the text tells

  bool names_transactions() const {
    return format == "fimi" || format == "baskets" || format == "long" || format == "onehot";
  }
};

/// What a command can read.
enum class TextKinds : std::uint8_t { tables, any };

/// @throws UsageError for what is no form, or none that can be read, or has a delimiter or header
///         that the format has not; the message begins with the option's name
void expect_text_form(const TextForm& form, TextKinds kinds = TextKinds::any);

/// What the text is, if the form says that it is transactions, or says nothing and the text
/// tells_transactions().
/// @throws UsageError; IoError, BadData
std::optional<TransactionForm> transactions_in(const io::TextInput& input, const TextForm& form,
                                               const Report& report);

/// Sets what the form says of a table. @throws UsageError
void set_table_form(const TextForm& form, io::ImportOptions& options);

}  // namespace atl
