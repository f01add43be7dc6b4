#include "io/transactions/onehot_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "io/transactions/transaction_builder.hpp"
#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/near_names.hpp"
#include "src/rules/item_text.hpp"

namespace atl::io {
namespace {

/// Is it a usual name of an index? In lower case and without what is between words.
bool is_usual_name(std::string_view name) {
  constexpr std::array<std::string_view, 19> usual = {
      "tid",           "id",       "index",         "idx",       "transaction",
      "transactionid", "transid",  "order",         "orderid",   "orderno",
      "basket",        "basketid", "invoice",       "invoiceid", "invoiceno",
      "rowid",         "rownames", "transactionno", "basketno"};
  std::string bare;
  for (const char c : name) {
    if (c != '_' && c != '-' && c != '.' && c != ' ') bare += lower(c);
  }
  return std::find(usual.begin(), usual.end(), bare) != usual.end();
}

/// Whole numbers, each one more than the last?
bool count_up(const RowBlock& rows, std::size_t columns) {
  std::uint64_t last = 0;
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::string_view cell = rows.fields[row * columns];
    const std::optional<std::uint64_t> number = whole_number(cell);
    if (!number || (row > 0 && *number != last + 1)) return false;
    last = *number;
  }
  return true;
}

bool is_index(const std::vector<DeclaredColumn>& columns, const RowBlock& first) {
  const std::string& name = columns.front().name;
  if (name.empty() || name == "Unnamed: 0") return true;
  // A reader gives a name to a column that has none; without a header to all.
  const bool was_empty = name == "column_1" && columns[1].name != "column_2";
  if (!was_empty && !is_usual_name(name)) return false;
  for (std::size_t row = 0; row < first.rows; ++row) {
    if (!is_answer(first.fields[row * columns.size()])) return true;
  }
  return count_up(first, columns.size());
}

/// The answers in the first rows of a table, if it is a one-hot one.
class Answers {
 public:
  Answers(const std::vector<DeclaredColumn>& columns, const std::string& other)
      : columns_(columns), other_(other), words_(columns.size(), AnswerWords::unset) {}

  void add(const RowBlock& block) {
    if (kinds_.empty()) kinds_ = one_hot_columns(columns_, block, other_);
    for (std::size_t i = 0; i < block.rows * kinds_.size(); ++i) {
      const std::size_t column = i % kinds_.size();
      if (kinds_[column] == OneHotColumn::item) add(answer_in(block.fields[i]), column);
    }
  }

  bool are_of_one_hot() const {
    const auto items = std::count(kinds_.begin(), kinds_.end(), OneHotColumn::item);
    const auto labels = std::count(kinds_.begin(), kinds_.end(), OneHotColumn::labels);
    const bool hardly_strays =
        strays_ == 0 || 20 * strays_ <= answers_ || (strays_ == 1 && answers_ >= 6);
    return yes_ && hardly_strays && !other_column() && items > 1 &&
           (labels == 0 || (!no_ && items > labels));
  }

 private:
  void add(const CellAnswer& cell, std::size_t column) {
    if (cell.answer == Answer::none) return;
    AnswerWords& words = words_[column];
    if (words == AnswerWords::unset) words = cell.words;
    if (cell.answer == Answer::other || words != cell.words) {
      ++strays_;
      strayed_.insert(column);
      return;
    }
    ++answers_;
    yes_ = yes_ || cell.answer == Answer::yes;
    no_ = no_ || cell.answer == Answer::no;
  }

  /// Is there a column without any answer?
  bool other_column() const {
    return std::any_of(strayed_.begin(), strayed_.end(),
                       [this](std::size_t column) { return words_[column] == AnswerWords::unset; });
  }

  const std::vector<DeclaredColumn>& columns_;
  const std::string& other_;
  std::vector<OneHotColumn> kinds_;
  std::vector<AnswerWords> words_;  // [columns]
  std::set<std::size_t> strayed_;   // columns
  std::size_t answers_ = 0, strays_ = 0;
  bool yes_ = false, no_ = false;
};

constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

class OneHotReader {
 public:
  OneHotReader(const std::vector<DeclaredColumn>& columns, const std::string& name,
               const std::string& other, TransactionSink& sink)
      : name_(name),
        columns_(columns),
        other_(other),
        items_of_(columns.size(), unseen),
        words_(columns.size(), AnswerWords::unset),
        builder_(name, sink) {}

  void add(const RowBlock& block) {
    if (kinds_.empty()) {
      kinds_ = one_hot_columns(columns_, block, other_);
      name_columns();
    }
    const std::string_view* cell = block.fields.data();
    for (std::size_t row = 0; row < block.rows; ++row) {
      for (std::size_t column = 0; column < kinds_.size(); ++column, ++cell) {
        if (kinds_[column] == OneHotColumn::item) {
          if (says_yes(*cell, column, block.lines[row])) builder_.add(item_of(column));
        } else if (kinds_[column] == OneHotColumn::labels &&
                   answer_in(*cell).answer != Answer::none) {
          builder_.add(items_.of(names_[column] + "=" + std::string(*cell)));
        }
      }
      builder_.end_transaction(block.lines[row]);
    }
  }

