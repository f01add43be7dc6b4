#include "src/bench/table.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "src/core/thread_pool.hpp"

namespace atl {

namespace {

bool has(const Column& column, char c) {
  return std::string_view(column.format).find(c) != std::string_view::npos;
}

/// A format with a precision takes a number as double.
std::string number_text(const Column& column, const Record& number) {
  const auto format = fmt::runtime(column.format);
  if (has(column, '.')) return fmt::format(format, number.get<double>() * column.unit);
  return fmt::format(format, number.get<std::uint64_t>());
}

std::size_t width_of(const Column& column) {
  return column.format[0] == '\0' ? 0 : number_text(column, 0).size();
}

/// A text in a column, at the side of its numbers.
std::string aligned(const Column& column, const std::string& text) {
  if (!has(column, '<')) return fmt::format("{:>{}}", text, width_of(column));
  const std::string margin(std::string_view(column.format).find('{'), ' ');
  return fmt::format("{:<{}}", margin + text, width_of(column));
}

std::string cell(const Column& column, const Record& record) {
  if (column.key.empty()) return column.heading;
  const Record* const figure = figure_of(record, column.key);
  if (figure == nullptr) return aligned(column, column.absent);
  if (figure->is_number()) return number_text(column, *figure);
  const auto text = figure->get<std::string>();
  return has(column, '.') ? aligned(column, text) : fmt::format(fmt::runtime(column.format), text);
}

std::string without_blanks_at_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

}  // namespace

const Record* figure_of(const Record& record, std::string key) {
  const std::size_t dot = key.find('.');
  const auto found = record.find(key.substr(0, dot));
  if (found == record.end()) return nullptr;
  return dot == key.npos ? &*found : figure_of(*found, key.substr(dot + 1));
}

double number_of(const Record& record, std::string key) {
  return figure_of(record, std::move(key))->get<double>();
}

std::string json_of(const std::vector<Record>& records) {
  return Record(records).dump(2) + "\n";
}

std::string machine_description(const std::optional<cuda::VisibleDevice>& device) {
  std::ifstream cpus("/proc/cpuinfo");
  std::string name = "unknown processor";
  for (std::string line; std::getline(cpus, line);) {
    const std::size_t value = line.find(": ");
    if (line.rfind("model name", 0) != 0 || value == std::string::npos) continue;
    name = line.substr(value + 2);
    break;
  }
  const std::string cores = fmt::format("{}, {} processors to use", name, available_cpus());
  if (!device) return cores;
  return fmt::format("{}, CUDA driver {}, runtime {}; {}", device->name, device->driver,
                     device->runtime, cores);
}

std::string head_of(const Table& table) {
  const bool headings = std::any_of(
      table.columns.begin(), table.columns.end(),
      [](const Column& column) { return !column.key.empty() && !column.heading.empty(); });
  if (!headings) return table.title;
  std::string head;
  for (const Column& column : table.columns) head += aligned(column, column.heading);
  return table.title + without_blanks_at_end(std::move(head));
}

std::string lines_of(const Table& table, std::span<const Record> records) {
  const std::vector<Record> lines = table.lines != nullptr
                                        ? table.lines(records)
                                        : std::vector<Record>(records.begin(), records.end());
  std::string text;
  for (const Record& record : lines) {
    std::string line;
    for (const Column& column : table.columns) line += cell(column, record);
    text += without_blanks_at_end(std::move(line));
  }
  return text;
}

std::string text_of(const Table& table, std::span<const Record> records) {
  const std::string lines = lines_of(table, records);
  return lines.empty() ? "" : head_of(table) + lines;
}

}  // namespace atl
