// What islands of one rank send to each other and to those of other ranks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "islands/archipelago/migration.hpp"
#include "islands/archipelago/placement.hpp"
#include "src/core/communicator.hpp"

namespace atl {

/// Of each source it keeps all that it sent, by generation (synchronous migration), or only the
/// last: an island that is slow to ask, or a rank that is slow to receive, finds the best of others
/// then, not all that they ever were.
class Mailbox {
 public:
  enum class Keeps { all, last };

  /// @param communicator  must outlive it
  Mailbox(const Placement& placement, Communicator& communicator, Keeps keeps)
      : placement_(placement),
        communicator_(communicator),
        keeps_(keeps),
        slots_(placement.first_island(communicator.rank() + 1) -
               placement.first_island(communicator.rank())) {}

  /// From an island of this rank. From any thread.
  void send(Emigrants emigrants);
  /// What has come for an island since it last asked, by source, then as sent. From any thread.
  std::vector<Migrant> take(std::uint32_t island);
  /// What so many sources have sent to an island after a generation, by source, then as sent. If
  /// not all has come, nothing, and the island is told once it has. From any thread.
  std::optional<std::vector<Migrant>> take(std::uint32_t island, std::uint32_t generation,
                                           std::size_t sources);
  /// Who is told that all has come for an island that has asked; called on any thread. To be set
  /// before islands send.
  void tell(std::function<void(std::uint32_t island)> told) { told_ = std::move(told); }

  /// Hands over to other ranks what was sent, and takes what has come from them. For the thread
  /// that may call the communicator; waits for nobody, not collective.
  void poll();
  /// Like poll(), but collective: nothing is on its way afterwards. No island may send meanwhile.
  void drain();
  /// Returns when something is to be handed over, call() was called, or after a while. For the
  /// thread that polls.
  void wait(std::chrono::microseconds at_most);
  /// The thread that polls has something to do. From any thread.
  void call();

 private:
  using Sent = std::shared_ptr<const Emigrants>;
  /// What has come for one island after one generation.
  struct Slot {
    std::vector<Sent> sent;             // in any order
    std::optional<std::size_t> wanted;  // by the island that sleeps: from so many
  };
  /// What waits to be handed over to a rank.
  struct Leaving {
    Sent emigrants;
    std::vector<std::uint32_t> destinations;  // there
  };

  /// By generation, or 0 where only the last is kept. Of an island of this rank.
  std::map<std::uint32_t, Slot>& slots(std::uint32_t island) {
    return slots_[island - placement_.first_island(communicator_.rank())];
  }
  std::uint32_t key(std::uint32_t generation) const {
    return keeps_ == Keeps::all ? generation : 0;
  }
  void put(const Sent& emigrants, std::span<const std::uint32_t> destinations);
  void leave(int rank, Leaving leaving);
  void receive(const Message& message);
  /// Of what waits for ranks with fewer messages unsent, as much for one of them as fits a message.
  std::optional<Message> next_to_post(std::size_t most_unsent);
  void post(std::size_t most_unsent);

  Placement placement_;
  Communicator& communicator_;
  Keeps keeps_;
  std::function<void(std::uint32_t)> told_ = [](std::uint32_t) {};
  std::mutex mutex_;
  std::condition_variable mail_;  // something waits to be handed over
  bool called_ = false;
  std::vector<std::map<std::uint32_t, Slot>> slots_;  // of islands of this rank
  std::map<int, std::deque<Leaving>> leaving_;        // by rank, none empty
};

}  // namespace atl
