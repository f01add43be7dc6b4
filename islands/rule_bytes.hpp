// Bytes of what rules are made of and counted with, as checkpoints and migrants have them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "islands/individual.hpp"
#include "src/core/bytes.hpp"
#include "src/grammar/grammar.hpp"
#include "src/measures/contingency_table.hpp"

namespace atl {

void encode(ByteWriter& out, const ContingencyTable& table);
/// @throws BadBytes
ContingencyTable decode_table(ByteReader& in);

/// Derivation and counts, without coverage hashes.
void encode(ByteWriter& out, const Individual& individual);
/// @throws BadBytes
Individual decode_individual(ByteReader& in, const BoundGrammar& grammar);
/// Their number, then each of them.
void encode(ByteWriter& out, std::span<const Individual> individuals);
/// @throws BadBytes
std::vector<Individual> decode_individuals(ByteReader& in, const BoundGrammar& grammar);

}  // namespace atl
