#pragma once

#include "src/core/communicator.hpp"

namespace atl::test {

/// The ranks that run this test program; one process if it was started without a launcher.
Communicator& world();

}  // namespace atl::test
