#include "src/run/text_form.hpp"

#include "src/core/error.hpp"
#include "src/core/near_names.hpp"

namespace atl {

namespace {

io::TextFormat table_format(const std::string& name) {
  if (name == "csv") return io::TextFormat::csv;
  if (name == "arff") return io::TextFormat::arff;
  if (name == "keel") return io::TextFormat::keel;
  if (name == "auto") return io::TextFormat::automatic;
  throw UsageError("--format: '" + printable(name) +
                   "' is none of auto, csv, arff, keel, fimi, baskets, long, onehot");
}

char table_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1 || text == "\"" || text == "\n" || text == "\r") {
    throw UsageError("--delimiter: '" + printable(text) + "', expected one character or tab");
  }
  return text.front();
}

}  // namespace

void expect_text_form(const TextForm& form, TextKinds kinds) {
  if (form.names_transactions()) {
    if (kinds == TextKinds::tables) {
      throw UsageError("--format: " + form.format + " is of transactions, expected a table");
    }
    (void)transaction_form(form.format, form.delimiter, form.header);
  } else {
    io::ImportOptions ignored;
    set_table_form(form, ignored);
  }
}

std::optional<TransactionForm> transactions_in(const io::TextInput& input, const TextForm& form,
                                               const Report& report) {
  if (form.names_transactions()) {
    return transaction_form(form.format, form.delimiter, form.header);
  }
  const bool tells = form.format == "auto" && form.delimiter.empty() && !form.header;
  if (!tells || form.is_table || !tells_transactions(input, report)) return std::nullopt;
  return TransactionForm{.format = TransactionFormat::fimi};
}

void set_table_form(const TextForm& form, io::ImportOptions& options) {
  options.format = table_format(form.format);
  if (!form.delimiter.empty()) options.delimiter = table_delimiter(form.delimiter);
  if (options.delimiter && options.format != io::TextFormat::csv &&
      options.format != io::TextFormat::automatic) {
    throw UsageError("--delimiter is of csv, baskets and long, and of onehot");
  }
  options.header = form.header;
}

}  // namespace atl
