#include <algorithm>

#include "io/results/rule_cells.hpp"
#include "io/results/rule_file.hpp"
#include "src/core/text/text_table.hpp"
#include "src/core/text/wrapped_text.hpp"

namespace atl::io {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t narrowest_rule = 24;  // characters, however little room there is
constexpr std::string_view gap = "  ";

std::size_t widest(const Lines& cells) {
  std::size_t width = 0;
  for (const std::string& cell : cells) width = std::max(width, characters(cell));
  return width;
}

/// A name in one line, or, where cells have less room, in two that are broken behind the underscore
/// that makes them shortest.
Lines heading_of(const std::string& name, std::size_t cells) {
  constexpr std::size_t too_much = 2;  // blanks beside each cell
  Lines best = {name};
  if (name.size() <= cells + too_much) return best;
  for (std::size_t at = name.find('_'); at != name.npos; at = name.find('_', at + 1)) {
    const Lines broken = {name.substr(0, at + 1), name.substr(at + 1)};
    if (widest(broken) < widest(best)) best = broken;
  }
  return best;
}

struct Column {
  const RuleCells::Column* content;
  Lines heading;
  std::size_t width;
};

enum class Headings : bool { one_line, broken };

constexpr std::size_t least_room = 16;  // of words, however narrow the screen

/// The columns at their least width. @return  those of words wide enough for them
std::vector<Column> columns_of(const RuleCells& cells, Headings headings) {
  std::vector<Column> columns;
  for (const RuleCells::Column& content : cells.columns) {
    const std::size_t widest_cell = widest(content.cells);
    Column column{&content, {content.name}, 0};
    if (headings == Headings::broken && !content.of_words)
      column.heading = heading_of(content.name, widest_cell);
    column.width = std::max(widest(column.heading), widest_cell);
    if (content.name == "id") column.width = std::max<std::size_t>(2, column.width);
    columns.push_back(std::move(column));
  }
  return columns;
}

/// Narrows the columns of words so that lines fit. @return  false if they cannot
bool fit(std::vector<Column>& columns, std::size_t width) {
  std::size_t fixed = gap.size() * (columns.size() - 1), wordy = 0;
  for (const Column& column : columns) {
    fixed += column.content->of_words ? 0 : column.width;
    wordy += column.content->of_words ? 1 : 0;
  }
  if (wordy == 0) return fixed <= width;
  const std::size_t room = (width - std::min(width, fixed)) / wordy;
  for (Column& column : columns) {
    if (!column.content->of_words || column.width <= room) continue;
    if (room < narrowest_rule) return false;
    column.width = room;
  }
  return fixed <= width;
}

void append_row(std::string& out, const std::vector<Column>& columns,
                const std::vector<Lines>& cells, bool at_bottom) {
  std::size_t height = 0;
  for (const Lines& lines : cells) height = std::max(height, lines.size());
  for (std::size_t k = 0; k < height; ++k) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::size_t above = at_bottom ? height - cells[i].size() : 0;
      const bool there = k >= above && k - above < cells[i].size();
      const CellSide side = columns[i].content->of_words ? CellSide::left : CellSide::right;
      if (i > 0) line += gap;
      line += padded(there ? cells[i][k - above] : "", columns[i].width, side);
    }
    line.erase(line.find_last_not_of(' ') + 1);  // of columns that stay empty
    out += line + "\n";
  }
}

std::string side_by_side(const std::vector<Column>& columns, std::size_t rules) {
  std::string out;
  std::vector<Lines> cells;
  for (const Column& column : columns) cells.push_back(column.heading);
  append_row(out, columns, cells, true);
  for (std::size_t rule = 0; rule < rules; ++rule) {
    cells.clear();
    for (const Column& column : columns) {
      const std::string& cell = column.content->cells[rule];
      cells.push_back(column.content->of_words ? wrapped_rule(cell, column.width) : Lines{cell});
    }
    append_row(out, columns, cells, false);
  }
  return out;
}

/// Each rule with its figures below it, by name.
std::string below_each_other(const RuleCells& cells, std::size_t rules, std::size_t width) {
  const auto id = std::find_if(cells.columns.begin(), cells.columns.end(),
                               [](const auto& column) { return column.name == "id"; });
  const bool has_id = id != cells.columns.end();
  const std::size_t indent = has_id ? std::max<std::size_t>(2, widest(id->cells)) + gap.size() : 0;
  const std::size_t room = std::max(width, indent + least_room) - indent;
  std::string out;
  for (std::size_t rule = 0; rule < rules; ++rule) {
    Lines lines, figures(1);
    for (const RuleCells::Column& column : cells.columns) {
      if (column.name == "id" || column.cells[rule].empty()) continue;
      if (column.of_words) {
        const Lines words = wrapped_rule(column.cells[rule], room);
        lines.insert(lines.end(), words.begin(), words.end());
        continue;
      }
      const std::string figure = column.name + " " + column.cells[rule];
      const std::size_t longer = figures.back().size() + gap.size() + characters(figure);
      if (!figures.back().empty() && longer > room) figures.emplace_back();
      figures.back() += (figures.back().empty() ? "" : std::string(gap)) + figure;
    }
    lines.insert(lines.end(), figures.begin(), figures.end());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string before =
          has_id && i == 0
              ? padded(id->cells[rule], indent - gap.size(), CellSide::right) + std::string(gap)
              : std::string(indent, ' ');
      if (!lines[i].empty()) out += before + lines[i] + "\n";
    }
  }
  return out;
}

}  // namespace

std::string rules_table(std::span<const WrittenRule> rules, std::size_t width,
                        const ColumnChoice& choice) {
  RuleCells cells = rule_cells(rules, choice);
  std::string above;
  if (!cells.shared_consequent.empty()) {
    const std::size_t most = width > 0 ? width : characters(cells.shared_consequent);
    for (const std::string& line : wrapped_rule(cells.shared_consequent, most))
      above += line + "\n";
  }
  if (width == 0) return above + side_by_side(columns_of(cells, Headings::one_line), rules.size());
  const RuleCells all = cells;
  do {
    for (const Headings headings : {Headings::one_line, Headings::broken}) {
      auto columns = columns_of(cells, headings);
      if (fit(columns, width)) return above + side_by_side(columns, rules.size());
    }
  } while (choice.gives_way && leave_one_out(cells));
  return above + below_each_other(all, rules.size(), width);
}

}  // namespace atl::io
