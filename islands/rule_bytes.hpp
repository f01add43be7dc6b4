// Bytes of what rules are made of and counted with, as checkpoints and migrants have them.
#pragma once

#include <cstddef>

#include "islands/individual.hpp"
#include "src/core/bytes.hpp"
#include "src/grammar/grammar.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

void encode(ByteWriter& out, const ContingencyTable& table);
/// @throws BadBytes
ContingencyTable decode_table(ByteReader& in);

/// Least bytes of an individual.
inline constexpr std::size_t least_individual_bytes = 8 + 6 * 4 + 1;

/// Derivation and counts, without coverage hashes.
void encode(ByteWriter& out, const Individual& individual);
/// @throws BadBytes
Individual decode_individual(ByteReader& in, const BoundGrammar& grammar);

}  // namespace atl
