#pragma once

#include "islands/rule_sets/list_fitness.hpp"
#include "islands/rule_sets/sampled_list.hpp"
#include "src/core/bytes.hpp"

namespace atl {

/// The list and its counts.
void encode(ByteWriter& out, const SampledList& list);
/// @return settled for the part
/// @throws BadBytes if it is malformed, longer than `most_rules`, or not as settle() leaves it
SampledList decode_list(ByteReader& in, const ClassSample& sample, const ListJudge& judge,
                        const Part& part, std::size_t most_rules);

}  // namespace atl
