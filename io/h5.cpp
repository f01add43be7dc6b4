#include "io/h5.hpp"

#include <cassert>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include <hdf5.h>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

static_assert(std::is_same_v<hid_t, std::int64_t>);

/// Held around every HDF5 call.
class Library {
 public:
  Library() : lock_(mutex()) {
    static const bool quiet = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
    static_cast<void>(quiet);
  }

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  std::lock_guard<std::mutex> lock_;
};

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

[[noreturn]] void fail(const std::string& what) {
  Cause cause;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, note_cause, &cause);
  throw Hdf5Error(
      what + (cause.description.empty() ? "" : ": " + printable(cause.description, 300)),
      cause.error_number);
}

template <typename Result>
Result check(Result result, const std::string& what) {
  if (result < 0) fail(what);
  return result;
}

/// Owns an identifier. Used under Library only.
class Id {
 public:
  using Close = herr_t (*)(hid_t);
  Id(hid_t id, Close close, const std::string& what) : id_(check(id, what)), close_(close) {}
  ~Id() {
    if (id_ >= 0) close_(id_);
  }
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Id& operator=(Id&&) = delete;
  operator hid_t() const noexcept { return id_; }
  hid_t release() noexcept { return std::exchange(id_, -1); }

 private:
  hid_t id_;
  Close close_;
};

template <typename T>
hid_t native();
template <>
hid_t native<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}
template <>
hid_t native<std::uint32_t>() {
  return H5T_NATIVE_UINT32;
}
template <>
hid_t native<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}
template <>
hid_t native<double>() {
  return H5T_NATIVE_DOUBLE;
}

Id file_access() {
  Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "file access");
  // Superblock and objects carry checksums from this version on.
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18), "file version");
#if H5_VERSION_GE(1, 10, 7)
  // Some file systems cannot lock.
  check(H5Pset_file_locking(access, true, true), "file locking");
#endif
  return access;
}

Id dataset_creation() {
  Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "dataset creation");
  check(H5Pset_layout(creation, H5D_CONTIGUOUS), "layout");
  check(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), "allocation time");
  check(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), "fill time");
  check(H5Pset_obj_track_times(creation, false), "time stamps");  // equal calls, equal bytes
  return creation;
}

Id open_dataset(hid_t file, const std::string& name) {
  return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "/" + name};
}

void select(hid_t space, const Hdf5Index& start, const Hdf5Index& size) {
  const hsize_t first[] = {start[0], start[1], start[2]};
  const hsize_t count[] = {size[0], size[1], size[2]};
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, count, nullptr), "selection");
}

Id line_space(std::uint64_t length) {
  const hsize_t extent[] = {length};
  return {H5Screate_simple(1, extent, nullptr), H5Sclose, "dataspace"};
}

}  // namespace

struct Hdf5File::State {
  hid_t file;
  bool file_descriptor = false;  // HDF5 writes through a descriptor that can be diverted
  bool collective = false;

  // A close that fails leaves HDF5 with an identifier that it stumbles over at exit. So what cannot
  // be written goes to memory instead of to the file, and the close succeeds.
  void divert() const noexcept {
    void* handle = nullptr;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0) return;
    const int memory = memfd_create("discarded", MFD_CLOEXEC);
    if (memory < 0) return;
    dup2(memory, *static_cast<int*>(handle));
    ::close(memory);
  }
};

Hdf5File::Hdf5File(std::unique_ptr<State> state) : state_(std::move(state)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;

Hdf5File Hdf5File::create(const std::string& path) {
  const Library library;
  Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file creation");
  check(H5Pset_obj_track_times(creation, false), "time stamps");
  Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, file_access()), H5Fclose, "create");
  return Hdf5File(std::make_unique<State>(State{file.release(), true}));
}

Hdf5File Hdf5File::create_in_memory() {
  const Library library;
  const Id access = file_access();
  check(H5Pset_fapl_core(access, std::size_t{1} << 20, false), "memory driver");
  Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "file creation");
  check(H5Pset_obj_track_times(creation, false), "time stamps");
  Id file(H5Fcreate("memory", H5F_ACC_TRUNC, creation, access), H5Fclose, "create");
  return Hdf5File(std::make_unique<State>(State{file.release()}));
}

