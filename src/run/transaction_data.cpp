#include "src/run/transaction_data.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "io/hdf5/data_file.hpp"
#include "io/tables/csv_dialect.hpp"
#include "io/tables/csv_reader.hpp"
#include "io/transactions/basket_reader.hpp"
#include "io/transactions/collected_transactions.hpp"
#include "io/transactions/fimi_reader.hpp"
#include "io/transactions/long_reader.hpp"
#include "src/core/error.hpp"
#include "src/core/near_names.hpp"
#include "src/rules/label_items.hpp"
#include "src/run/run_data.hpp"
#include "src/run/temporary_folder.hpp"
#include "src/run/text_form.hpp"

namespace atl {

namespace {

constexpr std::array<std::pair<const char*, TransactionFormat>, 5> formats = {
    {{"auto", TransactionFormat::automatic},
     {"fimi", TransactionFormat::fimi},
     {"baskets", TransactionFormat::baskets},
     {"long", TransactionFormat::long_table},
     {"table", TransactionFormat::table}}};

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

io::ItemNames read_long(const io::TextInput& input, const TransactionForm& form,
                        const Report& report, io::TransactionSink& sink) {
  constexpr std::uint64_t memory = std::uint64_t{1} << 20;  // for two columns, amply
  const io::CsvDialect dialect =
      io::detect_dialect(input, form.delimiter, form.header, memory, report);
  io::CsvReader table(input.open(), input.name(), dialect.delimiter, dialect.header, memory);
  return io::read_long_table(table, input.name(), report, sink);
}

/// @param otherwise  how numbers need not be left out
TransactionSet labels_of(const Dataset& dataset, const std::string& data, const Report& report,
                         const std::string& otherwise) {
  tell_left_out(dataset, report, otherwise);
  TransactionSet transactions = label_items(dataset);
  if (transactions.item_count() == 0) {
    throw BadData(data, "no attribute has labels, which would be the items");
  }
  return transactions;
}

}  // namespace

TransactionForm transaction_form(const std::string& format, const std::string& delimiter,
                                 std::optional<bool> header) {
  TransactionForm form;
  bool known = false;
  for (const auto& [name, meaning] : formats) {
    if (format != name) continue;
    form.format = meaning;
    known = true;
  }
  if (!known) {
    throw UsageError("--format: '" + printable(format) +
                     "' is none of auto, fimi, baskets, long, table");
  }
  if (form.format == TransactionFormat::table) return form;
  form.header = header;
  if (header && form.format != TransactionFormat::long_table) {
    throw UsageError("--header and --no-header are of --format long");
  }
  if (delimiter.empty()) return form;
  if (form.format == TransactionFormat::fimi) {
    throw UsageError("--delimiter is of baskets and long");
  }
  if (delimiter == "tab" || delimiter == "\\t" || delimiter == "\t") {
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

io::ItemNames read_transaction_text(const io::TextInput& input, const TransactionForm& form,
                                    const Report& report, io::TransactionSink& sink) {
  if (form.format == TransactionFormat::long_table) return read_long(input, form, report, sink);
  const bool tells = form.format == TransactionFormat::automatic && !form.delimiter;
  if (form.format == TransactionFormat::fimi || (tells && is_named_fimi(input.name()))) {
    return io::read_fimi(input.open(), input.name(), report, sink);
  }
  const std::string start = io::start_of(*input.open());
  if (tells && io::looks_like_fimi(start)) {
    return io::read_fimi(input.open(), input.name(), report, sink);
  }
  const char delimiter = form.delimiter.value_or(io::basket_delimiter(start));
  if (!form.delimiter) {
    report(Severity::info, input.name() + ": assumed baskets of names with " + in_words(delimiter) +
                               " between them");
    if (form.format == TransactionFormat::automatic && io::looks_like_table(start, delimiter)) {
      report(Severity::warning, input.name() +
                                    ": all lines have as many names: if it is a table, "
                                    "give --format table, and if a line is a transaction and one "
                                    "of its items, --format long");
    }
  }
  return io::read_baskets(input.open(), delimiter, input.name(), report, sink);
}

bool tells_transactions(const io::TextInput& input, const std::string& options,
                        const Report& report) {
  const std::string start = io::start_of(*input.open());
  if (io::lists_numbers(start)) {
    report(Severity::info, input.name() +
                               ": taken as transactions, as each line is a list of item numbers "
                               "(" +
                               options + "format csv makes a table of it)");
    return true;
  }
  const std::size_t lists = io::lists_of_numbers(start);
  if (lists > 0 && io::basket_delimiter(start) == io::blanks) {
    report(Severity::info, input.name() + ": taken as a table, as line " +
                               std::to_string(lists + 1) + " is no list of item numbers; " +
                               options + "format fimi takes it as transactions");
  }
  return false;
}

void tell_of_baskets(const io::TextInput& input, const std::string& options, const Report& report) {
  const std::string start = io::start_of(*input.open());
  if (!io::looks_like_lists(start, io::basket_delimiter(start))) return;
  report(Severity::info, input.name() + ": if each line is a list of items, " + options +
                             "format baskets reads it as "
                             "transactions");
}

TransactionSet read_transactions(const std::string& data, const TransactionForm& form,
                                 const Report& report) {
  if (form.format == TransactionFormat::table) {
    return labels_of(read_data(data, {}, report, {}, form.text), data, report, nominal_hint(data));
  }
  const bool is_file =
      form.format == TransactionFormat::automatic && data != standard_input && is_hdf5(data);
  if (is_file) {
    if (form.delimiter || form.header) {
      throw UsageError("--delimiter and --header are of a text, not of an HDF5 file");
    }
    io::Hdf5Reader file = io::open_data(data);
    if (io::holds_transactions(file)) return io::read_transactions(file).transactions;
    return labels_of(io::read_dataset(std::move(file), {}), data, report, nominal_hint(data));
  }
  expect_of_transactions(form.text);
  const TemporaryFolder folder;
  const auto input = open_text(data, form.text, folder.folder().path());
  return io::collected(
      [&](io::TransactionSink& sink) { return read_transaction_text(*input, form, report, sink); });
}

}  // namespace atl
