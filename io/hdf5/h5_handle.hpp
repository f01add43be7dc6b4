// HDF5's identifiers, errors and lock, for h5_inspector.cpp and h5_writer.cpp alone: no other file
// includes <hdf5.h>.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include <hdf5.h>

#include "io/hdf5/h5_types.hpp"

namespace atl::io {

static_assert(std::is_same_v<hid_t, std::int64_t>);

/// A lock that is held around every HDF5 call, as HDF5 is not thread-safe. Turns its error printing
/// off.
class Hdf5Lock {
 public:
  Hdf5Lock();

 private:
  std::lock_guard<std::mutex> lock_;
};

/// Throws Hdf5Error with what HDF5 says of the call that has just failed.
[[noreturn]] void throw_hdf5_error(const std::string& what);

/// The result of an HDF5 call, all of which are negative on failure.
template <typename Result>
Result check(Result result, const std::string& what) {
  if (result < 0) throw_hdf5_error(what);
  return result;
}

/// Owns an identifier. Made and destroyed under Hdf5Lock.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id(hid_t id, Close close, const std::string& what) : id_(check(id, what)), close_(close) {}
  ~Hdf5Id() {
    if (id_ >= 0) close_(id_);
  }
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&&) = delete;
  operator hid_t() const noexcept { return id_; }
  hid_t release() noexcept { return std::exchange(id_, -1); }

 private:
  hid_t id_;
  Close close_;
};

/// Properties for opening and creating files.
Hdf5Id file_access();

template <typename T>
hid_t hdf5_type();
template <>
inline hid_t hdf5_type<std::uint8_t>() {
  return H5T_STD_U8LE;
}
template <>
inline hid_t hdf5_type<std::uint32_t>() {
  return H5T_STD_U32LE;
}
template <>
inline hid_t hdf5_type<std::uint64_t>() {
  return H5T_STD_U64LE;
}
template <>
inline hid_t hdf5_type<double>() {
  return H5T_IEEE_F64LE;
}

}  // namespace atl::io
