#include "cuda/count/fitness.hpp"

#include <cassert>

#include "cuda/count/fitness_kernel.hpp"
#include "cuda/device/handles.hpp"

namespace atl::cuda {

std::vector<double> fitness(std::span<const Measure> measures,
                            std::span<const ContingencyTable> tables) {
  assert(measures.size() <= most_measures);
  const Stream stream;
  DeviceBuffer<ContingencyTable> device_tables;
  DeviceBuffer<double> device_values;
  std::vector<double> values(measures.size() * tables.size());
  if (values.empty()) return values;
  device_tables.reserve(tables.size());
  device_values.reserve(values.size());
  check(cudaMemcpyAsync(device_tables.data(), tables.data(), tables.size_bytes(),
                        cudaMemcpyHostToDevice, stream));
  launch_fitness(device_tables.data(), static_cast<std::uint32_t>(tables.size()), measures.data(),
                 static_cast<std::uint32_t>(measures.size()), device_values.data(), stream);
  check(cudaMemcpyAsync(values.data(), device_values.data(), values.size() * sizeof(double),
                        cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  return values;
}

}  // namespace atl::cuda
