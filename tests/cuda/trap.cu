namespace atl::test {

namespace {

__global__ void trap() {
  __trap();
}

}  // namespace

/// Launches a kernel that traps, after which the process gets nothing more from the device.
void launch_trap() {
  trap<<<1, 1>>>();
}

}  // namespace atl::test
