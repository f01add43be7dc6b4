// Locks of whole files that end with the descriptor, and so with the process, however it ends.
#pragma once

#include <string>

namespace atl::io {

/// Tries to take the file for this process alone. Does not wait.
/// @return 0 if it has it, else the system's error number
int try_to_lock(int file) noexcept;

/// Does the error mean that another process has the file?
bool is_held_by_another(int error_number) noexcept;

/// Does no other host see the file, so that a lock on it holds against everybody?
bool is_of_this_host_alone(int file) noexcept;

/// Names the kernel that runs, and so all processes whose locks it ends; empty if it does not say.
std::string boot_id();

}  // namespace atl::io