  ItemNames finish(const Report& report) {
    tell(report);
    std::vector<std::string> names = items_.names();
    const std::vector<std::uint32_t> order = order_of_bytes(names);
    for (std::string& item : names) item = item_text(item);
    return builder_.finish(std::move(names), order, report);
  }

 private:
  void name_columns() {
    std::unordered_set<std::string_view> distinct;
    names_.reserve(columns_.size());  // their texts stay where they are
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& name = columns_[i].name;
      if (name.size() > longest_text) {
        throw BadCell(name_, 1, i + 1, "a name of more than 64 KiB", "a name of an item");
      }
      names_.push_back(name.empty() ? "column_" + std::to_string(i + 1) : name);
      if (kinds_[i] != OneHotColumn::index && !distinct.insert(names_.back()).second) {
        throw BadData(name_, "two columns have the name " + in_quotes(names_.back()) +
                                 ", which would be that of an item");
      }
    }
  }

  bool says_yes(std::string_view text, std::size_t column, std::uint64_t line) {
    const CellAnswer cell = answer_in(text);
    if (cell.answer == Answer::none) {
      if (absent_++ == 0) first_absent_ = line;
      return false;
    }
    AnswerWords& words = words_[column];
    if (words == AnswerWords::unset) words = cell.words;
    if (cell.answer == Answer::other || words != cell.words) {
      constexpr std::array<const char*, 4> expected = {
          "1 or 0, true or false, yes or no, or nothing: a table of items has a column for each",
          "1 or 0, or nothing, as above it in its column",
          "true or false, or nothing, as above it in its column",
          "yes or no, or nothing, as above it in its column"};
      throw BadCell(name_, line, column + 1, std::string(text.substr(0, 100)),
                    expected[static_cast<std::size_t>(words)]);
    }
    return cell.answer == Answer::yes;
  }

  std::uint32_t item_of(std::size_t column) {
    if (items_of_[column] == unseen) items_of_[column] = items_.of(names_[column]);
    return items_of_[column];
  }

  void tell(const Report& report) const {
    std::vector<std::string> without, of_labels;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      if (kinds_[i] == OneHotColumn::index) {
        report(Severity::info,
               name_ + ": the first column" +
                   (columns_[i].name.empty() ? "" : ", " + in_quotes(names_[i]) + ",") +
                   " is left out, as it numbers the rows");
      }
      if (kinds_[i] == OneHotColumn::labels) of_labels.push_back(in_quotes(names_[i]));
      if (kinds_[i] == OneHotColumn::item && items_of_[i] == unseen) {
        without.push_back(in_quotes(names_[i]));
      }
    }
    if (!of_labels.empty()) {
      report(Severity::info,
             name_ + ": the labels of " + listed(of_labels) + " are items, column=label");
    }
    if (!without.empty()) {
      report(Severity::info, name_ + ": " + counted(without.size(), "column") +
                                 " that no row has as an item: " + listed(without));
    }
    if (absent_ > 0) {
      report(Severity::info, name_ + ": " + counted(absent_, "cell") + " without a value (" +
                                 (absent_ == 1 ? "" : "first in ") + "line " +
                                 std::to_string(first_absent_) + "), which " +
                                 (absent_ == 1 ? "is no item" : "are no items"));
    }
  }

  const std::string name_;
  const std::vector<DeclaredColumn>& columns_;
  const std::string& other_;
  std::vector<OneHotColumn> kinds_;      // [columns], from the first rows on
  std::vector<std::string> names_;       // [columns]
  std::vector<std::uint32_t> items_of_;  // [columns] by NameNumbers; unseen until a row has it
  std::vector<AnswerWords> words_;       // [columns]
  NameNumbers items_;
  TransactionBuilder builder_;
  std::uint64_t absent_ = 0, first_absent_ = 0;
};

}  // namespace

std::vector<OneHotColumn> one_hot_columns(const std::vector<DeclaredColumn>& columns,
                                          const RowBlock& first, const std::string& other) {
  std::vector<OneHotColumn> kinds(columns.size(), OneHotColumn::item);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::vector<std::string>& labels = columns[i].labels;
    if (!std::all_of(labels.begin(), labels.end(), is_answer)) kinds[i] = OneHotColumn::labels;
  }
  if (columns.size() > 1 && is_index(columns, first)) kinds.front() = OneHotColumn::index;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!other.empty() && columns[i].name == other) kinds[i] = OneHotColumn::other;
  }
  return kinds;
}

bool is_one_hot(TableReader& table, const std::string& other) {
  constexpr std::size_t looked_at = 100;
  Answers answers(table.columns(), other);
  RowBlock block;
  try {
    for (std::size_t rows = 0; rows < looked_at && table.next(block); rows += block.rows) {
      answers.add(block);
    }
  } catch (const BadCell&) {  // it stays what the rows before have shown it to be
    if (block.rows > 0) answers.add(block);
  }
  return answers.are_of_one_hot();
}

ItemNames read_one_hot(TableReader& table, const std::string& name, const Report& report,
                       TransactionSink& sink, const std::string& other) {
  OneHotReader reader(table.columns(), name, other, sink);
  RowBlock block;
  while (table.next(block)) reader.add(block);
  report_repeated_names(table, name, report);
  return reader.finish(report);
}

}  // namespace atl::io
