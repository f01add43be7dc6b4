#include "io/tables/import_report.hpp"

#include "src/core/text/near_names.hpp"

namespace atl::io {
namespace {

void report_labels(const std::vector<Conclusion>& columns, const Report& report) {
  std::size_t warnings = 0;
  for (const Conclusion& column : columns) {
    if (column.warning.empty()) continue;
    if (++warnings <= most_listed) report(Severity::warning, column.warning);
  }
  if (warnings > most_listed) {
    report(Severity::warning, std::to_string(warnings - most_listed) +
                                  " more columns need a look, as most of their values are numbers "
                                  "or dates: see atoll import --print-schema");
  }
}

/// Of columns that are read otherwise than some expect, so many are named, not only most_listed.
constexpr std::size_t most_named = 200;

void report_notes(const std::vector<Conclusion>& columns, const Report& report) {
  std::vector<std::string> rest;
  std::size_t notes = 0;
  for (const Conclusion& column : columns) {
    if (column.note.empty()) continue;
    if (++notes <= most_listed) {
      report(Severity::info, column.note);
    } else {
      rest.push_back(in_quotes(column.column.name));
    }
  }
  if (rest.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < rest.size() && i < most_named; ++i)
    names += (i > 0 ? ", " : "") + rest[i];
  if (rest.size() > most_named) {
    names += " and " + std::to_string(rest.size() - most_named) + " more";
  }
  report(Severity::info, "likewise of " + names + ": see atoll import --print-schema");
}

void report_merged(const std::vector<Conclusion>& columns, const Report& report) {
  std::vector<std::string> merged;
  for (const Conclusion& column : columns) {
    // One that is taken for labels by mistake has its own warning.
    if (column.merged && column.warning.empty()) merged.push_back(in_quotes(column.column.name));
  }
  if (merged.empty()) return;
  report(Severity::warning, "of " + listed(merged) +
                                " only the most frequent labels are kept, the others become one "
                                "(atoll import --max-categories)");
}

void report_only_column(const std::vector<Conclusion>& columns, const InputTables& tables,
                        const std::string& options, const Report& report) {
  const Conclusion* only = nullptr;
  for (const Conclusion& column : columns) {
    if (!column.ignored.empty()) continue;
    if (only != nullptr) return;
    only = &column;
  }
  if (only == nullptr) return;
  std::string text =
      tables.name(0) + ": one column only (" + in_quotes(only->column.name) + "); rules need two";
  if (tables.is_csv() && columns.size() == 1)
    text += ": is the delimiter right? (" + options + "delimiter)";
  report(Severity::warning, text);
}

}  // namespace

std::string ignored_columns(const std::vector<Conclusion>& columns, bool by_request) {
  std::vector<std::string> ignored;
  for (const Conclusion& column : columns) {
    if (column.ignored.empty() || (column.ignored == "by request" && !by_request)) continue;
    ignored.push_back(in_quotes(column.column.name) + " (" + column.ignored + ")");
  }
  return listed(ignored);
}

void report_values(const std::vector<Conclusion>& columns, const Report& report) {
  report_labels(columns, report);
  report_notes(columns, report);
}

void report_columns(const std::vector<Conclusion>& columns, const InputTables& tables,
                    const std::string& options, const Report& report) {
  report_values(columns, report);
  report_merged(columns, report);
  const std::string ignored = ignored_columns(columns, false);
  if (!ignored.empty()) {
    report(Severity::warning,
           "ignored " + ignored + "; give a column a role in a schema to keep it");
  }
  report_only_column(columns, tables, options, report);
}

}  // namespace atl::io
