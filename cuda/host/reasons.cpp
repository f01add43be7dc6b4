#include "cuda/host/reasons.hpp"

#include <array>
#include <charconv>

#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

/// "512 bytes", "79.6 GiB".
std::string size_text(std::uint64_t bytes) {
  constexpr std::array units = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return std::to_string(bytes) + " bytes";
  auto value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
  return std::string(text.data(), end.ptr) + " " + units[unit];
}

}  // namespace

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string driver_reason(int driver, int runtime) {
  if (driver == 0) return "there is no NVIDIA driver here";
  return "the NVIDIA driver is too old, it has CUDA " + version_text(driver) +
         ", this atoll needs " + version_text(runtime) + "; install a newer one";
}

std::string no_device_reason(const char* visible) {
  if (visible == nullptr) return "the driver finds no GPU";
  return "CUDA_VISIBLE_DEVICES is '" + printable(visible) + "', which leaves no GPU";
}

std::string code_reason(const std::string& device, const std::string& capability) {
  std::string architecture = capability;
  architecture.erase(architecture.find('.'), 1);
  return "this atoll has no code for " + device + ", of compute capability " + capability +
         "; build it with -DCMAKE_CUDA_ARCHITECTURES=" + architecture;
}

std::string memory_reason(std::uint64_t needed, std::uint64_t free, std::uint64_t total) {
  return "out of device memory: " + size_text(needed) + " more needed, " + size_text(free) +
         " of " + size_text(total) + " free; give it less with --device-memory SIZE";
}

std::string nccl_version_reason(int version) {
  if (version == 0) return "the library that was found is not NCCL";
  // Up to 2.8 the number had a digit less.
  const int unit = version < 10'000 ? 1000 : 10'000;
  return "NCCL 2.14 is needed, found " + std::to_string(version / unit) + "." +
         std::to_string(version % unit / 100);
}

std::string nccl_missing_reason(const std::string& loader) {
  return "NCCL is not installed here, or not in LD_LIBRARY_PATH: " + loader;
}

}  // namespace atl::cuda
