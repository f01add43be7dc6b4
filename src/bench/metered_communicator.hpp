#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#include "src/core/communicator.hpp"

namespace atl {

/// Counts what this rank hands in to go to other ranks, without what a library adds.
class MeteredCommunicator final : public Communicator {
 public:
  /// @param inner  must outlive it
  explicit MeteredCommunicator(Communicator& inner) : inner_(inner) {}

  std::uint64_t bytes_sent() const noexcept { return bytes_; }
  /// Those that are posted; collective calls are the library's.
  std::uint64_t messages_sent() const noexcept { return messages_; }

  int rank() const noexcept override { return inner_.rank(); }
  int size() const noexcept override { return inner_.size(); }
  void barrier() override { inner_.barrier(); }
  void all_reduce_sum(std::span<std::uint64_t> values) override {
    if (size() > 1) bytes_ += values.size_bytes();
    inner_.all_reduce_sum(values);
  }
  void begin_sum(std::vector<std::uint64_t> values) override {
    if (size() > 1) bytes_ += values.size() * sizeof(std::uint64_t);
    inner_.begin_sum(std::move(values));
  }
  std::optional<std::vector<std::uint64_t>> poll_sum() override { return inner_.poll_sum(); }
  std::vector<Bytes> all_gather(std::span<const std::byte> bytes) override {
    bytes_ += bytes.size() * others();
    return inner_.all_gather(bytes);
  }
  std::vector<Bytes> gather(std::span<const std::byte> bytes, int root) override {
    if (rank() != root) bytes_ += bytes.size();
    return inner_.gather(bytes, root);
  }
  Bytes broadcast(Bytes bytes, int root) override {
    if (rank() == root) bytes_ += bytes.size() * others();
    return inner_.broadcast(std::move(bytes), root);
  }
  void post(Channel channel, Message message) override {
    count(message);
    inner_.post(channel, std::move(message));
  }
  std::size_t unsent(int peer) override { return inner_.unsent(peer); }
  std::optional<Message> poll(Channel channel) override { return inner_.poll(channel); }
  std::vector<Message> drain(Channel channel) override {
    bytes_ += sizeof(std::uint64_t) * others();
    return inner_.drain(channel);
  }
  /// Splits the ranks; what the parts send each other is not counted.
  std::unique_ptr<Communicator> split(int colour) override { return inner_.split(colour); }
  [[noreturn]] void abort(ExitStatus status) noexcept override {
    inner_.abort(status);
    std::_Exit(static_cast<int>(status));
  }

 private:
  std::uint64_t others() const noexcept { return static_cast<std::uint64_t>(size()) - 1; }
  void count(const Message& message) {
    if (message.peer == rank()) return;
    bytes_ += message.bytes.size();
    ++messages_;
  }

  Communicator& inner_;
  std::uint64_t bytes_ = 0, messages_ = 0;
};

}  // namespace atl
