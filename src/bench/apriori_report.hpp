// Tables and JSON of `bench apriori`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "src/bench/apriori.hpp"
#include "src/core/report.hpp"

namespace atl {

/// Runs bench_apriori() and writes a table for each figure, or JSON, at the end.
void report_apriori(const BenchMachine& machine, bool json, const Report& report,
                    const std::function<void(const std::string&)>& write);

/// Figures 7 and 8, and ours beside them.
std::string apriori_tables(const std::vector<AprioriRecord>& records);
/// A JSON array (docs/reference/bench.md), with a newline at its end.
std::string apriori_json(const std::vector<AprioriRecord>& records);

}  // namespace atl
