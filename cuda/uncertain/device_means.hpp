// What the search for probabilistic itemsets counts and computes with on a GPU.
#pragma once

#include "cuda/device/device.hpp"
#include "cuda/itemsets/apriori_counter.hpp"
#include "cuda/uncertain/device_support_meter.hpp"
#include "src/exhaustive/uncertain/uncertain_search.hpp"

namespace atl::cuda {

/// @throws as make_apriori_counter() and make_device_support_meter(), when means are made
inline MakeUncertainMeans means_of_device(const DeviceOptions& options) {
  return [options](const UncertainColumns& columns) -> UncertainMeans {
    return {make_apriori_counter(columns.bitmaps, options),
            make_device_support_meter(columns, options)};
  };
}

}  // namespace atl::cuda
