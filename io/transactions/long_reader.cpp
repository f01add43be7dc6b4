#include "io/transactions/long_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "io/transactions/transaction_builder.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/rules/item_text.hpp"

namespace atl::io {
namespace {

constexpr std::size_t long_columns = 2;

class LongReader {
 public:
  explicit LongReader(const std::string& name) : name_(name) {}

  void add(const RowBlock& block) {
    if (transaction_of_.size() + block.rows > TransactionBuilder::most_entries) {
      throw BadData(name_, "has more than 4294967294 rows");
    }
    for (std::size_t r = 0; r < block.rows; ++r) {
      const std::string_view transaction = field(block, r, 0, "the name of a transaction");
      const std::string_view item = field(block, r, 1, "the name of an item");
      note_line(block.lines[r]);
      if (transaction != last_ || transaction_of_.empty()) {
        last_ = transaction;
        number_of_last_ = transactions_.of(transaction);
      }
      transaction_of_.push_back(number_of_last_);
      item_of_.push_back(items_.of(item));
    }
  }

  ItemNames finish(const Report& report, TransactionSink& sink) {
    if (transaction_of_.empty()) throw BadData(name_, "has no rows");
    TransactionBuilder builder(name_, sink);
    fill(builder);
    if (repeated_ > 0) {
      report(Severity::warning, name_ + ": " + counted(repeated_, "row") +
                                    " repeated (first in line " +
                                    std::to_string(line_of(first_repeated_)) +
                                    "); each pair of transaction and item counts once");
    }
    std::vector<std::string> names = items_.names();
    const std::vector<std::uint32_t> order = order_of_bytes(names);
    for (std::string& item : names) item = item_text(item);
    return builder.finish(std::move(names), order, report);
  }

 private:
  /// Rows from this one on are in lines from that one on, until the next run.
  struct LineRun {
    std::size_t row;
    std::uint64_t line;
  };

  std::string_view field(const RowBlock& block, std::size_t row, std::size_t column,
                         const char* expected) const {
    const std::string_view text = block.fields[row * long_columns + column];
    if (text.empty()) throw BadCell(name_, block.lines[row], column + 1, "", expected);
    if (text.size() > longest_text) {
      throw BadCell(name_, block.lines[row], column + 1, "a text of more than 64 KiB", expected);
    }
    return text;
  }

  // Notes the line of a row where it is not one more than that of the row before, which is rare.
  void note_line(std::uint64_t line) {
    const std::size_t row = transaction_of_.size();
    if (lines_.empty() || lines_.back().line + (row - lines_.back().row) != line) {
      lines_.push_back({row, line});
    }
  }
  std::uint64_t line_of(std::size_t row) const {
    const auto after =
        std::upper_bound(lines_.begin(), lines_.end(), row,
                         [](std::size_t wanted, const LineRun& run) { return wanted < run.row; });
    const LineRun& run = *(after - 1);
    return run.line + (row - run.row);
  }

  /// Sorts rows by their transactions, and those of each by item.
  void fill(TransactionBuilder& builder) {
    std::vector<std::uint64_t> next(transactions_.size() + 1, 0);
    for (const std::uint32_t transaction : transaction_of_) ++next[transaction + 1];
    for (std::size_t t = 1; t < next.size(); ++t) next[t] += next[t - 1];
    std::vector<std::uint32_t> rows(transaction_of_.size());
    for (std::uint32_t row = 0; row < rows.size(); ++row) rows[next[transaction_of_[row]]++] = row;
    transaction_of_ = {};
    std::uint64_t begin = 0;
    for (std::size_t t = 0; t + 1 < next.size(); ++t) {
      const auto first = rows.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = rows.begin() + static_cast<std::ptrdiff_t>(next[t]);
      begin = next[t];
      std::sort(first, last, [this](std::uint32_t a, std::uint32_t b) {
        return item_of_[a] != item_of_[b] ? item_of_[a] < item_of_[b] : a < b;
      });
      for (auto row = first; row != last; ++row) {
        if (row != first && item_of_[*row] == item_of_[*(row - 1)]) {
          note_repeated(*row);
        } else {
          builder.add(item_of_[*row]);
        }
      }
      builder.end_transaction(0);  // none of its items is repeated any more
    }
  }

  void note_repeated(std::uint32_t row) noexcept {
    if (repeated_ == 0 || row < first_repeated_) first_repeated_ = row;
    ++repeated_;
  }

  const std::string& name_;
  NameNumbers transactions_, items_;
  std::string last_;  // transaction
  std::uint32_t number_of_last_ = 0;
  std::vector<std::uint32_t> transaction_of_, item_of_;  // [rows]
  std::vector<LineRun> lines_;
  std::uint64_t repeated_ = 0;
  std::uint32_t first_repeated_ = 0;  // row
};

}  // namespace

ItemNames read_long_table(TableReader& table, const std::string& name, const Report& report,
                          TransactionSink& sink) {
  if (table.columns().size() != long_columns) {
    throw BadData(name, "has " + counted(table.columns().size(), "column") +
                            ", expected two, a transaction and an item (--delimiter says what is "
                            "between them)");
  }
  LongReader reader(name);
  RowBlock block;
  while (table.next(block)) reader.add(block);
  return reader.finish(report, sink);
}

}  // namespace atl::io
