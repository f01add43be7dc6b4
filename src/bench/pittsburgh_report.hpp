// Tables and JSON of `bench pittsburgh`.
#pragma once

#include <functional>
#include <string>

#include "src/bench/pittsburgh.hpp"

namespace atl {

/// Runs bench_pittsburgh() and writes tables, each line as soon as it is there, or JSON at the end.
void report_pittsburgh(const BenchMachine& machine, const std::string& data, bool json,
                       const Report& report, const std::function<void(const std::string&)>& write);

/// Lines of Tables 3 and 4: ours, the published pipeline's on the same device, the paper's.
std::string pittsburgh_head();
std::string pittsburgh_line(const PittsburghRecord& record);
/// Tables 1 and 5, Figures 5 and 6. Paragraphs without figures of their own are left out.
std::string pittsburgh_end(const PittsburghResult& result);
/// A JSON array (docs/reference/bench.md), with a newline at its end.
std::string pittsburgh_json(const PittsburghResult& result);

}  // namespace atl
