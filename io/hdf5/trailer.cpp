#include "io/hdf5/trailer.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";
constexpr std::string_view magic = "ATOLLend";

static_assert(sizeof(Trailer) == 32);

Hash128 hash_content(const InputFile& file, std::uint64_t length) {
  Hasher hasher;
  std::vector<std::byte> buffer(std::size_t{1} << 20);
  for (std::uint64_t at = 0; at < length;) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), length - at));
    const auto part = std::span(buffer).first(size);
    file.read(at, part);
    hasher.update(part);
    at += size;
  }
  return hasher.digest();
}

}  // namespace

bool begins_like_hdf5(const InputFile& file) {
  std::array<char, hdf5_signature.size()> start{};
  if (file.size() < start.size()) return false;
  file.read(0, std::as_writable_bytes(std::span(start)));
  return std::equal(start.begin(), start.end(), hdf5_signature.begin());
}

void append_trailer(AtomicFile& file) {
  const InputFile content(file.readable_path());
  Trailer trailer{content.size(), hash_content(content, content.size()), {}};
  std::copy(magic.begin(), magic.end(), trailer.magic.begin());
  file.append(std::as_bytes(std::span(&trailer, 1)));
}

Trailer read_trailer(const InputFile& file) {
  const std::string& path = file.path();
  if (!begins_like_hdf5(file)) throw BadData(path, "not an HDF5 file");
  Trailer trailer{};
  if (file.size() >= hdf5_signature.size() + sizeof trailer) {
    file.read(file.size() - sizeof trailer, std::as_writable_bytes(std::span(&trailer, 1)));
  }
  if (!std::equal(magic.begin(), magic.end(), trailer.magic.begin())) {
    throw BadData(path,
                  "an HDF5 file that atoll has not written, or one that was cut short: "
                  "its last bytes are not atoll's trailer");
  }
  const std::uint64_t length = file.size() - sizeof trailer;
  if (trailer.length != length) {
    throw BadData(path, "damaged: " + std::to_string(length) + " bytes of content, but " +
                            std::to_string(trailer.length) + " were written");
  }
  return trailer;
}

void verify_content(const InputFile& file, const Trailer& trailer) {
  if (hash_content(file, trailer.length) != trailer.hash) {
    throw BadData(file.path(), "damaged: the content does not match its hash");
  }
}

}  // namespace atl::io
