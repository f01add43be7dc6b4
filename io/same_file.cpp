#include "io/same_file.hpp"

#include <algorithm>
#include <span>

#include "io/agreement.hpp"
#include "io/input_file.hpp"

namespace atl::io {
namespace {

constexpr std::uint64_t trailer_bytes = 32;

Bytes size_and_trailer(const std::string& path) {
  const InputFile file(path);
  Bytes trailer(std::min(file.size(), trailer_bytes));
  file.read(file.size() - trailer.size(), trailer);
  ByteWriter out;
  out.put(file.size());
  out.put_all(std::span<const std::byte>(trailer));
  return std::move(out).take();
}

}  // namespace

void require_same_file(const std::string& path, Communicator& communicator) {
  const std::string other =
      "rank " + std::to_string(communicator.rank()) + " sees another file than rank 0";
  Bytes mine;
  auto failure = failure_of([&] {
    try {
      mine = size_and_trailer(path);
    } catch (const Error& error) {
      // The message begins with the path, as ours does.
      throw BadData(path, other + ": " + std::string(error.what()).substr(path.size() + 2));
    }
  });
  const Bytes expected = communicator.broadcast(mine, 0);
  if (failure == nullptr && mine != expected) {
    failure = failure_of([&] { throw BadData(path, other); });
  }
  agree(communicator, failure);
}

}  // namespace atl::io
