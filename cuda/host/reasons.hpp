// Messages on why a device cannot be used and what to do about it, as parts of one line.
#pragma once

#include <cstdint>
#include <string>

namespace atl::cuda {

inline constexpr const char* not_built =
    "this atoll was built without CUDA; build it by preset cuda";

/// CUDA's version number, 13020, as "13.2".
std::string version_text(int version);

/// @param driver  the latest CUDA version that the driver has, 0: there is no driver
/// @param runtime  this program's
std::string driver_reason(int driver, int runtime);

/// @param visible  CUDA_VISIBLE_DEVICES, null: not set
std::string no_device_reason(const char* visible);

/// @param capability  of the device, "9.0"
std::string code_reason(const std::string& device, const std::string& capability);

/// @param needed  bytes that were asked for
/// @param free, total  bytes of the device
std::string memory_reason(std::uint64_t needed, std::uint64_t free, std::uint64_t total);

/// NCCL's version number, as its header has it: from 2.14 on it connects without blocking.
inline constexpr int nccl_version_needed = 21400;
/// @param version  of the library that was found, 0: it tells none
std::string nccl_version_reason(int version);
/// @param loader  what it says of the library that it did not load
std::string nccl_missing_reason(const std::string& loader);

}  // namespace atl::cuda
