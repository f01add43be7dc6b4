#include "io/results/run_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "io/results/csv_line.hpp"
#include "io/results/json_list.hpp"
#include "src/config/experiment_settings.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/core/text/text_table.hpp"
#include "src/core/text/time_text.hpp"
#include "src/results/compare/merge.hpp"

namespace atl {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

/// Removes TOML's quotes where nothing needs them.
std::string unquoted(const std::string& value) {
  const bool is_text = value.size() > 2 && value.front() == '"' && value.back() == '"';
  const std::string text = is_text ? value.substr(1, value.size() - 2) : value;
  return text.find_first_of("\"\\") == std::string::npos ? text : value;
}

/// Names of all measures that are maximised, in the order of the runs.
std::vector<std::string> measures_of(const std::vector<MinedRun>& runs) {
  std::vector<std::string> names;
  for (const MinedRun& run : runs) {
    for (const std::string& name : run.experiment.all_maximized()) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

std::vector<Row> rows_of(const std::vector<MinedRun>& runs, bool for_people) {
  const auto keys = differing_settings(runs);
  const auto measures = measures_of(runs);
  Row header = {"run"};
  header.insert(header.end(), keys.begin(), keys.end());
  header.insert(header.end(),
                {"state", "generation", for_people ? "time" : "seconds", "rules", "collected"});
  for (const std::string& name : measures) header.push_back("best_" + name);
  std::vector<Row> rows = {header};
  for (const MinedRun& run : runs) {
    Row& row = rows.emplace_back(Row{for_people ? printable(run.name) : run.name});
    const auto settings = settings_of(run.experiment);
    for (const std::string& key : keys) {
      const std::string value = unquoted(value_of(settings, key));
      row.push_back(for_people ? printable(value, 30) : value);
    }
    row.insert(row.end(),
               {run.state, std::to_string(run.generation),
                for_people ? time_text(run.seconds) : format_number(run.seconds),
                run.rules ? std::to_string(*run.rules) : "", std::to_string(run.collected)});
    for (const std::string& name : measures) {
      const auto best = run.best.find(name);
      const bool known = best != run.best.end() && !std::isnan(best->second);
      row.push_back(!known       ? ""
                    : for_people ? fmt::format("{:.4f}", best->second)
                                 : format_number(best->second));
    }
  }
  return rows;
}

std::string as_csv(const std::vector<Row>& rows) {
  std::string text;
  for (const Row& row : rows) io::append_csv_line(text, row);
  return text;
}

std::string as_table(std::vector<Row> rows, std::size_t width) {
  std::vector<CellSide> sides(rows[0].size(), CellSide::right);
  sides[0] = CellSide::left;
  for (Row& row : rows) {
    for (std::string& cell : row) {
      if (cell.empty()) cell = "-";
    }
  }
  return text_table(rows, sides, width);
}

Json number(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return format_number(value);
  return value;
}

double number_of(const nlohmann::json& json) {
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (json.is_string()) return std::numeric_limits<double>::infinity();
  return json.get<double>();
}

MinedRun parse_run(const nlohmann::json& json, const std::string& file, AlgorithmTable algorithms) {
  MinedRun run;
  json.at("run").get_to(run.name);
  json.at("path").get_to(run.path);
  json.at("state").get_to(run.state);
  run.generation = static_cast<std::uint32_t>(io::json_count(json.at("generation"), "generation"));
  json.at("seconds").get_to(run.seconds);
  if (!json.at("rules").is_null()) run.rules = io::json_count(json.at("rules"), "rules");
  run.collected = io::json_count(json.at("collected"), "collected");
  for (const auto& [name, value] : json.at("best").items()) run.best[name] = number_of(value);
  run.experiment =
      parse_preset(json.at("experiment").get<std::string>(), file + ", experiment", algorithms);
  run.experiment.validate();
  return run;
}

}  // namespace

std::string comparison_text(const std::vector<MinedRun>& runs, std::string_view format,
                            std::size_t width) {
  const bool for_people = format == "table";
  auto rows = rows_of(runs, for_people);
  return for_people ? as_table(std::move(rows), width) : as_csv(rows);
}

std::string comparison_json(const std::vector<MinedRun>& runs) {
  const auto keys = differing_settings(runs);
  Json list = Json::array();
  for (const MinedRun& run : runs) {
    const auto values = settings_of(run.experiment);
    Json settings = Json::object(), best = Json::object();
    for (const std::string& key : keys) settings[key] = unquoted(value_of(values, key));
    for (const auto& [name, value] : run.best) best[name] = number(value);
    Json record = {{"run", run.name},
                   {"path", run.path},
                   {"settings", settings},
                   {"state", run.state},
                   {"generation", run.generation},
                   {"seconds", run.seconds},
                   {"rules", nullptr},
                   {"collected", run.collected},
                   {"best", best},
                   {"experiment", to_toml(run.experiment)}};
    if (run.rules) record["rules"] = *run.rules;
    list.push_back(std::move(record));
  }
  return printable_lines(list.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

std::vector<MinedRun> parse_comparison(std::string_view json, const std::string& file,
                                       AlgorithmTable algorithms) {
  std::vector<MinedRun> runs;
  try {
    io::for_each_in_json_list(json, file, "run", [&](const nlohmann::json& run) {
      runs.push_back(parse_run(run, file, algorithms));
    });
  } catch (const UsageError& error) {
    throw BadData(file, error.what());
  }
  if (runs.empty()) throw BadData(file, "names no run");
  return runs;
}

}  // namespace atl
