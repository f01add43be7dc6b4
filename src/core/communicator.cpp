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

void LocalCommunicator::post(Channel channel, Message message) {
  assert(message.peer == 0);
  posted_[channel].push_back(std::move(message));
}

std::optional<Message> LocalCommunicator::poll(Channel channel) {
  auto& waiting = posted_[channel];
  if (waiting.empty()) return std::nullopt;
  Message message = std::move(waiting.front());
  waiting.pop_front();
  return message;
}

std::vector<Message> LocalCommunicator::drain(Channel channel) {
  std::vector<Message> all;
  while (auto message = poll(channel)) all.push_back(std::move(*message));
  return all;
}

std::unique_ptr<Communicator> LocalCommunicator::split(int) {
  return std::make_unique<LocalCommunicator>();
}

void LocalCommunicator::abort(ExitStatus status) noexcept {
  std::_Exit(static_cast<int>(status));
}

}  // namespace atl
