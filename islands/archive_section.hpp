// An archive of rules as the section of results of a run's state.
#pragma once

#include <cstdint>
#include <span>

#include "src/core/bytes.hpp"
#include "src/core/run_state.hpp"
#include "src/data/attribute.hpp"
#include "src/results/archive/archive.hpp"

namespace atl {

/// Of what encode() writes.
inline constexpr std::uint32_t archive_version = 1;

void encode(ByteWriter& out, const Archive& archive);
/// @param attributes  that the rules name
/// @throws BadBytes, also for what no search writes
Archive decode_archive(ByteReader& in, std::span<const Attribute> attributes);

Section section_of(const Archive& archive);
/// @throws BadBytes
Archive archive_of(const RunState& state, std::span<const Attribute> attributes);

}  // namespace atl
