// What islands of one rank send and have received where none waits for another.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <vector>

#include "islands/migration.hpp"
#include "src/core/communicator.hpp"

namespace atl {

/// Keeps of each source only what it sent last: an island that is slow to ask, or a rank that is
/// slow to receive, finds the best of others, not all that they ever were.
class Mailbox {
 public:
  /// @param communicator  must outlive it
  Mailbox(const Placement& placement, Communicator& communicator)
      : placement_(placement), communicator_(communicator) {}

  /// From an island of this rank. From any thread.
  void send(Emigrants emigrants);
  /// What has come for an island since it last asked, by source. From any thread.
  std::vector<std::shared_ptr<const Emigrants>> take(std::uint32_t island);
  /// Hands over to other ranks what was sent, and takes what has come from them. For the thread
  /// that may call the communicator; waits for nobody, not collective.
  void poll();
  /// Like poll(), but collective: nothing is on its way afterwards. No island may send meanwhile.
  void drain();

 private:
  void put(std::shared_ptr<const Emigrants> emigrants);
  void receive(const Message& message);
  /// All of what an island sent last that waits for a rank with fewer messages unsent.
  std::optional<Message> next_to_post(std::size_t most_unsent);
  void post(std::size_t most_unsent);

  Placement placement_;
  Communicator& communicator_;
  std::mutex mutex_;
  // By destination and source.
  std::map<std::uint32_t, std::map<std::uint32_t, std::shared_ptr<const Emigrants>>> come_;
  // By rank, source and destination; the same emigrants for several destinations go as one message.
  std::map<std::tuple<int, std::uint32_t, std::uint32_t>, std::shared_ptr<const Emigrants>>
      leaving_;
};

}  // namespace atl
