#include "islands/mailbox.hpp"

#include <limits>

namespace atl {

namespace {

// Messages to one rank at a time; what else is sent to it waits here, where newer takes its place.
constexpr std::size_t most_on_the_way = 4;

}  // namespace

void Mailbox::send(Emigrants emigrants) {
  auto by_rank = destinations_by_rank(emigrants, placement_);
  for (const auto& [rank, destinations] : by_rank) {
    if (rank == communicator_.rank()) continue;
    Bytes bytes = encode(emigrants, destinations);
    const std::scoped_lock lock(mutex_);
    leaving_[{rank, emigrants.island, destinations}] = std::move(bytes);
  }
  const auto own = by_rank.find(communicator_.rank());
  if (own == by_rank.end()) return;
  emigrants.destinations = std::move(own->second);
  put(std::make_shared<const Emigrants>(std::move(emigrants)));
}

void Mailbox::put(std::shared_ptr<const Emigrants> emigrants) {
  const std::scoped_lock lock(mutex_);
  for (const std::uint32_t to : emigrants->destinations) come_[to][emigrants->island] = emigrants;
}

std::vector<std::shared_ptr<const Emigrants>> Mailbox::take(std::uint32_t island) {
  std::map<std::uint32_t, std::shared_ptr<const Emigrants>> taken;
  {
    const std::scoped_lock lock(mutex_);
    taken.swap(come_[island]);
  }
  std::vector<std::shared_ptr<const Emigrants>> all;
  for (auto& [source, emigrants] : taken) all.push_back(std::move(emigrants));
  return all;
}

void Mailbox::receive(const Message& message) {
  put(std::make_shared<const Emigrants>(decode_emigrants(message.bytes)));
}

void Mailbox::post(std::size_t most_unsent) {
  for (;;) {
    Message message;
    {
      const std::scoped_lock lock(mutex_);
      auto next = leaving_.begin();
      while (next != leaving_.end() &&
             communicator_.unsent(std::get<int>(next->first)) >= most_unsent) {
        ++next;
      }
      if (next == leaving_.end()) return;
      message = {std::get<int>(next->first), std::move(next->second)};
      leaving_.erase(next);
    }
    communicator_.post(Channel::migration, std::move(message));
  }
}

void Mailbox::poll() {
  post(most_on_the_way);
  while (const auto message = communicator_.poll(Channel::migration)) receive(*message);
}

void Mailbox::drain() {
  post(std::numeric_limits<std::size_t>::max());
  for (const Message& message : communicator_.drain(Channel::migration)) receive(message);
}

}  // namespace atl
