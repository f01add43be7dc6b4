#include "io/transactions/sure_header.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/tables/columns/schema.hpp"
#include "src/core/text/number.hpp"
#include "src/data/date.hpp"

namespace atl::io {
namespace {

constexpr std::size_t looked_at = 200;
constexpr std::size_t most_columns = 2000;  // whose labels are kept
constexpr std::size_t least_numbers = 3;
constexpr std::size_t few_rows = 5, many_rows = 20;

bool is_no_value(std::string_view cell) {
  return std::find(default_missing.begin(), default_missing.end(), cell) != default_missing.end();
}

class Columns {
 public:
  explicit Columns(const std::vector<DeclaredColumn>& columns) : seen_(columns.size()) {
    for (const DeclaredColumn& column : columns) names_.push_back(column.name);
  }

  void add(const RowBlock& block) {
    const std::size_t columns = names_.size();
    rows_ += block.rows;
    for (std::size_t i = 0; i < block.rows * columns; ++i) {
      const std::string_view cell = block.fields[i];
      if (is_no_value(cell)) continue;
      Seen& seen = seen_[i % columns];
      ++seen.values;
      seen.numbers += parse_number(cell) ? 1U : 0U;
      seen.dates += parse_date(cell) ? 1U : 0U;
      if (columns <= most_columns) note_label(std::string(cell), i % columns);
    }
  }

  bool have_names_of_numbers() const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Seen& seen = seen_[i];
      const bool alike = seen.numbers == seen.values || seen.dates == seen.values;
      if (seen.values < least_numbers || !alike || is_no_value(names_[i])) continue;
      if (!parse_number(names_[i]) && !parse_date(names_[i])) return true;
    }
    return false;
  }

  bool have_names_of_labels() const {
    std::unordered_set<std::string_view> distinct;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i].empty() && seen_[i].values == 0) continue;
      const bool recurs = labels_.count(names_[i]) > 0;
      if (names_[i].empty() || recurs || !distinct.insert(names_[i]).second) return false;
    }
    const auto once = static_cast<std::size_t>(std::count_if(
        labels_.begin(), labels_.end(), [](const auto& label) { return label.second.times == 1; }));
    const bool few_labels = !labels_.empty() && 2 * labels_.size() <= cells_;
    return few_labels && ((disjoint_ && rows_ >= few_rows) ||
                          (10 * once <= labels_.size() && rows_ >= many_rows));
  }

 private:
  struct Seen {
    std::size_t values = 0, numbers = 0, dates = 0;
  };
  struct Label {
    std::size_t column, times;
  };

  void note_label(std::string cell, std::size_t column) {
    ++cells_;
    Label& label = labels_.try_emplace(std::move(cell), Label{column, 0}).first->second;
    ++label.times;
    disjoint_ = disjoint_ && label.column == column;
  }

  std::vector<std::string> names_;
  std::vector<Seen> seen_;  // [columns]
  std::unordered_map<std::string, Label> labels_;
  std::size_t rows_ = 0, cells_ = 0;
  bool disjoint_ = true;  // no label is in two columns
};

}  // namespace

bool has_sure_header(TableReader& table) {
  if (table.columns().size() < 2) return false;
  Columns columns(table.columns());
  RowBlock block;
  for (std::size_t rows = 0; rows < looked_at && table.next(block); rows += block.rows) {
    columns.add(block);
  }
  return columns.have_names_of_numbers() || columns.have_names_of_labels();
}

}  // namespace atl::io
