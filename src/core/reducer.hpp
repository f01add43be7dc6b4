#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/core/communicator.hpp"

namespace atl {

/// Adds numbers up over the ranks of a team while these go on. Every rank begins the same sums in
/// the same order, from one thread.
class Reducer {
 public:
  virtual ~Reducer() = default;

  /// Waits for nobody. @param numbers  as many on each rank
  /// @pre no other sum is under way
  virtual void begin(std::vector<std::uint64_t> numbers) = 0;
  /// The sums modulo 2^64, once they are there; call it again until then.
  /// @pre a sum is under way; it is no longer, once this has returned it
  /// @throws BackendUnavailable, DeviceFailed if what adds up has failed, on this rank or another
  virtual std::optional<std::vector<std::uint64_t>> poll() = 0;
  /// Name of the means of adding up, as the log has it.
  virtual const char* name() const noexcept = 0;
  /// The reason for this means, where something faster cannot be had; else empty.
  virtual std::string reason() const { return {}; }
};

/// Adds up by the messages of a communicator.
class MessageReducer final : public Reducer {
 public:
  /// @param ranks  of the team, must outlive it
  explicit MessageReducer(Communicator& ranks, std::string reason = {})
      : ranks_(ranks), reason_(std::move(reason)) {}
  void begin(std::vector<std::uint64_t> numbers) override { ranks_.begin_sum(std::move(numbers)); }
  std::optional<std::vector<std::uint64_t>> poll() override { return ranks_.poll_sum(); }
  const char* name() const noexcept override { return "messages"; }
  std::string reason() const override { return reason_; }

 private:
  Communicator& ranks_;
  const std::string reason_;
};

}  // namespace atl
