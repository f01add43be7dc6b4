#include "src/run/checkpoint/checkpoint_parts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "islands/archipelago/run_sections.hpp"
#include "src/core/agreement.hpp"

namespace atl {
namespace {

Bytes encode(const HandedIn& part) {
  ByteWriter out;
  out.put(part.generation);
  out.put(static_cast<std::uint8_t>(part.outcome.failed));
  out.put(part.outcome.status);
  out.put_text(part.outcome.message);
  out.put(part.written.first_island);
  put(out, part.written.hash);
  out.put_all(std::span<const std::byte>(part.state));
  out.put_all(std::span<const std::byte>(encode(std::span(part.rows))));
  return std::move(out).take();
}

HandedIn decode(const Bytes& bytes) {
  ByteReader in(bytes);
  HandedIn part;
  part.generation = in.get<std::uint32_t>();
  part.outcome.failed = in.get_flag();
  part.outcome.status = in.get<ExitStatus>();
  part.outcome.message = in.get_text();
  part.written.first_island = in.get<std::uint32_t>();
  part.written.hash = get_hash(in);
  part.state = in.get_all<std::byte>();
  part.rows = decode_history_rows(in.get_all<std::byte>());
  return part;
}

}  // namespace

// Whoever holds RUN has written into its lock who that is: a folder of the same name that is
// another has another lock, or none.
RunView::RunView(const JobSettings& settings, Communicator& communicator) {
  const std::string owner = text_of_root(
      communicator, [&] { return io::read_file(settings.lock->folder(), io::run_names::lock); });
  try {
    folder.emplace(settings.folder, io::Access::write);
    if (io::read_file(*folder, io::run_names::lock) != owner) folder.reset();
  } catch (const Error&) {
    folder.reset();
  }
  const std::byte own{folder ? std::uint8_t{1} : std::uint8_t{0}};
  for (const Bytes& bytes : communicator.all_gather({&own, 1})) {
    sees.push_back(bytes.front() != std::byte{0});
  }
}

CheckpointParts::CheckpointParts(Communicator& communicator, const RunView& view,
                                 CheckpointWriter* writer)
    : communicator_(communicator), view_(view), writer_(writer) {}

CheckpointParts::~CheckpointParts() {
  if (thread_.joinable()) thread_.join();
}

HandedIn CheckpointParts::hand_in(const PartialState& part) const {
  HandedIn own{.generation = part.state.header.generation, .rows = part.rows};
  own.written.first_island = part.first_island;
  Bytes state = encode(part.state);
  if (!view_.folder) {
    own.state = std::move(state);
    return own;
  }
  own.outcome = outcome_of([&] {
    own.written =
        io::write_part(*view_.folder, part.state.header.generation, part.first_island, state);
    return ExitStatus::done;
  });
  return own;
}

void CheckpointParts::begin(PartialState part, std::chrono::steady_clock::time_point stopped) {
  begun_ = part.state.header.generation;
  if (communicator_.rank() != 0) {
    done_ = false;
    thread_ = std::thread([this, part = std::move(part)] {
      handed_in_ = hand_in(part);
      done_ = true;
    });
    return;
  }
  pending_.emplace(std::move(part), stopped);
  poll();
}

void CheckpointParts::poll() {
  if (thread_.joinable() && done_) send();
  if (communicator_.rank() == 0) receive();
  if (!pending_ || !has_all()) return;
  PendingCheckpoint whole = complete();
  writer_->wait();
  if (!writer_->failed()) writer_->start(std::move(whole));
}

void CheckpointParts::send() {
  thread_.join();
  communicator_.post(Channel::checkpoint, {0, encode(std::exchange(handed_in_, {}))});
}

// Other ranks may be ahead, with a later checkpoint.
void CheckpointParts::receive() {
  while (const auto message = communicator_.poll(Channel::checkpoint)) {
    HandedIn part = decode(message->bytes);
    handed_in_by_others_[part.generation].push_back(std::move(part));
  }
}

bool CheckpointParts::has_all() const {
  const auto its = handed_in_by_others_.find(pending_->own.header.generation);
  const std::size_t come = its == handed_in_by_others_.end() ? 0 : its->second.size();
  return come + 1 == static_cast<std::size_t>(communicator_.size());
}

PendingCheckpoint CheckpointParts::complete() {
  PendingCheckpoint whole = std::move(*std::exchange(pending_, std::nullopt));
  const auto its = handed_in_by_others_.extract(whole.own.header.generation);
  if (!its.empty()) whole.parts = std::move(its.mapped());
  for (HandedIn& part : whole.parts) add_to_history(whole.rows, std::exchange(part.rows, {}));
  return whole;
}

void CheckpointParts::finish() {
  if (thread_.joinable()) send();
  while (pending_) {
    poll();
    if (pending_) std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void CheckpointParts::settle() {
  ByteWriter own;
  own.put(static_cast<std::uint8_t>(begun_.has_value()));
  own.put(begun_.value_or(0));
  const auto all = communicator_.all_gather(own.bytes());
  const bool alike = std::adjacent_find(all.begin(), all.end(), std::not_equal_to<>()) == all.end();
  if (alike) finish();
  pending_.reset();
  communicator_.drain(Channel::checkpoint);
}

PendingCheckpoint CheckpointParts::collect(PartialState part,
                                           std::chrono::steady_clock::time_point stopped) {
  if (communicator_.rank() != 0) {
    communicator_.post(Channel::checkpoint, {0, encode(hand_in(part))});
    return {};
  }
  pending_.emplace(std::move(part), stopped);
  for (receive(); !has_all(); receive()) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return complete();
}

}  // namespace atl
