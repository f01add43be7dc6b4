#pragma once

#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

#include "src/core/error.hpp"

namespace atl::test {

inline bool device_required() {
  const char* const required = std::getenv("ATOLL_REQUIRE_GPU");
  return required != nullptr && std::string_view(required) == "1";
}

/// What make() gives; nothing, and the test skipped, where there is no device and none is required.
template <typename Make>
auto on_device(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const BackendUnavailable& error) {
    if (device_required()) throw;
    [&] { GTEST_SKIP() << error.what(); }();
    return {};
  }
}

}  // namespace atl::test
