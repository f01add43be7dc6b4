#pragma once

#include <cstdint>
#include <string>

#include "src/generate/basket_source.hpp"
#include "src/generate/block_stream.hpp"
#include "src/generate/lines.hpp"
#include "src/generate/probabilities.hpp"

namespace atl {

/// Whether transactions can be written under that name: .dat. @throws UsageError
void check_basket_name(const std::string& path);

/// Transactions in FIMI form: a line each, its items ascending with blanks between them. A
/// transaction without items is an empty line.
/// @param source  outlives it
Lines basket_lines(const BasketSource& source);

/// Writes the probability of each of the first transactions, a line each. The same bytes for any
/// number of ranks and threads. Collective. @throws CannotCreate, IoError
void write_probabilities(const ProbabilityModel& model, std::uint64_t seed,
                         std::uint64_t transactions, const std::string& path, const Makers& makers);

}  // namespace atl
