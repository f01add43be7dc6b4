// Shares the tiles of rows and the groups of lists among blocks.
#pragma once

#include <cstdint>

#include "cuda/rule_sets/list_kernel.hpp"
#include "cuda/rule_sets/list_layout.hpp"

namespace atl::cuda {

inline constexpr std::uint32_t list_warp = 32;
inline constexpr std::uint32_t all_lanes = ~std::uint32_t{0};

__device__ __forceinline__ uint4 spread_words(std::uint32_t value) {
  return make_uint4(value, value, value, value);
}
__device__ __forceinline__ uint4 both_words(const uint4& a, const uint4& b) {
  return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w);
}
__device__ __forceinline__ uint4 without_words(const uint4& a, const uint4& b) {
  return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w);
}
/// a & (b ^ c)
__device__ __forceinline__ uint4 and_xor_words(const uint4& a, const uint4& b, std::uint32_t c) {
  return make_uint4(a.x & (b.x ^ c), a.y & (b.y ^ c), a.z & (b.z ^ c), a.w & (b.w ^ c));
}
/// a | b where the mask is all ones, a & b where it is zero.
__device__ __forceinline__ uint4 combine_words(const uint4& a, const uint4& b, std::uint32_t mask) {
  const auto majority = [mask](std::uint32_t x, std::uint32_t y) {
    return (x & y) | (mask & (x | y));
  };
  return make_uint4(majority(a.x, b.x), majority(a.y, b.y), majority(a.z, b.z), majority(a.w, b.w));
}

/// Ones of a thread's words. Three words first become sums and carries, as ones are counted at a
/// quarter of the rate of logic.
__device__ __forceinline__ std::uint32_t count_words(const uint4& a) {
  const std::uint32_t sums = a.x ^ a.y ^ a.z;
  const std::uint32_t carries = (a.x & a.y) | (a.z & (a.x | a.y));
  return static_cast<std::uint32_t>(__popc(sums) + 2 * __popc(carries) + __popc(a.w));
}

/// Bits of the first `rows` rows of a tile.
__device__ __forceinline__ uint4 first_rows(std::uint32_t rows) {
  const int left = static_cast<int>(rows) - static_cast<int>(threadIdx.x % list_warp * 128);
  const auto word = [left](int w) {
    const int of_word = left - 32 * w;
    return of_word >= 32 ? ~0U : of_word <= 0 ? 0U : (1U << of_word) - 1;
  };
  return make_uint4(word(0), word(1), word(2), word(3));
}

/// The slots of a block, at the thread's words.
template <bool in_shared>
class Slots {
 public:
  /// @param base  of the block's, in shared memory if in_shared
  __device__ __forceinline__ explicit Slots(uint4* base)
      : base_(reinterpret_cast<char*>(base + threadIdx.x % list_warp)) {}
  /// @param place  of the slot, in bytes
  __device__ __forceinline__ uint4 load(std::uint32_t place) const {
    if constexpr (in_shared) __builtin_assume(__isShared(base_));
    return *reinterpret_cast<const uint4*>(base_ + place);
  }
  __device__ __forceinline__ void store(std::uint32_t place, const uint4& words) const {
    if constexpr (in_shared) __builtin_assume(__isShared(base_));
    *reinterpret_cast<uint4*>(base_ + place) = words;
  }

 private:
  char* base_;
};

/// code > bound, from the low planes up: where the bound has a one the code must have a one and be
/// greater below, else have a one or be greater below.
__device__ inline uint4 greater_words(std::uint32_t bound, const uint4* planes,
                                      std::uint32_t count) {
  uint4 value = spread_words(0);
#pragma unroll 4
  for (std::uint32_t bit = 0; bit < count; ++bit) {
    const std::uint32_t mask = (bound >> bit & 1) - 1;
    value = combine_words(value, planes[bit * slot_units], mask);
  }
  return value;
}

__device__ inline uint4 equal_words(std::uint32_t code, const uint4* planes, std::uint32_t count) {
  uint4 value = spread_words(~0U);
#pragma unroll 4
  for (std::uint32_t bit = 0; bit < count; ++bit) {
    const std::uint32_t mask = (code >> bit & 1) - 1;
    value = and_xor_words(value, planes[bit * slot_units], mask);
  }
  return value;
}

/// @param tile  its planes, at the thread's words
__device__ inline uint4 operand_words(const uint4& operand, const uint4* tile) {
  const uint4* const planes = tile + std::size_t{operand.x} * slot_units;
  const std::uint32_t count = operand.y & operand_planes_mask;
  uint4 value = spread_words(0);
  switch (operand.y >> operand_kind_shift & operand_kind_mask) {
    case operand_equal:
      value = equal_words(operand.z, planes, count);
      break;
    case operand_greater:
      value = greater_words(operand.z, planes, count);
      break;
    case operand_interval:
      value = without_words(greater_words(operand.z, planes, count),
                            greater_words(operand.w, planes, count));
      break;
    default:
      break;
  }
  const auto spread_bit = [&](std::uint32_t bit) { return (operand.y & bit) != 0 ? ~0U : 0U; };
  const uint4 present =
      (operand.y & operand_present) != 0 ? planes[count * slot_units] : spread_words(~0U);
  value = and_xor_words(present, value, spread_bit(operand_inverted));
  return and_xor_words(spread_words(~0U), value, spread_bit(operand_complement));
}

