// Runs code for blocks of a device on the host: a Value has the numbers of a warp's lanes, and the
// warps of a block take turns.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "cuda/host/prefix_format.hpp"

namespace atl::cuda {

struct LaneValues {
  std::array<std::uint32_t, warp_lanes> at{};

  LaneValues() = default;
  LaneValues(std::uint32_t value) { at.fill(value); }  // NOLINT(google-explicit-constructor)

  template <typename Function>
  static LaneValues each(Function function) {
    LaneValues values;
    for (std::uint32_t l = 0; l < warp_lanes; ++l) {
      values.at[l] = static_cast<std::uint32_t>(function(l));
    }
    return values;
  }
  friend LaneValues operator~(LaneValues a) {
    return each([&](auto l) { return ~a.at[l]; });
  }
#define ATOLL_LANES_OPERATOR(op)                              \
  friend LaneValues operator op(LaneValues a, LaneValues b) { \
    return each([&](auto l) { return a.at[l] op b.at[l]; });  \
  }
  ATOLL_LANES_OPERATOR(+)
  ATOLL_LANES_OPERATOR(-)
  ATOLL_LANES_OPERATOR(&)
  ATOLL_LANES_OPERATOR(|)
  ATOLL_LANES_OPERATOR(^)
  ATOLL_LANES_OPERATOR(<<)
  ATOLL_LANES_OPERATOR(>>)
  ATOLL_LANES_OPERATOR(<)
  ATOLL_LANES_OPERATOR(>)
  ATOLL_LANES_OPERATOR(>=)
  ATOLL_LANES_OPERATOR(==)
  ATOLL_LANES_OPERATOR(!=)
#undef ATOLL_LANES_OPERATOR
};

struct HostBlock {
  using Value = LaneValues;

  static Value lane() {
    return Value::each([](auto l) { return l; });
  }
  static Value constant(std::uint32_t value) { return value; }
  static Value all() { return 1; }
  static Value select(Value condition, Value yes, Value no) {
    return Value::each([&](auto l) { return condition.at[l] != 0 ? yes.at[l] : no.at[l]; });
  }
  static Value ones(Value bits) {
    return Value::each([&](auto l) { return std::popcount(bits.at[l]); });
  }
  static std::uint32_t ones_of(std::uint32_t bits) {
    return static_cast<std::uint32_t>(std::popcount(bits));
  }
  static Value rotated_left(Value bits, Value by) {
    return Value::each([&](auto l) { return std::rotl(bits.at[l], static_cast<int>(by.at[l])); });
  }

  static std::uint32_t ballot(Value condition) {
    std::uint32_t bits = 0;
    for (std::uint32_t l = 0; l < warp_lanes; ++l) bits |= (condition.at[l] != 0 ? 1U : 0U) << l;
    return bits;
  }
  static std::uint32_t sum(Value value) {
    std::uint32_t sum = 0;
    for (const std::uint32_t v : value.at) sum += v;
    return sum;
  }
  static Value shuffle(Value value, Value from) {
    return Value::each([&](auto l) { return value.at[from.at[l] % warp_lanes]; });
  }
  static Value shuffle_xor(Value value, std::uint32_t by) {
    return Value::each([&](auto l) { return value.at[l ^ by]; });
  }
  static std::uint32_t take(std::uint32_t* counter, std::uint32_t count) {
    return take_many(counter, count);
  }

  static Value load(const std::uint32_t* from, Value at, Value active) {
    return Value::each([&](auto l) { return active.at[l] != 0 ? from[at.at[l]] : 0; });
  }
  static void store(std::uint32_t* to, Value at, Value value, Value active) {
    for (std::uint32_t l = 0; l < warp_lanes; ++l) {
      if (active.at[l] != 0) to[at.at[l]] = value.at[l];
    }
  }
  template <typename Number>
  static void add(Number* to, Value at, Value value, Value active) {
    for (std::uint32_t l = 0; l < warp_lanes; ++l) {
      if (active.at[l] != 0) to[at.at[l]] += value.at[l];
    }
  }
  static void add_long(unsigned long long* to, Value at, Value value, Value active) {
    add(to, at, value, active);
  }

  static std::uint32_t take_many(std::uint32_t* counter, std::uint32_t count) {
    const std::uint32_t first = *counter;
    *counter += count;
    return first;
  }
  static void add_work(PrefixWork& to, const PrefixWork& work) {
    to.nodes += work.nodes;
    to.entries += work.entries;
    to.words += work.words;
  }

  static void sync() {}
  template <class Action>
  static void leader(Action action) {
    action();
  }
  template <class Action>
  static void each_warp(Action action) {
    for (std::uint32_t warp = 0; warp < block_warps; ++warp) action(warp);
  }
};

}  // namespace atl::cuda
