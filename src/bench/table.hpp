// Tables of records, for people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/bench/record.hpp"

namespace atl {

// Units of columns: what a figure is multiplied by.
inline constexpr double as_it_is = 1, in_ms = 1e3, in_us = 1e6, in_percent = 100,
                        in_millions = 1e-6, in_billions = 1e-9;

struct Column {
  /// Names the figure, as figure_of() takes it. If it is empty, the heading stands in each line.
  std::string key;
  std::string heading;
  double unit = as_it_is;
  /// Has one field of fmt, " {:>8.1f}". It may have text around the field, and its width is that
  /// of the column.
  const char* format = "";
  /// Stands where the figure is absent.
  const char* absent = "";
};

/// A bar between columns.
inline const Column bar = {"", " |"};

struct Table {
  const char* title;  ///< lines above it; may be empty
  std::vector<Column> columns;
  /// Makes lines of records: chooses among them, and adds what is computed of their figures. Null:
  /// each record is a line.
  std::vector<Record> (*lines)(std::span<const Record> records) = nullptr;
};

/// Title and headings. If there are no headings, the title alone.
std::string head_of(const Table& table);
/// The lines of these records. Blanks at the end of a line are left out.
std::string lines_of(const Table& table, std::span<const Record> records);
/// Both. A table without lines is left out.
std::string text_of(const Table& table, std::span<const Record> records);

}  // namespace atl
