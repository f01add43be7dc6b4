// Data sets that benchmarks take from papers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "src/core/report.hpp"
#include "src/data/dataset.hpp"

namespace atl {

/// Poker hands are generated; others are read from the folder, if it is not empty and has them.
/// @param file  the usual name; may be empty
std::optional<Dataset> bench_data(const std::string& name, const std::string& file,
                                  std::uint64_t rows, const std::string& folder,
                                  const Report& report);

}  // namespace atl