template <typename Slots>
__device__ inline uint4 expression_words(const std::uint32_t* tokens, std::uint32_t count,
                                         const Slots& slots) {
  uint4 stack[most_token_levels];
  std::uint32_t levels = 0;
  uint4 top = spread_words(~0U);
  for (; count != 0; --count, ++tokens) {
    const std::uint32_t step = *tokens & token_step_mask;
    const std::uint32_t place = *tokens & ~token_step_mask;
    if (step <= token_disjunction) {
      top = combine_words(top, slots.load(place), 0U - step);
    } else if (step == token_push) {
      stack[levels++] = top;
      top = slots.load(place);
    } else {
      top = combine_words(top, stack[--levels], step == token_pop_disjunction ? ~0U : 0U);
    }
  }
  return top;
}

/// An antecedent of the stream, of which the first unit is loaded.
struct Antecedent {
  const uint4* unit;
  uint4 head;

  __device__ __forceinline__ std::uint32_t code() const {
    return head.x & ((1U << antecedent_code_bits) - 1);
  }
  __device__ __forceinline__ std::uint32_t number() const { return head.x >> antecedent_code_bits; }
  /// The unit where the next one begins.
  __device__ __forceinline__ const uint4* next() const {
    return unit + (code() == antecedent_slot ? 1 : number() / unit_words + 1);
  }

  /// @param rows  that count
  template <typename Slots>
  __device__ __forceinline__ uint4 words(const Slots& slots, const uint4& rows) const {
    if (code() == antecedent_slot) return slots.load(number());
    const std::uint32_t tokens = number();
    if (code() == antecedent_expression) {
      return both_words(
          rows, expression_words(reinterpret_cast<const std::uint32_t*>(unit) + 1, tokens, slots));
    }
    uint4 words = rows;
    if (tokens > 0) words = both_words(words, slots.load(head.y));
    if (tokens > 1) words = both_words(words, slots.load(head.z));
    if (tokens > 2) words = both_words(words, slots.load(head.w));
    for (std::uint32_t t = 3; t < tokens; t += unit_words) {
      const uint4 more = unit[(t + 1) / unit_words];
      words = both_words(words, slots.load(more.x));
      if (t + 1 < tokens) words = both_words(words, slots.load(more.y));
      if (t + 2 < tokens) words = both_words(words, slots.load(more.z));
      if (t + 3 < tokens) words = both_words(words, slots.load(more.w));
    }
    return words;
  }
};

struct ListTasks {
  ListRows rows;
  ListsOnDevice lists;
  uint4* scratch;  ///< of all blocks' slots; null if they are in shared memory
};

/// A tile and a group, whose operands and shared antecedents are in the slots.
template <typename Slots>
struct ListTask {
  std::uint32_t tile;
  std::uint32_t label;
  uint4 rows;  ///< that count, of the thread's words
  const ListGroupWords& group;
  const Slots& slots;
};

/// The block's warps share the group's operands. Then they share its shared antecedents, each with
/// found(number, words).
template <typename Slots, typename Found>
__device__ __forceinline__ void fill_slots(const ListTasks& tasks, const ListTask<Slots>& task,
                                           const Found& found) {
  const std::uint32_t warp = threadIdx.x / list_warp;
  const std::uint32_t warps = blockDim.x / list_warp;
  const ListGroupWords& group = task.group;
  const uint4* const tile = tasks.rows.planes +
                            std::size_t{task.tile} * tasks.rows.tile_planes * slot_units +
                            threadIdx.x % list_warp;
  for (std::uint32_t o = warp; o < group.operands; o += warps) {
    const uint4 operand = tasks.lists.operands[group.first_operand + o];
    task.slots.store(o * slot_bytes, operand_words(operand, tile));
  }
  __syncthreads();
  if (group.shared == 0) return;
  const uint4* unit = tasks.lists.stream + group.unit;
  for (std::uint32_t s = 0; s < group.shared; ++s) {
    const Antecedent antecedent{unit, *unit};
    unit = antecedent.next();
    if (s % warps != warp) continue;
    const uint4 words = antecedent.words(task.slots, task.rows);
    task.slots.store((group.operands + s) * slot_bytes, words);
    found(group.first_shared + s, words);
  }
  __syncthreads();
}

/// Calls fill(task) by all threads of the block, and then list(task, number) by a warp for each
/// list of the group, whichever is free. Blocks have consecutive tasks, those of a group one after
/// the other, so that its lists stay in the cache.
template <bool in_shared, typename Fill, typename List>
__device__ __forceinline__ void for_each_list(const ListTasks& tasks, const Fill& fill,
                                              const List& list) {
  extern __shared__ uint4 shared[];
  __shared__ std::uint32_t next;
  const Slots<in_shared> slots(in_shared ? shared
                                         : tasks.scratch + std::size_t{blockIdx.x} *
                                                               tasks.lists.slots * slot_units);
  const std::uint64_t count = std::uint64_t{tasks.rows.count} * tasks.lists.group_count;
  const std::uint64_t end = count * (blockIdx.x + 1) / gridDim.x;
  for (std::uint64_t t = count * blockIdx.x / gridDim.x; t < end; ++t) {
    const auto tile = static_cast<std::uint32_t>(t % tasks.rows.count);
    const ListTile about = tasks.rows.tiles[tile];
    const ListTask<Slots<in_shared>> task{tile, about.label, first_rows(about.rows),
                                          tasks.lists.groups[t / tasks.rows.count], slots};
    if (threadIdx.x == 0) next = blockDim.x / list_warp;
    fill(task);
    const std::uint32_t lists = task.group.lists;
    for (std::uint32_t number = threadIdx.x / list_warp; number < lists;) {
      list(task, task.group.first_list + number);
      if (threadIdx.x % list_warp == 0) number = atomicAdd(&next, 1);
      number = __shfl_sync(all_lanes, number, 0);
    }
    __syncthreads();
  }
}

}  // namespace atl::cuda
