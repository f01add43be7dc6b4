// Bytes as a run's configuration; what can be read must be written and read again to the same text.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "islands/algorithms.hpp"
#include "src/config/experiment.hpp"
#include "src/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const atl::AlgorithmTable algorithms = atl::algorithms();
  try {
    const std::string written = to_toml(atl::parse_run_configuration(text, "fuzz", algorithms));
    if (to_toml(atl::parse_run_configuration(written, "written", algorithms)) != written)
      std::abort();
  } catch (const atl::BadData& error) {
    if (error.file == "written") std::abort();
  }
  return 0;
}
