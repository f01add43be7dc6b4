#include "src/run/data/transaction_data.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "io/hdf5/data_file.hpp"
#include "io/tables/csv/csv_dialect.hpp"
#include "io/tables/csv/csv_reader.hpp"
#include "io/tables/input_tables.hpp"
#include "io/transactions/basket_reader.hpp"
#include "io/transactions/fimi_reader.hpp"
#include "io/transactions/line_reader.hpp"
#include "io/transactions/long_reader.hpp"
#include "io/transactions/onehot_reader.hpp"
#include "io/transactions/other_texts.hpp"
#include "io/transactions/probability_reader.hpp"
#include "io/transactions/sure_header.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/run/data/label_items.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/data/text_form.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {
namespace {

const Report silent = [](Severity, const std::string&) {};

constexpr const char* no_table_for_probabilities =
    "--probability-column is of tables: give --format table or onehot if it is one, else "
    "--probabilities FILE";

bool is_named_fimi(std::string_view name) {
  for (const std::string_view packed : {".xz", ".gz", ".bz2", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name.ends_with(".dat");
}

std::unique_ptr<io::InputTables> tables_of(const io::TextInput& input, const TransactionForm& form,
                                           std::optional<bool> header, const Report& report) {
  io::ImportOptions options;
  options.inputs = {input.name()};
  options.opened = std::shared_ptr<const io::TextInput>(std::shared_ptr<void>(), &input);
  options.delimiter = form.delimiter;
  options.header = header;
  return std::make_unique<io::InputTables>(options, report);
}

bool are_answers(const std::vector<io::DeclaredColumn>& names) {
  return std::all_of(names.begin(), names.end(),
                     [](const io::DeclaredColumn& name) { return io::is_answer(name.name); });
}

/// Does the first line hold names? It does if they say neither yes nor no.
bool has_names(const io::TextInput& input, const TransactionForm& form) {
  const auto named = tables_of(input, form, true, silent);
  if (!are_answers(named->columns())) return true;
  const auto detected = tables_of(input, form, std::nullopt, silent);
  return detected->columns().front().name == named->columns().front().name;
}

/// Sets it to onehot, table or, unless it is ARFF, baskets.
/// @param blank  a blank is what is between names, if anything
void set_format_of_rows(const io::TextInput& input, bool is_arff, bool blank,
                        TransactionForm& form) {
  form.format = is_arff ? TransactionFormat::table : TransactionFormat::baskets;
  try {
    const std::string& other = form.probability_column;
    if (io::is_one_hot(*tables_of(input, form, true, silent)->open(0), other)) {
      form.format = TransactionFormat::onehot;
    } else if (io::has_sure_header(*tables_of(input, form, true, silent)->open(0))) {
      form.format = TransactionFormat::table;
    } else if (blank) {
      const TransactionForm with_blanks{.delimiter = io::blanks};
      if (!io::is_one_hot(*tables_of(input, with_blanks, true, silent)->open(0), other)) return;
      form.format = TransactionFormat::onehot;
      form.delimiter = with_blanks.delimiter;
    }
  } catch (const BadData&) {  // such as rows of other lengths; ARFF's reader will say what it is
  }
}

void tell_of_table(const io::TextInput& input, bool is_arff, const Report& report) {
  report(
      Severity::info,
      input.name() + ": taken as a table, as it " +
          (is_arff ? "declares attributes" : "has a header above rows that are all as long") +
          ": attribute=label are the items" +
          (is_arff ? ""
                   : " (--format baskets if each line is a list of items, --format long if it is "
                     "a transaction and one of its items)"));
}

void tell_of_one_hot(const io::TextInput& input, bool is_arff, const Report& report) {
  report(Severity::info, input.name() +
                             ": taken as onehot, as its cells say yes or no: a column is an item, "
                             "and a row the transaction of its yeses (" +
                             (is_arff ? "" : "--format baskets if each line is a list of items, ") +
                             "--format table for both labels of a column)");
}

/// The one-hot table that the text is. The input must outlive it.
/// @throws as io::InputTables
std::unique_ptr<io::InputTables> one_hot_table(const io::TextInput& input,
                                               const TransactionForm& form, const Report& report) {
  auto detected = tables_of(input, form, form.header, silent);
  if (!detected->is_csv()) return detected;
  const bool header = form.header ? *form.header : has_names(input, form);
  if (!form.header) {
    report(Severity::info, input.name() + ": assumed " +
                               (header ? "first line holds the names"
                                       : "no header, columns are column_1, column_2 and so on"));
  }
  return tables_of(input, form, header, report);
}

/// @throws BadData for what surely is no list of items in each line, though it could be read as
/// such:
///         ARFF, sequences and the like; and for SPMF's header if the format is baskets
void expect_list(const std::string& name, const std::string& start, TransactionFormat format) {
  if (io::begins_as_arff(start)) {
    throw BadData(
        name,
        "is a table of ARFF or KEEL, expected a list of items in each line; atoll itemsets "
        "takes it as a table where no --format is given");
  }
  if (const auto other = io::other_than_transactions(start)) throw BadData(name, *other);
  if (format == TransactionFormat::baskets && io::begins_as_spmf(start)) {
    throw BadData(
        name,
        "has numbers of items under a header of SPMF, expected names; --format fimi reads it");
  }
}

/// The form with its format settled: of an automatic one it is what the text tells, maybe a table,
/// which is reported. @throws BadData as expect_list; IoError
TransactionForm recognised(const io::TextInput& input, TransactionForm form, const Report& report) {
  if (form.format != TransactionFormat::automatic) return form;
  form.format = TransactionFormat::baskets;
  if (form.delimiter) return form;
  std::string start = io::start_of(*input.open());
  if (start.size() < io::start_bytes && !start.ends_with('\n')) start += '\n';  // a whole line, too
  const bool is_arff = io::begins_as_arff(start);
  if (!is_arff) {
    expect_list(input.name(), start, TransactionFormat::automatic);
    form.format = is_named_fimi(input.name()) || io::looks_like_fimi(start)
                      ? TransactionFormat::fimi
                      : TransactionFormat::baskets;
    if (form.format == TransactionFormat::fimi) return form;
  }
  const std::string_view lines = io::without_comments(start);
  const char delimiter = io::basket_delimiter(lines);
  set_format_of_rows(input, is_arff, !is_arff && delimiter == io::blanks, form);
  if (form.format == TransactionFormat::onehot) tell_of_one_hot(input, is_arff, report);
  if (form.format == TransactionFormat::table) tell_of_table(input, is_arff, report);
  if (form.format == TransactionFormat::baskets && io::looks_like_table(lines, delimiter)) {
    report(Severity::warning, input.name() +
                                  ": all lines have as many names: if it is a table, "
                                  "give --format table, and if a line is a transaction and one "
                                  "of its items, --format long");
  }
  return form;
}

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
  return io::read_one_hot(*tables->open(0), input.name(), report, sink, form.probability_column);
}

/// The probabilities in a column of a one-hot table, or none where no column has any.
/// @throws UsageError for a column of another form, and as io::read_probability_column
std::vector<double> column_of_one_hot(const io::TextInput& input, const TransactionForm& form) {
  const std::string& column = form.probability_column;
  if (column.empty()) return {};
  if (form.format != TransactionFormat::onehot) throw UsageError(no_table_for_probabilities);
  const auto tables = one_hot_table(input, form, silent);
  return io::read_probability_column(*tables->open(0), input.name(), column);
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
  const std::string& column = form.probability_column;
  if (form.format == TransactionFormat::table) {
    return read_label_items(data, form.text, column, report);
  }
  if (form.format == TransactionFormat::automatic && is_hdf5(data)) {
    if (form.delimiter || form.header) {
      throw UsageError("--delimiter and --header are of a text, not of an HDF5 file");
    }
    const io::Hdf5Reader file = io::open_data(data);
    if (io::kind_of(file) == io::DataKind::table) {
      return read_label_items(data, form.text, column, report);
    }
    if (!column.empty()) throw UsageError(no_table_for_probabilities);
    return io::read_transactions(file).transactions;
  }
  const auto input = open_text(data, form.text, temporary_place());
  const TransactionForm found = recognised(*input, form, report);
  if (found.format == TransactionFormat::table) {
    return read_label_items(data, form.text, column, report, input);
  }
  expect_of_transactions(form.text);
  input->tell(report);
  std::vector<double> probabilities = column_of_one_hot(*input, found);
  TransactionSet transactions = io::collected([&](io::TransactionSink& sink) {
    return read_transaction_text(*input, found, report, sink);
  });
  if (column.empty()) return transactions;
  return with_probabilities(std::move(transactions), std::move(probabilities), data);
}

}  // namespace atl
