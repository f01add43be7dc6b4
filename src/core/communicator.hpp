// The interface by which ranks of one job talk. This header knows nothing of MPI; mpi/ implements
// it, and LocalCommunicator is the one-process implementation that runs the very same code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "src/core/bytes.hpp"
#include "src/core/error.hpp"

namespace atl {

struct Message {
  int peer = 0;  ///< destination when handed in, source when handed out
  Bytes bytes;
};

/// Subjects of posted messages: each kind is asked for by itself.
enum class Channel : int { migration, control, checkpoint, results, last = results };

/// Every call is collective (all ranks, same order) and blocking unless said otherwise. Only the
/// main thread calls it. Sizes are limited by memory, not by 2^31.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual int rank() const noexcept = 0;  ///< not collective
  virtual int size() const noexcept = 0;  ///< not collective

  virtual void barrier() = 0;
  /// Element-wise sum over ranks modulo 2^64, in place on every rank. Equal lengths.
  virtual void all_reduce_sum(std::span<std::uint64_t> values) = 0;
  /// Begins such a sum and waits for nobody. Collective, beside whatever else is.
  /// @pre no other is under way
  virtual void begin_sum(std::vector<std::uint64_t> values) = 0;
  /// The sums, once all ranks have begun; call it again until then. Not collective.
  /// @pre a sum is under way; it is no longer, once this has returned it
  virtual std::optional<std::vector<std::uint64_t>> poll_sum() = 0;
  /// Element r of the result is rank r's bytes, on every rank.
  virtual std::vector<Bytes> all_gather(std::span<const std::byte> bytes) = 0;
  /// Gathers like all_gather, but only `root` receives; the others get an empty vector.
  virtual std::vector<Bytes> gather(std::span<const std::byte> bytes, int root) = 0;
  /// Root's bytes on every rank; the argument of the others is ignored.
  virtual Bytes broadcast(Bytes bytes, int root) = 0;

  /// Sends, perhaps to itself, and waits for nobody: the message is on its way while its peer and
  /// this rank call poll(). Fewer than 2^31 bytes. Not collective.
  virtual void post(Channel channel, Message message) = 0;
  /// Messages to a peer that it has not received yet, of all channels. Not collective.
  virtual std::size_t unsent(int peer) = 0;
  /// A message that has come, if there is one; those of a source in the order in which they were
  /// posted. Not collective.
  virtual std::optional<Message> poll(Channel channel) = 0;
  /// Waits for everything that was posted, so that nothing is on its way afterwards. Collective.
  /// @return what was posted to this rank and not polled yet, by source, in the order of posting
  virtual std::vector<Message> drain(Channel channel) = 0;

  /// The ranks that hand in the same colour, in their order here. Lives no longer than this one.
  /// @param colour  not negative
  virtual std::unique_ptr<Communicator> split(int colour) = 0;

  /// Ends the whole job with this status, from one rank alone. Not collective.
  [[noreturn]] virtual void abort(ExitStatus status) noexcept = 0;
};

/// One process: rank 0 of 1.
class LocalCommunicator final : public Communicator {
 public:
  int rank() const noexcept override { return 0; }
  int size() const noexcept override { return 1; }
  void barrier() override {}
  void all_reduce_sum(std::span<std::uint64_t>) override {}
  void begin_sum(std::vector<std::uint64_t> values) override { sum_ = std::move(values); }
  std::optional<std::vector<std::uint64_t>> poll_sum() override { return std::move(sum_); }
  std::vector<Bytes> all_gather(std::span<const std::byte> bytes) override;
  std::vector<Bytes> gather(std::span<const std::byte> bytes, int root) override;
  Bytes broadcast(Bytes bytes, int root) override;
  void post(Channel channel, Message message) override;
  std::size_t unsent(int) override { return 0; }
  std::optional<Message> poll(Channel channel) override;
  std::vector<Message> drain(Channel channel) override;
  std::unique_ptr<Communicator> split(int colour) override;
  [[noreturn]] void abort(ExitStatus status) noexcept override;

 private:
  std::map<Channel, std::deque<Message>> posted_;
  std::vector<std::uint64_t> sum_;
};

}  // namespace atl
