// Tables of records, for people.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cuda/device/visible_devices.hpp"

namespace atl {

/// Keys and figures, in the order in which docs/reference/bench.md lists them. Seconds are seconds,
/// shares are between 0 and 1. A key that does not apply is absent.
using Record = nlohmann::ordered_json;

/// The figure of a key, or of "published.gpu_seconds" within a nested one. Null if it is absent.
const Record* figure_of(const Record& record, std::string key);

/// @pre it is there
double number_of(const Record& record, std::string key);

/// A JSON array, with a newline at its end.
std::string json_of(const std::vector<Record>& records);

/// Name and number of processors of this machine, after the device if there is one.
std::string machine_description(const std::optional<cuda::VisibleDevice>& device);

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
