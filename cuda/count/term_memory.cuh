// The memory in which a warp keeps the words of its terms: tile_bytes each, one behind the other.
#pragma once

#include <cstdint>

#include "cuda/count/tile.cuh"

namespace atl::cuda {

/// Terms in shared memory. They are reached by address, in PTX: the compiler makes the address of a
/// pointer anew, slowly, at each use.
class SharedTerms {
 public:
  /// @param begin  of the warp's terms
  __device__ explicit SharedTerms(const void* begin)
      : begin_(static_cast<std::uint32_t>(__cvta_generic_to_shared(begin)) +
               threadIdx.x % warp_size * 16) {
    asm volatile("" : "+r"(begin_));  // keep it
  }
  __device__ __forceinline__ void load(std::uint32_t term, ThreadWords& words) const {
    const std::uint32_t at = begin_ + term * tile_bytes;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(at));
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4+512];"
                 : "=r"(words[4]), "=r"(words[5]), "=r"(words[6]), "=r"(words[7])
                 : "r"(at));
  }
  __device__ __forceinline__ void store(std::uint32_t term, const ThreadWords& words) const {
    const std::uint32_t at = begin_ + term * tile_bytes;
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(words[0]), "r"(words[1]),
                 "r"(words[2]), "r"(words[3]));
    asm volatile("st.shared.v4.u32 [%0+512], {%1, %2, %3, %4};" ::"r"(at), "r"(words[4]),
                 "r"(words[5]), "r"(words[6]), "r"(words[7]));
  }

 private:
  std::uint32_t begin_;
};

/// Terms in device memory, for groups of more terms than shared memory has room for.
class ScratchTerms {
 public:
  __device__ explicit ScratchTerms(uint4* begin) : begin_(begin + threadIdx.x % warp_size) {}
  __device__ __forceinline__ void load(std::uint32_t term, ThreadWords& words) const {
    cuda::load(begin_ + term * tile_units, words);
  }
  __device__ __forceinline__ void store(std::uint32_t term, const ThreadWords& words) const {
    cuda::store(begin_ + term * tile_units, words);
  }

 private:
  uint4* begin_;
};

}  // namespace atl::cuda
