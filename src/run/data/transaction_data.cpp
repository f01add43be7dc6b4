#include "src/run/data/transaction_data.hpp"

#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "io/hdf5/data_file.hpp"
#include "io/tables/csv/csv_dialect.hpp"
#include "io/tables/csv/csv_reader.hpp"
#include "io/transactions/basket_reader.hpp"
#include "io/transactions/collected_transactions.hpp"
#include "io/transactions/comments.hpp"
#include "io/transactions/fimi_reader.hpp"
#include "io/transactions/long_reader.hpp"
#include "io/transactions/onehot_reader.hpp"
#include "io/transactions/other_texts.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/rules/label_items.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/data/text_form.hpp"
#include "src/run/data/transaction_recognition.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {

namespace {

constexpr std::array<std::pair<const char*, TransactionFormat>, 6> formats = {
    {{"auto", TransactionFormat::automatic},
     {"fimi", TransactionFormat::fimi},
     {"baskets", TransactionFormat::baskets},
     {"long", TransactionFormat::long_table},
     {"onehot", TransactionFormat::onehot},
     {"table", TransactionFormat::table}}};

std::string in_words(char delimiter) {
  if (delimiter == io::blanks) return "blanks";
  return delimiter == '\t' ? "tabs" : std::string("'") + delimiter + "'";
}

io::ItemNames read_long(const io::TextInput& input, const TransactionForm& form,
                        const Report& report, io::TransactionSink& sink) {
  constexpr std::uint64_t memory = std::uint64_t{1} << 20;  // for two columns, amply
  const io::CsvDialect dialect = io::detect_dialect(input, {form.delimiter, form.header}, report);
  io::CsvReader table(input.open(), input.name(), dialect, memory);
  return io::read_long_table(table, input.name(), report, sink);
}

io::ItemNames read_onehot(const io::TextInput& input, const TransactionForm& form,
                          const Report& report, io::TransactionSink& sink) {
  const auto tables = one_hot_table(input, form, report);
  return io::read_one_hot(*tables->open(0), input.name(), report, sink);
}

/// Is it a table of 0 and 1 alone, as far as it has numbers?
bool has_ones(const Dataset& dataset) {
  bool numbers = false;
  for (const Attribute& attribute : dataset.attributes()) {
    if (!has_numbers(attribute.kind)) continue;
    if (attribute.low != std::vector<double>{0, 1}) return false;
    numbers = true;
  }
  return numbers;
}

/// @param otherwise  how numbers need not be left out
TransactionSet labels_of(const Dataset& dataset, const std::string& data, const Report& report,
                         const std::string& otherwise) {
  const bool ones = has_ones(dataset);
  tell_left_out(dataset, report,
                ones ? "--format onehot makes items of the ones of a text" : otherwise);
  TransactionSet transactions = label_items(dataset);
  if (transactions.item_count() == 0) {
    throw BadData(data, std::string("no attribute has labels, which would be the items") +
                            (ones ? "; --format onehot makes items of the ones" : ""));
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
                     "' is none of auto, fimi, baskets, long, onehot, table");
  }
  if (form.format == TransactionFormat::table) return form;
  form.header = header;
  if (header && form.format != TransactionFormat::long_table &&
      form.format != TransactionFormat::onehot) {
    throw UsageError("--header and --no-header are of --format long and onehot");
  }
  if (delimiter.empty()) return form;
  if (form.format == TransactionFormat::fimi) {
    throw UsageError("--delimiter is of baskets and long, and of onehot");
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
  if (form.format == TransactionFormat::onehot) return read_onehot(input, form, report, sink);
  const std::string start = io::start_of(*input.open());
  expect_list(input.name(), start, form.format);
  if (form.format == TransactionFormat::fimi) {
    return io::read_fimi(input.open(), input.name(), report, sink);
  }
  const char delimiter = form.delimiter.value_or(io::basket_delimiter(io::without_comments(start)));
  if (!form.delimiter) {
    report(Severity::info, input.name() + ": assumed baskets of names with " + in_words(delimiter) +
                               " between them");
  }
  return io::read_baskets(input.open(), delimiter, input.name(), report, sink);
}

bool tells_transactions(const io::TextInput& input, const std::string& options,
                        const Report& report) {
  const std::string start = io::start_of(*input.open());
  if (io::begins_as_arff(start)) return false;
  expect_list(input.name(), start, TransactionFormat::automatic);
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
  if (io::begins_as_arff(start)) return;
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
  if (form.format == TransactionFormat::automatic && is_hdf5(data)) {
    if (form.delimiter || form.header) {
      throw UsageError("--delimiter and --header are of a text, not of an HDF5 file");
    }
    io::Hdf5Reader file = io::open_data(data);
    switch (io::kind_of(file)) {
      case io::DataKind::transactions:
        return io::read_transactions(file).transactions;
      case io::DataKind::table:
        return labels_of(io::read_dataset(std::move(file), {}), data, report, nominal_hint(data));
    }
  }
  const auto input = open_text(data, form.text, temporary_place());
  const TransactionForm found = recognised(*input, form, report);
  if (found.format == TransactionFormat::table) {
    TextForm text = form.text;
    text.is_table = true;
    io::ImportOptions import;
    import.opened = input;
    return labels_of(read_data(data, {}, report, std::move(import), text), data, report,
                     nominal_hint(data));
  }
  expect_of_transactions(form.text);
  input->tell(report);
  return io::collected([&](io::TransactionSink& sink) {
    return read_transaction_text(*input, found, report, sink);
  });
}

}  // namespace atl
