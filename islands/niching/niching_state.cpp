#include "islands/niching/niching_state.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace atl {
namespace {

constexpr std::uint32_t niching_state_version = 1;

}  // namespace

OwnState encode(const NichingState& state) {
  ByteWriter out;
  out.put_all(std::span<const double>(state.success));
  out.put_all(std::span<const std::uint32_t>(state.covered));
  out.put(state.replaced);
  out.put(static_cast<std::uint8_t>(state.stagnant));
  return {niching_state_version, std::move(out).take()};
}

NichingState decode_niching_state(const OwnState& own) {
  ByteReader in(own.of_version(niching_state_version));
  NichingState state;
  state.success = in.get_all<double>();
  require_bytes(state.success.size() == operations, "an island has rates of unknown operations");
  require_bytes(std::all_of(state.success.begin(), state.success.end(),
                            [](double rate) { return rate >= 0 && rate <= 1; }),
                "the success of an operation is no share");
  state.covered = in.get_all<std::uint32_t>();
  state.replaced = in.get<std::uint32_t>();
  state.stagnant = in.get_flag();
  in.expect_end();
  return state;
}

}  // namespace atl
