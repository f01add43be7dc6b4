#include "io/transactions/onehot_cells.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"

namespace atl::io {
namespace {

/// Of an index, in lower case and without what is between words.
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

}  // namespace

std::vector<OneHotColumn> one_hot_columns(const std::vector<DeclaredColumn>& columns,
                                          const RowBlock& first) {
  std::vector<OneHotColumn> kinds(columns.size(), OneHotColumn::item);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::vector<std::string>& labels = columns[i].labels;
    if (!std::all_of(labels.begin(), labels.end(), is_answer)) kinds[i] = OneHotColumn::labels;
  }
  if (columns.size() > 1 && is_index(columns, first)) kinds.front() = OneHotColumn::index;
  return kinds;
}

namespace {

/// What the first rows of a table say, if it is a one-hot one.
class Answers {
 public:
  explicit Answers(const std::vector<DeclaredColumn>& columns)
      : columns_(columns), words_(columns.size(), AnswerWords::unset) {}

  void add(const RowBlock& block) {
    if (kinds_.empty()) kinds_ = one_hot_columns(columns_, block);
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
  std::vector<OneHotColumn> kinds_;
  std::vector<AnswerWords> words_;  // [columns]
  std::set<std::size_t> strayed_;   // columns
  std::size_t answers_ = 0, strays_ = 0;
  bool yes_ = false, no_ = false;
};

}  // namespace

bool is_one_hot(TableReader& table) {
  constexpr std::size_t looked_at = 100;
  Answers answers(table.columns());
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

}  // namespace atl::io
