#include "io/hdf5/h5_layout.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace atl::io {
namespace {

std::invalid_argument misplaced(const std::string& name, const std::string& problem) {
  return std::invalid_argument("/" + name + " " + problem);
}

std::uint64_t bytes_of(const std::string& name, const Hdf5Dataset& dataset, std::uint64_t length) {
  const auto& extent = dataset.extent;
  if (std::find(extent.begin(), extent.end(), 0) != extent.end()) return 0;
  std::uint64_t bytes = size_of(dataset.type);
  for (const std::uint64_t size : extent) {
    if (bytes > length / size) throw misplaced(name, "is longer than the file");
    bytes *= size;
  }
  return bytes;
}

}  // namespace

std::uint64_t size_of(Hdf5Type type) noexcept {
  switch (type) {
    case Hdf5Type::uint8:
      return 1;
    case Hdf5Type::uint32:
      return 4;
    default:
      return 8;
  }
}

Bytes encode(const Hdf5Layout& layout) {
  ByteWriter out;
  out.put_text(layout.problem);
  out.put(layout.error_number);
  out.put(static_cast<std::uint64_t>(layout.attributes.size()));
  for (const auto& [name, attribute] : layout.attributes) {
    out.put_text(name);
    out.put_text(attribute.problem);
    out.put(attribute.number.has_value());
    out.put(attribute.number.value_or(0));
    out.put(attribute.text.has_value());
    out.put_text(attribute.text.value_or(""));
  }
  out.put(static_cast<std::uint64_t>(layout.datasets.size()));
  for (const auto& [name, dataset] : layout.datasets) {
    out.put_text(name);
    out.put_text(dataset.problem);
    out.put(dataset.type);
    out.put_all(std::span<const std::uint64_t>(dataset.extent));
    out.put(dataset.offset);
  }
  return std::move(out).take();
}

Hdf5Layout decode_hdf5_layout(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  Hdf5Layout layout;
  layout.problem = in.get_text();
  layout.error_number = in.get<int>();
  for (std::uint64_t left = in.get<std::uint64_t>(); left > 0; --left) {
    Hdf5Attribute& attribute = layout.attributes[in.get_text()];
    attribute.problem = in.get_text();
    const bool has_number = in.get<std::uint8_t>() != 0;
    const auto number = in.get<std::uint64_t>();
    if (has_number) attribute.number = number;
    const bool has_text = in.get<std::uint8_t>() != 0;
    std::string text = in.get_text();
    if (has_text) attribute.text = std::move(text);
  }
  for (std::uint64_t left = in.get<std::uint64_t>(); left > 0; --left) {
    Hdf5Dataset& dataset = layout.datasets[in.get_text()];
    dataset.problem = in.get_text();
    const auto type = in.get<std::uint8_t>();
    if (type > static_cast<std::uint8_t>(Hdf5Type::float64)) throw BadBytes("no type");
    dataset.type = static_cast<Hdf5Type>(type);
    dataset.extent = in.get_all<std::uint64_t>();
    dataset.offset = in.get<std::uint64_t>();
  }
  in.expect_end();
  return layout;
}

std::uint64_t check_places(const Hdf5Layout& layout, std::uint64_t length) {
  struct Place {
    std::uint64_t begin, end;
    const std::string* name;
  };
  std::vector<Place> places;
  for (const auto& [name, dataset] : layout.datasets) {
    if (!dataset.problem.empty()) continue;
    const std::uint64_t bytes = bytes_of(name, dataset, length);
    if (bytes == 0) continue;
    if (dataset.offset > length - bytes) throw misplaced(name, "goes on after the end of the file");
    places.push_back({dataset.offset, dataset.offset + bytes, &name});
  }
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].begin < places[i - 1].end) {
      throw misplaced(*places[i].name, "lies over /" + *places[i - 1].name);
    }
  }
  std::uint64_t sum = 0;
  for (const Place& place : places) sum += place.end - place.begin;
  return sum;
}

}  // namespace atl::io
