#pragma once

#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "src/core/report.hpp"

namespace atl {

/// log.jsonl: one JSON object a line, appended, each with "event" and "time" (UTC). The only output
/// of a run with clocks in it.
class RunLog {
 public:
  /// @throws CannotCreate
  explicit RunLog(const std::string& path);
  /// Written through at once, so that a job that is killed leaves what it said. @throws IoError
  void write(const std::string& event, const nlohmann::ordered_json& fields);

 private:
  std::string path_;
  std::ofstream out_;
};

/// Hands on to `report` and notes warnings in the log, which must outlive it.
Report logging_report(Report report, RunLog& log);

}  // namespace atl
