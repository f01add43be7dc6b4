#include "io/hdf5/h5_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "io/hdf5/h5_handle.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

/// A file that lives in memory; what was never written in it takes none.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("hdf5", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw Hdf5Error("no file in memory", errno);
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
  std::uint64_t size() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) throw Hdf5Error("file in memory", errno);
    return static_cast<std::uint64_t>(status.st_size);
  }
  void copy(std::uint64_t begin, std::uint64_t end, AtomicFile& to) const {
    std::vector<std::byte> buffer(std::min<std::uint64_t>(end - begin, std::uint64_t{1} << 20));
    while (begin < end) {
      const auto part =
          std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), end - begin));
      const ssize_t got = ::pread(descriptor_, part.data(), part.size(), static_cast<off_t>(begin));
      if (got <= 0) throw Hdf5Error("file in memory", errno);
      to.write(begin, part.first(static_cast<std::size_t>(got)));
      begin += static_cast<std::uint64_t>(got);
    }
  }

 private:
  int descriptor_;
};

Hdf5Id without_time_stamps(hid_t property_class) {
  Hdf5Id properties(H5Pcreate(property_class), H5Pclose, "properties");
  check(H5Pset_obj_track_times(properties, false), "time stamps");
  return properties;
}

Hdf5Id create_dataset(hid_t file, const std::string& name, hid_t type,
                      std::span<const std::uint64_t> extent) {
  const std::vector<hsize_t> size(extent.begin(), extent.end());
  const Hdf5Id space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
                     H5Sclose, "/" + name);
  const Hdf5Id properties = without_time_stamps(H5P_DATASET_CREATE);
  check(H5Pset_layout(properties, H5D_CONTIGUOUS), "layout");
  check(H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY), "allocation time");
  check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER), "fill time");
  return {H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
          H5Dclose, "/" + name};
}

hid_t create_file(const std::string& path) {
  const Hdf5Id creation = without_time_stamps(H5P_FILE_CREATE);
  const Hdf5Id access = file_access();
  // The default driver insists on a name in a folder, which a file in memory has not.
  check(H5Pset_fapl_stdio(access), "driver");
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
  if (file >= 0) return file;
  // HDF5 keeps to itself what the system said.
  const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw Hdf5Error("HDF5: create", errno);
  ::close(descriptor);
  throw_hdf5_error("create");
}

void put_attribute(hid_t file, const std::string& name, hid_t type, const void* value) {
  const Hdf5Id space(H5Screate(H5S_SCALAR), H5Sclose, name);
  const Hdf5Id attribute(H5Acreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose, name);
  check(H5Awrite(attribute, type, value), name);
}

}  // namespace

struct Hdf5Writer::State {
  State() : file(create_file(memory.path())) {}
  ~State() {
    if (file >= 0) H5Fclose(file);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::uint64_t leave(const std::string& name, hid_t type, std::span<const std::uint64_t> extent);

  MemoryFile memory;
  hid_t file;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> set_aside;  // begin, end
};

Hdf5Writer::Hdf5Writer() {
  const Hdf5Lock lock;
  state_ = std::make_unique<State>();
}

Hdf5Writer::~Hdf5Writer() {
  const Hdf5Lock lock;
  state_.reset();
}

void Hdf5Writer::put(const std::string& name, std::uint64_t value) {
  const Hdf5Lock lock;
  put_attribute(state_->file, name, H5T_STD_U64LE, &value);
}

void Hdf5Writer::put(const std::string& name, std::string_view text) {
  const Hdf5Lock lock;
  const Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, text.size()), name);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), name);
  check(H5Tset_cset(type, H5T_CSET_UTF8), name);
  put_attribute(state_->file, name, type, text.data());
}

void Hdf5Writer::create_group(const std::string& name) {
  const Hdf5Lock lock;
  const Hdf5Id properties = without_time_stamps(H5P_GROUP_CREATE);
  const Hdf5Id group(H5Gcreate2(state_->file, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT),
                     H5Gclose, "/" + name);
}

template <typename T>
void Hdf5Writer::write(const std::string& name, std::span<const T> values) {
  const Hdf5Lock lock;
  const std::uint64_t extent[] = {values.size()};
  const Hdf5Id dataset = create_dataset(state_->file, name, hdf5_type<T>(), extent);
  if (values.empty()) return;
  check(H5Dwrite(dataset, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
        "/" + name);
}

template void Hdf5Writer::write(const std::string&, std::span<const std::uint8_t>);
template void Hdf5Writer::write(const std::string&, std::span<const std::uint32_t>);
template void Hdf5Writer::write(const std::string&, std::span<const std::uint64_t>);
template void Hdf5Writer::write(const std::string&, std::span<const double>);

std::uint64_t Hdf5Writer::State::leave(const std::string& name, hid_t type,
                                       std::span<const std::uint64_t> extent) {
  const Hdf5Lock lock;
  const Hdf5Id dataset = create_dataset(file, name, type, extent);
  const haddr_t offset = H5Dget_offset(dataset);
  if (offset == HADDR_UNDEF) throw_hdf5_error("/" + name);
  set_aside.emplace_back(offset, offset + H5Dget_storage_size(dataset));
  return offset;
}

std::uint64_t Hdf5Writer::set_aside(const std::string& name, const Hdf5Index& extent) {
  return state_->leave(name, hdf5_type<std::uint64_t>(), extent);
}

std::uint64_t Hdf5Writer::set_aside_u32(const std::string& name, std::uint64_t size) {
  return state_->leave(name, hdf5_type<std::uint32_t>(), std::span(&size, 1));
}

void Hdf5Writer::finish(AtomicFile& file) {
  const Hdf5Lock lock;
  check(H5Fclose(std::exchange(state_->file, -1)), "close");
  std::sort(state_->set_aside.begin(), state_->set_aside.end());
  std::uint64_t from = 0;
  for (const auto& [begin, end] : state_->set_aside) {
    state_->memory.copy(from, begin, file);
    from = end;
  }
  state_->memory.copy(from, state_->memory.size(), file);
}

void throw_not_made(const std::string& path, const Hdf5Error& error) {
  if (error.error_number != 0) throw CannotCreate(path, std::strerror(error.error_number));
  rlimit size{};
  if (::getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur != RLIM_INFINITY)
    throw CannotCreate(path, std::string(std::strerror(EFBIG)) + " (ulimit -f)");
  throw CannotCreate(path, error.what());
}

}  // namespace atl::io
