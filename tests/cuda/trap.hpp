#pragma once

namespace atl::test {

/// Launches a kernel that traps, after which the process gets nothing more from the device.
void launch_trap();

}  // namespace atl::test