Hdf5File Hdf5File::open(const std::string& path) {
  const Library library;
  Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, file_access()), H5Fclose, "open");
  return Hdf5File(std::make_unique<State>(State{file.release()}));
}

Hdf5File Hdf5File::open_image(std::span<const std::byte> image) {
  const Library library;
  const Id access = file_access();
  check(H5Pset_fapl_core(access, std::size_t{1} << 20, false), "memory driver");
  // HDF5 copies the bytes.
  check(H5Pset_file_image(access, const_cast<std::byte*>(image.data()), image.size()), "image");
  Id file(H5Fopen("memory", H5F_ACC_RDONLY, access), H5Fclose, "open");
  return Hdf5File(std::make_unique<State>(State{file.release()}));
}

Hdf5File Hdf5File::open_collective(const std::string& path, const Communicator& communicator) {
#ifdef H5_HAVE_PARALLEL
  if (const void* handle = communicator.native_handle(); handle != nullptr) {
    const Library library;
    const Id access = file_access();
    check(H5Pset_fapl_mpio(access, *static_cast<const MPI_Comm*>(handle), MPI_INFO_NULL),
          "MPI driver");
    // One rank reads the metadata and tells the others.
    check(H5Pset_all_coll_metadata_ops(access, true), "collective metadata");
    Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "open");
    return Hdf5File(std::make_unique<State>(State{file.release(), false, true}));
  }
#endif
  static_cast<void>(communicator);
  return open(path);
}

Hdf5File::~Hdf5File() {
  if (state_ == nullptr) return;
  const Library library;
  if (state_->file_descriptor) state_->divert();
  H5Fclose(state_->file);
}

void Hdf5File::close() {
  const Library library;
  check(H5Fflush(state_->file, H5F_SCOPE_LOCAL), "flush");
  const auto state = std::exchange(state_, nullptr);
  check(H5Fclose(state->file), "close");
}

Bytes Hdf5File::image() {
  const Library library;
  check(H5Fflush(state_->file, H5F_SCOPE_LOCAL), "flush");
  const auto size = check(H5Fget_file_image(state_->file, nullptr, 0), "image size");
  Bytes bytes(static_cast<std::size_t>(size));
  check(H5Fget_file_image(state_->file, bytes.data(), bytes.size()), "image");
  return bytes;
}

void Hdf5File::put(const std::string& name, std::uint64_t value) {
  const Library library;
  const Id space(H5Screate(H5S_SCALAR), H5Sclose, "dataspace");
  const Id attribute(
      H5Acreate2(state_->file, name.c_str(), H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, name);
  check(H5Awrite(attribute, H5T_NATIVE_UINT64, &value), name);
}

void Hdf5File::put(const std::string& name, std::string_view text) {
  const Library library;
  const Id space(H5Screate(H5S_SCALAR), H5Sclose, "dataspace");
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, text.size()), name);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), name);
  check(H5Tset_cset(type, H5T_CSET_UTF8), name);
  const Id attribute(H5Acreate2(state_->file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                     H5Aclose, name);
  check(H5Awrite(attribute, type, text.data()), name);
}

bool Hdf5File::has(const std::string& name) const {
  const Library library;
  return check(H5Aexists(state_->file, name.c_str()), name) > 0;
}

