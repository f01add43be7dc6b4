#include "io/h5_reader.hpp"

#include <cassert>

#include "io/h5_handle.hpp"

namespace atl::io {
namespace {

hid_t open_file(const std::string& path, hid_t access) {
  return check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), "open");
}

Hdf5Id open_dataset(hid_t file, const std::string& name) {
  return {H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose, "/" + name};
}

Hdf5Id space_of(hid_t dataset, const std::string& name, int dimensions) {
  Hdf5Id space(H5Dget_space(dataset), H5Sclose, "/" + name);
  if (H5Sget_simple_extent_ndims(space) != dimensions) {
    throw Hdf5Error("/" + name + " has not " + std::to_string(dimensions) + " dimensions", 0);
  }
  return space;
}

void expect_single(hid_t attribute, const std::string& name) {
  const Hdf5Id space(H5Aget_space(attribute), H5Sclose, name);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Hdf5Error(name + ": not a single value", 0);
}

}  // namespace

struct Hdf5Reader::State {
  State(hid_t file, bool collective) : file(file), collective(collective) {}
  ~State() { H5Fclose(file); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  hid_t file;
  bool collective;
};

Hdf5Reader::Hdf5Reader(const std::string& path) {
  const Hdf5Lock lock;
  state_ = std::make_unique<State>(open_file(path, file_access()), false);
}

Hdf5Reader::Hdf5Reader(const std::string& path, const Communicator& communicator) {
  const Hdf5Lock lock;
  const Hdf5Id access = file_access();
  bool collective = false;
#ifdef H5_HAVE_PARALLEL
  if (const void* handle = communicator.native_handle(); handle != nullptr) {
    collective = true;
    check(H5Pset_fapl_mpio(access, *static_cast<const MPI_Comm*>(handle), MPI_INFO_NULL), "MPI-IO");
    // One rank reads the metadata and tells the others.
    check(H5Pset_all_coll_metadata_ops(access, true), "collective metadata");
  }
#else
  static_cast<void>(communicator);
#endif
  state_ = std::make_unique<State>(open_file(path, access), collective);
}

Hdf5Reader::~Hdf5Reader() {
  const Hdf5Lock lock;
  state_.reset();
}

Hdf5Reader::Hdf5Reader(Hdf5Reader&&) noexcept = default;

bool Hdf5Reader::has(const std::string& name) const {
  const Hdf5Lock lock;
  return check(H5Aexists(state_->file, name.c_str()), name) > 0;
}

std::uint64_t Hdf5Reader::number(const std::string& name) const {
  const Hdf5Lock lock;
  const Hdf5Id attribute(H5Aopen(state_->file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  expect_single(attribute, name);
  std::uint64_t value = 0;
  check(H5Aread(attribute, H5T_NATIVE_UINT64, &value), name);
  return value;
}

std::string Hdf5Reader::text(const std::string& name) const {
  const Hdf5Lock lock;
  const Hdf5Id attribute(H5Aopen(state_->file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  expect_single(attribute, name);
  const Hdf5Id type(H5Aget_type(attribute), H5Tclose, name);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) {
    throw Hdf5Error(name + ": not a text of fixed length", 0);
  }
  std::string value(H5Tget_size(type), '\0');
  check(H5Aread(attribute, type, value.data()), name);
  return value;
}

template <typename T>
std::vector<T> Hdf5Reader::read(const std::string& name) const {
  const Hdf5Lock lock;
  const Hdf5Id dataset = open_dataset(state_->file, name);
  const Hdf5Id space = space_of(dataset, name, 1);
  const auto count = static_cast<hsize_t>(check(H5Sget_simple_extent_npoints(space), "/" + name));
  hsize_t file_bytes = 0;
  check(H5Fget_filesize(state_->file, &file_bytes), "file size");
  if (count > file_bytes / sizeof(T)) throw Hdf5Error("/" + name + " is longer than the file", 0);
  std::vector<T> values(count);
  if (values.empty()) return values;
  check(H5Dread(dataset, hdf5_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "/" + name);
  return values;
}

template std::vector<std::uint8_t> Hdf5Reader::read(const std::string&) const;
template std::vector<std::uint32_t> Hdf5Reader::read(const std::string&) const;
template std::vector<std::uint64_t> Hdf5Reader::read(const std::string&) const;
template std::vector<double> Hdf5Reader::read(const std::string&) const;

Hdf5Index Hdf5Reader::extent(const std::string& name) const {
  const Hdf5Lock lock;
  const Hdf5Id dataset = open_dataset(state_->file, name);
  hsize_t size[3];
  check(H5Sget_simple_extent_dims(space_of(dataset, name, 3), size, nullptr), "/" + name);
  return {size[0], size[1], size[2]};
}

void Hdf5Reader::read_block(const std::string& name, const Hdf5Index& start, const Hdf5Index& size,
                            std::span<std::uint64_t> values) const {
  assert(values.size() == size[0] * size[1] * size[2]);
  const Hdf5Lock lock;
  const Hdf5Id dataset = open_dataset(state_->file, name);
  const Hdf5Id in_file = space_of(dataset, name, 3);
  const hsize_t first[] = {start[0], start[1], start[2]};
  const hsize_t count[] = {size[0], size[1], size[2]};
  check(H5Sselect_hyperslab(in_file, H5S_SELECT_SET, first, nullptr, count, nullptr), "/" + name);
  const Hdf5Id in_memory(H5Screate_simple(3, count, nullptr), H5Sclose, "/" + name);
  const Hdf5Id transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "transfer");
#ifdef H5_HAVE_PARALLEL
  if (state_->collective) check(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE), "transfer");
#endif
  check(H5Dread(dataset, hdf5_type<std::uint64_t>(), in_memory, in_file, transfer, values.data()),
        "/" + name);
}

}  // namespace atl::io
