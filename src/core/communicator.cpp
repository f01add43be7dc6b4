#include "src/core/communicator.hpp"

#include <cassert>
#include <cstdlib>

namespace atl {

std::vector<Bytes> LocalCommunicator::all_gather(std::span<const std::byte> bytes) {
  return {Bytes(bytes.begin(), bytes.end())};
}

std::vector<Bytes> LocalCommunicator::gather(std::span<const std::byte> bytes,
                                             [[maybe_unused]] int root) {
  assert(root == 0);
  return all_gather(bytes);
}

Bytes LocalCommunicator::broadcast(Bytes bytes, [[maybe_unused]] int root) {
  assert(root == 0);
  return bytes;
}

std::vector<Message> LocalCommunicator::exchange(std::vector<Message> outgoing) {
  for ([[maybe_unused]] const Message& message : outgoing) assert(message.peer == 0);
  return outgoing;
}

void LocalCommunicator::abort(ExitStatus status) noexcept {
  std::_Exit(static_cast<int>(status));
}

}  // namespace atl
