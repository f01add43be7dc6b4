#include "src/core/files/file_lock.hpp"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <fstream>
#include <linux/magic.h>
#include <sys/vfs.h>

namespace atl::io {

// Unlike F_SETLK's, this lock ends with the descriptor, not with any descriptor of the file.
int try_to_lock(int file) noexcept {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return ::fcntl(file, F_OFD_SETLK, &whole) == 0 ? 0 : errno;
}

bool is_held_by_another(int error_number) noexcept {
  return error_number == EACCES || error_number == EAGAIN;
}

bool is_of_this_host_alone(int file) noexcept {
  struct statfs status {};
  if (::fstatfs(file, &status) != 0) return false;
  const auto kind = static_cast<std::uint64_t>(status.f_type);
  return kind == EXT4_SUPER_MAGIC || kind == XFS_SUPER_MAGIC || kind == BTRFS_SUPER_MAGIC ||
         kind == TMPFS_MAGIC;
}

std::string boot_id() {
  std::ifstream in("/proc/sys/kernel/random/boot_id");
  std::string line;
  std::getline(in, line);
  return line;
}

}  // namespace atl::io
