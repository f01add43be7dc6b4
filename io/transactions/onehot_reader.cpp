#include "io/transactions/onehot_reader.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/transactions/name_numbers.hpp"
#include "io/transactions/onehot_cells.hpp"
#include "io/transactions/transaction_builder.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/rules/item_name.hpp"

namespace atl::io {
namespace {

constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

class OneHotReader {
 public:
  OneHotReader(const std::vector<DeclaredColumn>& columns, const std::string& name,
               TransactionSink& sink)
      : name_(name),
        columns_(columns),
        items_of_(columns.size(), unseen),
        words_(columns.size(), AnswerWords::unset),
        builder_(name, sink) {}

  void add(const RowBlock& block) {
    if (kinds_.empty()) {
      kinds_ = one_hot_columns(columns_, block);
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
  std::vector<OneHotColumn> kinds_;      // [columns], from the first rows on
  std::vector<std::string> names_;       // [columns]
  std::vector<std::uint32_t> items_of_;  // [columns] by NameNumbers; unseen until a row has it
  std::vector<AnswerWords> words_;       // [columns]
  NameNumbers items_;
  TransactionBuilder builder_;
  std::uint64_t absent_ = 0, first_absent_ = 0;
};

}  // namespace

ItemNames read_one_hot(TableReader& table, const std::string& name, const Report& report,
                       TransactionSink& sink) {
  OneHotReader reader(table.columns(), name, sink);
  RowBlock block;
  while (table.next(block)) reader.add(block);
  report_repeated_names(table, name, report);
  return reader.finish(report);
}

}  // namespace atl::io
