#include "io/hdf5/h5_reader.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "io/hdf5/h5_inspection.hpp"
#include "io/hdf5/trailer.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

template <typename T>
constexpr Hdf5Type type_of_values() {
  if (std::is_same_v<T, std::uint8_t>) return Hdf5Type::uint8;
  if (std::is_same_v<T, std::uint32_t>) return Hdf5Type::uint32;
  if (std::is_same_v<T, std::uint64_t>) return Hdf5Type::uint64;
  return Hdf5Type::float64;
}

/// Bytes of HDF5's own in a file of ours, amply.
constexpr std::uint64_t most_metadata = std::uint64_t{1} << 20;

Hdf5Layout verified_layout(const InputFile& file, const Hdf5Names& names) {
  const Trailer trailer = read_trailer(file);
  // A file with holes may store next to nothing, but hashing it takes as long as its length says.
  // So first it has to be seen that there are data of that length.
  const bool sparse = file.is_sparse();
  if (!sparse) verify_content(file, trailer);
  Hdf5Layout layout = inspect_in_child(file, names);
  try {
    const std::uint64_t unused = trailer.length - check_places(layout, trailer.length);
    if (sparse && unused > most_metadata) throw std::invalid_argument("has holes beside its data");
  } catch (const std::invalid_argument& error) {
    throw BadData(file.path(), error.what());
  }
  if (sparse) verify_content(file, trailer);
  return layout;
}

/// Clocks of files tick every few milliseconds: one that has just been written may be written again
/// and look the same.
constexpr double settled_seconds = 1;

double seconds_since_change(const FileState& state) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto changed = std::chrono::nanoseconds(std::max(state.changed, state.modified));
  return std::chrono::duration<double>(now - changed).count();
}

/// The layout of a file that this process has verified, if the file is as it was then, or else of
/// one that it verifies now. Any thread may call this.
Hdf5Layout layout_of(const InputFile& file, const Hdf5Names& names) {
  static std::mutex mutex;
  static std::map<std::pair<FileState, Hdf5Names>, Hdf5Layout> known;
  const std::pair key(file.state(), names);
  {
    const std::scoped_lock lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  Hdf5Layout layout = verified_layout(file, names);
  if (seconds_since_change(key.first) < settled_seconds) return layout;
  const std::scoped_lock lock(mutex);
  return known.emplace(key, std::move(layout)).first->second;
}

}  // namespace

Hdf5Reader::Hdf5Reader(InputFile file, const Hdf5Names& names)
    : file_(std::move(file)), layout_(layout_of(file_, names)) {}

bool Hdf5Reader::has(const std::string& name) const {
  return layout_.attributes.contains(name);
}

bool Hdf5Reader::has_dataset(const std::string& name) const {
  return layout_.datasets.contains(name);
}

const Hdf5Attribute& Hdf5Reader::attribute(const std::string& name) const {
  const auto found = layout_.attributes.find(name);
  if (found == layout_.attributes.end()) throw BadData(path(), name + " is missing");
  if (!found->second.problem.empty()) throw BadData(path(), found->second.problem);
  return found->second;
}

std::uint64_t Hdf5Reader::number(const std::string& name) const {
  const auto value = attribute(name).number;
  if (!value) throw BadData(path(), name + " is not a number");
  return *value;
}

std::string Hdf5Reader::text(const std::string& name) const {
  const auto value = attribute(name).text;
  if (!value) throw BadData(path(), name + " is not a text");
  return *value;
}

const Hdf5Dataset& Hdf5Reader::dataset(const std::string& name, Hdf5Type type,
                                       std::size_t dimensions) const {
  const auto found = layout_.datasets.find(name);
  if (found == layout_.datasets.end()) throw BadData(path(), "/" + name + " is missing");
  const Hdf5Dataset& dataset = found->second;
  if (!dataset.problem.empty()) throw BadData(path(), dataset.problem);
  if (dataset.type != type) throw BadData(path(), "/" + name + " has numbers of another type");
  if (dataset.extent.size() != dimensions) {
    throw BadData(path(), "/" + name + " has not " + std::to_string(dimensions) + " dimensions");
  }
  return dataset;
}

template <typename T>
std::vector<T> Hdf5Reader::read(const std::string& name) const {
  const Hdf5Dataset& found = dataset(name, type_of_values<T>(), 1);
  std::vector<T> values(found.extent[0]);
  file_.read(found.offset, std::as_writable_bytes(std::span(values)));
  return values;
}

template std::vector<std::uint8_t> Hdf5Reader::read(const std::string&) const;
template std::vector<std::uint32_t> Hdf5Reader::read(const std::string&) const;
template std::vector<std::uint64_t> Hdf5Reader::read(const std::string&) const;
template std::vector<double> Hdf5Reader::read(const std::string&) const;

Hdf5Index Hdf5Reader::extent(const std::string& name) const {
  const auto& extent = dataset(name, Hdf5Type::uint64, 3).extent;
  return {extent[0], extent[1], extent[2]};
}

void Hdf5Reader::read_words(const std::string& name, std::uint64_t first,
                            std::span<std::byte> words) const {
  const Hdf5Dataset& found = dataset(name, Hdf5Type::uint64, 3);
  file_.read(found.offset + first * sizeof(std::uint64_t), words);
}

}  // namespace atl::io
