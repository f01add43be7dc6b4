#include "islands/mailbox.hpp"

#include <iterator>
#include <limits>
#include <utility>

namespace atl {

namespace {

// Messages to one rank at a time; what else is sent to it waits here, where newer takes its place.
constexpr std::size_t most_on_the_way = 4;

}  // namespace

void Mailbox::send(Emigrants emigrants) {
  const auto by_rank = destinations_by_rank(emigrants, placement_);
  const auto sent = std::make_shared<const Emigrants>(std::move(emigrants));
  const std::scoped_lock lock(mutex_);
  for (const auto& [rank, destinations] : by_rank) {
    for (const std::uint32_t to : destinations) {
      if (rank == communicator_.rank()) {
        come_[to][sent->island] = sent;
      } else {
        leaving_[{rank, sent->island, to}] = sent;
      }
    }
  }
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

std::optional<Message> Mailbox::next_to_post(std::size_t most_unsent) {
  int rank = 0;
  std::shared_ptr<const Emigrants> emigrants;
  std::vector<std::uint32_t> destinations;
  {
    const std::scoped_lock lock(mutex_);
    auto next = leaving_.begin();
    while (next != leaving_.end() && communicator_.unsent(std::get<0>(next->first)) >= most_unsent)
      ++next;
    if (next == leaving_.end()) return std::nullopt;
    rank = std::get<0>(next->first);
    emigrants = next->second;
    while (next != leaving_.end() && std::get<0>(next->first) == rank &&
           std::get<1>(next->first) == emigrants->island) {
      const bool same = next->second == emigrants;
      if (same) destinations.push_back(std::get<2>(next->first));
      next = same ? leaving_.erase(next) : std::next(next);
    }
  }
  return Message{rank, encode(*emigrants, destinations)};
}

void Mailbox::post(std::size_t most_unsent) {
  while (auto message = next_to_post(most_unsent))
    communicator_.post(Channel::migration, std::move(*message));
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
