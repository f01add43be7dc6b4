#include "src/run/transaction_data.hpp"

#include <string_view>

#include "io/tables/text_source.hpp"
#include "io/transactions/basket_reader.hpp"
#include "io/transactions/fimi_reader.hpp"
#include "src/core/error.hpp"
#include "src/core/near_names.hpp"
#include "src/rules/label_items.hpp"
#include "src/run/run_data.hpp"
#include "src/run/temporary_folder.hpp"

namespace atl {

namespace {

std::string in_words(char delimiter) {
  if (delimiter == io::blanks) return "blanks";
  return delimiter == '\t' ? "tabs" : std::string("'") + delimiter + "'";
}

bool is_named_fimi(std::string_view name) {
  for (const std::string_view packed : {".xz", ".gz"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name.ends_with(".dat");
}

TransactionSet read_text(const std::string& data, const TransactionForm& form,
                         const Report& report) {
  const TemporaryFolder folder;
  const io::TextInput input(data, folder.folder().path());
  const bool tells = form.format == TransactionFormat::automatic && !form.delimiter;
  if (form.format == TransactionFormat::fimi || (tells && is_named_fimi(data))) {
    return io::read_fimi(input.open(), input.name(), report);
  }
  const std::string start = io::start_of(*input.open());
  if (tells && io::looks_like_fimi(start)) {
    return io::read_fimi(input.open(), input.name(), report);
  }
  const char delimiter = form.delimiter.value_or(io::basket_delimiter(start));
  if (!form.delimiter) {
    report(Severity::info, input.name() + ": assumed baskets of names with " + in_words(delimiter) +
                               " between them");
    if (form.format == TransactionFormat::automatic && io::looks_like_table(start, delimiter)) {
      report(Severity::warning, input.name() +
                                    ": all lines have as many names: if it is a table, "
                                    "give --format table");
    }
  }
  return io::read_baskets(input.open(), delimiter, input.name(), report);
}

TransactionSet read_table(const std::string& data, const Report& report) {
  const Dataset dataset = read_data(data, {}, report);
  tell_left_out(dataset, report);
  TransactionSet transactions = label_items(dataset);
  if (transactions.item_count() == 0) {
    throw BadData(data, "no attribute has labels, which would be the items");
  }
  return transactions;
}

}  // namespace

TransactionForm transaction_form(const std::string& format, const std::string& delimiter) {
  TransactionForm form;
  if (format == "fimi") {
    form.format = TransactionFormat::fimi;
  } else if (format == "baskets") {
    form.format = TransactionFormat::baskets;
  } else if (format == "table") {
    form.format = TransactionFormat::table;
  } else if (format != "auto") {
    throw UsageError("--format: '" + printable(format) + "' is none of auto, fimi, baskets, table");
  }
  if (delimiter.empty()) return form;
  if (form.format == TransactionFormat::fimi || form.format == TransactionFormat::table) {
    throw UsageError("--delimiter is of baskets");
  }
  if (delimiter == "tab" || delimiter == "\t") {
    form.delimiter = '\t';
  } else if (delimiter == "blank" || delimiter == " ") {
    form.delimiter = io::blanks;
  } else if (delimiter.size() == 1 && delimiter[0] > ' ' && delimiter[0] < '\x7f' &&
             delimiter[0] != '"') {
    form.delimiter = delimiter[0];
  } else {
    throw UsageError("--delimiter: '" + printable(delimiter) +
                     "' is neither one character, other than a quote, nor tab or blank");
  }
  return form;
}

TransactionSet read_transactions(const std::string& data, const TransactionForm& form,
                                 const Report& report) {
  const bool is_dataset =
      form.format == TransactionFormat::automatic && data != standard_input && is_hdf5(data);
  if (is_dataset || form.format == TransactionFormat::table) return read_table(data, report);
  return read_text(data, form, report);
}

}  // namespace atl
