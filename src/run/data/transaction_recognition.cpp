#include "src/run/data/transaction_recognition.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/transactions/basket_reader.hpp"
#include "io/transactions/comments.hpp"
#include "io/transactions/onehot_cells.hpp"
#include "io/transactions/other_texts.hpp"
#include "io/transactions/sure_header.hpp"
#include "src/core/error.hpp"

namespace atl {

namespace {

const Report silent = [](Severity, const std::string&) {};

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
    if (io::is_one_hot(*tables_of(input, form, true, silent)->open(0))) {
      form.format = TransactionFormat::onehot;
    } else if (io::has_sure_header(*tables_of(input, form, true, silent)->open(0))) {
      form.format = TransactionFormat::table;
    } else if (blank) {
      const TransactionForm with_blanks{.delimiter = io::blanks};
      if (!io::is_one_hot(*tables_of(input, with_blanks, true, silent)->open(0))) return;
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

}  // namespace

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

}  // namespace atl
