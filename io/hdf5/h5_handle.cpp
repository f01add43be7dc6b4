#include "io/hdf5/h5_handle.hpp"

#include <cstdlib>
#include <string_view>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

struct Cause {
  std::string description;
  int error_number = 0;
};

// Called for the innermost entry first. HDF5 hands errno on only inside its text.
herr_t note_cause(unsigned, const H5E_error2_t* entry, void* data) {
  auto& cause = *static_cast<Cause*>(data);
  const std::string text = entry->desc == nullptr ? "" : entry->desc;
  if (cause.description.empty()) cause.description = text;
  const std::string_view key = "errno = ";
  const auto at = text.find(key);
  if (cause.error_number == 0 && at != std::string::npos) {
    cause.error_number = std::atoi(text.c_str() + at + key.size());
  }
  return 0;
}

}  // namespace

Hdf5Lock::Hdf5Lock() : lock_(library_mutex()) {
  // A file that could not be written cannot be closed either; at exit HDF5 would write it once more
  // and crash.
  static const bool quiet =
      H5dont_atexit() >= 0 && H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(quiet);
}

void throw_hdf5_error(const std::string& what) {
  Cause cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_cause, &cause);
  if (!cause.description.empty()) cause.description = ": " + printable(cause.description, 300);
  throw Hdf5Error("HDF5: " + what + cause.description, cause.error_number);
}

Hdf5Id file_access() {
  Hdf5Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access");
  // Superblock and objects carry checksums from this version on.
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "file version");
  return access;
}

}  // namespace atl::io
