#include "io/hdf5/h5_inspector.hpp"

#include <array>
#include <utility>

#include "io/hdf5/h5_handle.hpp"

namespace atl::io {
namespace {

constexpr std::size_t longest_attribute_text = 4096;

Hdf5Error unfit(const std::string& problem) {
  return {problem, 0};
}

/// Does every step on the path exist, and as a link within this file?
bool is_linked(hid_t file, const std::string& name) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end == 0 ? 0 : end + 1);
    const std::string part = name.substr(0, end);
    if (check(H5Lexists(file, part.c_str(), H5P_DEFAULT), "/" + part) == 0) return false;
    H5L_info_t link{};
    check(H5Lget_info(file, part.c_str(), &link, H5P_DEFAULT), "/" + part);
    if (link.type != H5L_TYPE_HARD) throw unfit("/" + part + " is a link to elsewhere");
  }
  return true;
}

Hdf5Type type_of(hid_t dataset, const std::string& name) {
  const Hdf5Id type(H5Dget_type(dataset), H5Tclose, name);
  const std::array<std::pair<hid_t, Hdf5Type>, 4> types = {
      {{hdf5_type<std::uint8_t>(), Hdf5Type::uint8},
       {hdf5_type<std::uint32_t>(), Hdf5Type::uint32},
       {hdf5_type<std::uint64_t>(), Hdf5Type::uint64},
       {hdf5_type<double>(), Hdf5Type::float64}}};
  for (const auto& [candidate, meaning] : types) {
    if (check(H5Tequal(type, candidate), name) > 0) return meaning;
  }
  throw unfit(name + " has a type of numbers that the format does not know");
}

std::vector<std::uint64_t> extent_of(hid_t dataset, const std::string& name) {
  const Hdf5Id space(H5Dget_space(dataset), H5Sclose, name);
  const int dimensions = check(H5Sget_simple_extent_ndims(space), name);
  if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || dimensions < 1 || dimensions > 3) {
    throw unfit(name + " has not 1 to 3 dimensions");
  }
  std::array<hsize_t, 3> sizes{};
  check(H5Sget_simple_extent_dims(space, sizes.data(), nullptr), name);
  return {sizes.begin(), sizes.begin() + dimensions};
}

Hdf5Dataset inspect_dataset(hid_t file, const std::string& path) {
  const std::string name = "/" + path;
  const Hdf5Id dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, name);
  const Hdf5Id properties(H5Dget_create_plist(dataset), H5Pclose, name);
  if (H5Pget_layout(properties) != H5D_CONTIGUOUS) throw unfit(name + " is not contiguous");
  if (check(H5Pget_external_count(properties), name) != 0) {
    throw unfit(name + " lies in another file");
  }
  Hdf5Dataset found;
  found.type = type_of(dataset, name);
  found.extent = extent_of(dataset, name);
  bool empty = false;
  for (const std::uint64_t size : found.extent) empty = empty || size == 0;
  if (empty) return found;
  const haddr_t offset = H5Dget_offset(dataset);
  if (offset == HADDR_UNDEF) throw unfit(name + " has no place in the file");
  found.offset = offset;
  return found;
}

Hdf5Attribute inspect_attribute(hid_t file, const std::string& name) {
  const Hdf5Id attribute(H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Hdf5Id space(H5Aget_space(attribute), H5Sclose, name);
  if (H5Sget_simple_extent_npoints(space) != 1) throw unfit(name + ": not a single value");
  const Hdf5Id type(H5Aget_type(attribute), H5Tclose, name);
  const std::size_t size = H5Tget_size(type);
  Hdf5Attribute found;
  if (H5Tget_class(type) == H5T_INTEGER && size <= sizeof(std::uint64_t)) {
    std::uint64_t value = 0;
    check(H5Aread(attribute, H5T_NATIVE_UINT64, &value), name);
    found.number = value;
  } else if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
             size <= longest_attribute_text) {
    std::string value(size, '\0');
    check(H5Aread(attribute, type, value.data()), name);
    found.text = std::move(value);
  } else {
    throw unfit(name + ": neither a number nor a text of fixed length");
  }
  return found;
}

/// The finding, or the reason why it cannot be used.
template <typename Found, typename Inspect>
Found found_or_problem(Inspect inspect) {
  try {
    return inspect();
  } catch (const Hdf5Error& error) {
    Found found;
    found.problem = error.what();
    return found;
  }
}

}  // namespace

Hdf5Layout inspect_hdf5(const std::string& path, const Hdf5Names& names) {
  const Hdf5Lock lock;
  Hdf5Layout layout;
  try {
    const Hdf5Id access = file_access();
    // The default driver insists on a name in a folder, which a file that is open may have no more.
    check(H5Pset_fapl_stdio(access), "driver");
    const Hdf5Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "open");
    for (const std::string& name : names.attributes) {
      if (check(H5Aexists(file, name.c_str()), name) == 0) continue;
      layout.attributes[name] =
          found_or_problem<Hdf5Attribute>([&] { return inspect_attribute(file, name); });
    }
    for (const std::string& name : names.datasets) {
      bool there = true;
      auto dataset = found_or_problem<Hdf5Dataset>([&] {
        there = is_linked(file, name);
        return there ? inspect_dataset(file, name) : Hdf5Dataset{};
      });
      if (there) layout.datasets[name] = std::move(dataset);
    }
  } catch (const Hdf5Error& error) {
    layout.problem = error.what();
  }
  return layout;
}

}  // namespace atl::io
