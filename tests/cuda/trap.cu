#include "tests/cuda/trap.hpp"

namespace atl::test {

namespace {

__global__ void trap() {
  __trap();
}

}  // namespace

void launch_trap() {
  trap<<<1, 1>>>();
}

}  // namespace atl::test