std::uint64_t Hdf5File::number(const std::string& name) const {
  const Library library;
  const Id attribute(H5Aopen(state_->file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Id space(H5Aget_space(attribute), H5Sclose, name);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Hdf5Error(name + ": not one number", 0);
  std::uint64_t value = 0;
  check(H5Aread(attribute, H5T_NATIVE_UINT64, &value), name);
  return value;
}

std::string Hdf5File::text(const std::string& name) const {
  const Library library;
  const Id attribute(H5Aopen(state_->file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Id type(H5Aget_type(attribute), H5Tclose, name);
  const Id space(H5Aget_space(attribute), H5Sclose, name);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
      H5Sget_simple_extent_npoints(space) != 1) {
    throw Hdf5Error(name + ": not a text of fixed length", 0);
  }
  std::string value(H5Tget_size(type), '\0');
  check(H5Aread(attribute, type, value.data()), name);
  return value;
}

void Hdf5File::create_group(const std::string& name) {
  const Library library;
  const Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "group creation");
  check(H5Pset_obj_track_times(creation, false), "time stamps");
  const Id group(H5Gcreate2(state_->file, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT),
                 H5Gclose, "/" + name);
}

template <typename T>
void Hdf5File::write(const std::string& name, std::span<const T> values) {
  const Library library;
  const Id space = line_space(values.size());
  const Id dataset(H5Dcreate2(state_->file, name.c_str(), native<T>(), space, H5P_DEFAULT,
                              dataset_creation(), H5P_DEFAULT),
                   H5Dclose, "/" + name);
  if (values.empty()) return;
  check(H5Dwrite(dataset, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "/" + name);
}

template <typename T>
std::vector<T> Hdf5File::read(const std::string& name) const {
  const Library library;
  const Id dataset = open_dataset(state_->file, name);
  const Id space(H5Dget_space(dataset), H5Sclose, "/" + name);
  hsize_t file_bytes = 0;
  check(H5Fget_filesize(state_->file, &file_bytes), "file size");
  const auto count = static_cast<hsize_t>(check(H5Sget_simple_extent_npoints(space), "/" + name));
  if (H5Sget_simple_extent_ndims(space) != 1 || count > file_bytes / sizeof(T)) {
    throw Hdf5Error("/" + name + ": not a list that fits the file", 0);
  }
  std::vector<T> values(count);
  if (values.empty()) return values;
  check(H5Dread(dataset, native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "/" + name);
  return values;
}

template void Hdf5File::write(const std::string&, std::span<const std::uint8_t>);
template void Hdf5File::write(const std::string&, std::span<const std::uint32_t>);
template void Hdf5File::write(const std::string&, std::span<const std::uint64_t>);
template void Hdf5File::write(const std::string&, std::span<const double>);
template std::vector<std::uint8_t> Hdf5File::read(const std::string&) const;
template std::vector<std::uint32_t> Hdf5File::read(const std::string&) const;
template std::vector<std::uint64_t> Hdf5File::read(const std::string&) const;
template std::vector<double> Hdf5File::read(const std::string&) const;

void Hdf5File::create_blocks(const std::string& name, const Hdf5Index& extent) {
  const Library library;
  const hsize_t size[] = {extent[0], extent[1], extent[2]};
  const Id space(H5Screate_simple(3, size, nullptr), H5Sclose, "dataspace");
  const Id dataset(H5Dcreate2(state_->file, name.c_str(), H5T_STD_U64LE, space, H5P_DEFAULT,
                              dataset_creation(), H5P_DEFAULT),
                   H5Dclose, "/" + name);
}

Hdf5Index Hdf5File::extent(const std::string& name) const {
  const Library library;
  const Id dataset = open_dataset(state_->file, name);
  const Id space(H5Dget_space(dataset), H5Sclose, "/" + name);
  if (H5Sget_simple_extent_ndims(space) != 3) {
    throw Hdf5Error("/" + name + ": not three-dimensional", 0);
  }
  hsize_t size[3];
  check(H5Sget_simple_extent_dims(space, size, nullptr), "/" + name);
  return {size[0], size[1], size[2]};
}

void Hdf5File::write_block(const std::string& name, const Hdf5Index& start, const Hdf5Index& size,
                           std::span<const std::uint64_t> values) {
  assert(values.size() == size[0] * size[1] * size[2]);
  const Library library;
  const Id dataset = open_dataset(state_->file, name);
  const Id space(H5Dget_space(dataset), H5Sclose, "/" + name);
  select(space, start, size);
  check(H5Dwrite(dataset, H5T_NATIVE_UINT64, line_space(values.size()), space, H5P_DEFAULT,
                 values.data()),
        "/" + name);
}

void Hdf5File::read_block(const std::string& name, const Hdf5Index& start, const Hdf5Index& size,
                          std::span<std::uint64_t> values) const {
  assert(values.size() == size[0] * size[1] * size[2]);
  const Library library;
  const Id dataset = open_dataset(state_->file, name);
  const Id space(H5Dget_space(dataset), H5Sclose, "/" + name);
  select(space, start, size);
  const Id transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "transfer");
#ifdef H5_HAVE_PARALLEL
  if (state_->collective) check(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE), "transfer");
#endif
  check(H5Dread(dataset, H5T_NATIVE_UINT64, line_space(values.size()), space, transfer,
                values.data()),
        "/" + name);
}

}  // namespace atl::io
