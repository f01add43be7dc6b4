#include "islands/archipelago/mailbox.hpp"

#include <algorithm>
#include <limits>

namespace atl {
namespace {

// Messages to one rank at a time where only the last is kept: what else is sent to it waits here,
// where newer takes its place.
constexpr std::size_t most_on_the_way = 4;
// A message that has come to so many bytes is posted as it is.
constexpr std::size_t enough_bytes = std::size_t{1} << 24;

/// The migrants by source, then as sent.
template <typename Sent>
std::vector<Migrant> migrants_of(std::vector<Sent> come) {
  std::sort(come.begin(), come.end(),
            [](const Sent& a, const Sent& b) { return a->island < b->island; });
  std::vector<Migrant> all;
  for (const Sent& emigrants : come) {
    const auto& its = emigrants->migrants;
    all.insert(all.end(), its.begin(), its.end());
  }
  return all;
}

}  // namespace

void Mailbox::send(Emigrants emigrants) {
  std::map<int, std::vector<std::uint32_t>> by_rank;
  for (const std::uint32_t to : emigrants.destinations) {
    by_rank[placement_.rank_of(to)].push_back(to);
  }
  const auto sent = std::make_shared<const Emigrants>(std::move(emigrants));
  for (auto& [rank, destinations] : by_rank) {
    if (rank == communicator_.rank()) {
      put(sent, destinations);
    } else {
      leave(rank, {sent, std::move(destinations)});
    }
  }
}

void Mailbox::leave(int rank, Leaving leaving) {
  const std::scoped_lock lock(mutex_);
  auto& waiting = leaving_[rank];
  if (keeps_ == Keeps::last) {
    const auto again = [&](std::uint32_t to) {
      return std::binary_search(leaving.destinations.begin(), leaving.destinations.end(), to);
    };
    for (Leaving& former : waiting) {
      if (former.emigrants->island == leaving.emigrants->island) {
        std::erase_if(former.destinations, again);
      }
    }
    std::erase_if(waiting, [](const Leaving& former) { return former.destinations.empty(); });
  }
  waiting.push_back(std::move(leaving));
  mail_.notify_one();
}

void Mailbox::put(const Sent& emigrants, std::span<const std::uint32_t> destinations) {
  std::vector<std::uint32_t> complete;
  {
    const std::scoped_lock lock(mutex_);
    for (const std::uint32_t to : destinations) {
      Slot& its = slots(to)[key(emigrants->generation)];
      if (keeps_ == Keeps::last) {
        std::erase_if(its.sent, [&](const Sent& s) { return s->island == emigrants->island; });
      }
      its.sent.push_back(emigrants);
      if (!its.wanted || its.sent.size() < *its.wanted) continue;
      its.wanted.reset();
      complete.push_back(to);
    }
  }
  for (const std::uint32_t island : complete) told_(island);
}

std::vector<Migrant> Mailbox::take(std::uint32_t island) {
  const std::scoped_lock lock(mutex_);
  return migrants_of(std::exchange(slots(island)[key(0)].sent, {}));
}

std::optional<std::vector<Migrant>> Mailbox::take(std::uint32_t island, std::uint32_t generation,
                                                  std::size_t sources) {
  std::vector<Sent> all;
  {
    const std::scoped_lock lock(mutex_);
    Slot& its = slots(island)[generation];
    if (its.sent.size() < sources) {
      its.wanted = sources;
      return std::nullopt;
    }
    all = std::move(its.sent);
    slots(island).erase(generation);
  }
  return migrants_of(std::move(all));
}

void Mailbox::receive(const Message& message) {
  ByteReader in(message.bytes);
  while (in.left() != 0) {
    const auto emigrants = std::make_shared<const Emigrants>(decode_emigrants(in));
    put(emigrants, emigrants->destinations);
  }
}

std::optional<Message> Mailbox::next_to_post(std::size_t most_unsent) {
  const std::scoped_lock lock(mutex_);
  const auto next = std::find_if(leaving_.begin(), leaving_.end(), [&](const auto& waiting) {
    return communicator_.unsent(waiting.first) < most_unsent;
  });
  if (next == leaving_.end()) return std::nullopt;
  auto& [rank, waiting] = *next;
  ByteWriter out;
  while (!waiting.empty() && out.bytes().size() < enough_bytes) {
    encode(out, *waiting.front().emigrants, waiting.front().destinations);
    waiting.pop_front();
  }
  Message message{rank, std::move(out).take()};
  if (waiting.empty()) leaving_.erase(next);
  return message;
}

void Mailbox::post(std::size_t most_unsent) {
  while (auto message = next_to_post(most_unsent)) {
    communicator_.post(Channel::migration, std::move(*message));
  }
}

void Mailbox::poll() {
  post(keeps_ == Keeps::all ? std::numeric_limits<std::size_t>::max() : most_on_the_way);
  while (const auto message = communicator_.poll(Channel::migration)) receive(*message);
}

void Mailbox::drain() {
  post(std::numeric_limits<std::size_t>::max());
  for (const Message& message : communicator_.drain(Channel::migration)) receive(message);
}

void Mailbox::wait(std::chrono::microseconds at_most) {
  std::unique_lock lock(mutex_);
  mail_.wait_for(lock, at_most, [&] { return called_ || !leaving_.empty(); });
  called_ = false;
}

void Mailbox::call() {
  const std::scoped_lock lock(mutex_);
  called_ = true;
  mail_.notify_one();
}

}  // namespace atl
