#include "src/core/agreement.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "src/core/bytes.hpp"

namespace atl {
namespace {

Bytes encoded(const Outcome& outcome) {
  ByteWriter writer;
  writer.put(outcome.status);
  writer.put(outcome.failed);
  writer.put_text(outcome.message);
  return std::move(writer).take();
}

Outcome decoded(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  Outcome outcome;
  outcome.status = reader.get<ExitStatus>();
  outcome.failed = reader.get<bool>();
  outcome.message = reader.get_text();
  return outcome;
}

std::string of_system(const std::system_error& error) {
  if (error.code() == std::errc::resource_unavailable_try_again)
    return "the system gives no more threads (ulimit -u, or the limit of the job's tasks)";
  return error.code().message();
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

/// One process has nobody to agree with, but its errors are of ours, too.
void alone(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error&) {
    throw;
  } catch (...) {
    const Outcome outcome = outcome_of([]() -> ExitStatus { throw; });
    throw Error(outcome.status, outcome.message);
  }
}

}  // namespace

Outcome outcome_of(const std::function<ExitStatus()>& action) noexcept {
  try {
    return {action(), false, false, {}};
  } catch (const AgreedError& error) {
    return {error.status(), true, true, one_line(error.what())};
  } catch (const Error& error) {
    return {error.status(), true, false, one_line(error.what())};
  } catch (const std::bad_alloc&) {
    return {ExitStatus::io_error, true, false, "out of memory"};
  } catch (const std::length_error&) {  // a container beyond all memory
    return {ExitStatus::io_error, true, false, "out of memory"};
  } catch (const std::filesystem::filesystem_error& error) {
    return {ExitStatus::io_error, true, false,
            error.path1().string() + ": " + error.code().message()};
  } catch (const std::system_error& error) {
    return {ExitStatus::io_error, true, false, of_system(error)};
  } catch (const std::exception& error) {
    return {ExitStatus::internal, true, false, "internal error: " + one_line(error.what())};
  } catch (...) {
    return {ExitStatus::internal, true, false, "internal error of unknown kind"};
  }
}

std::vector<Outcome> all_outcomes(const Outcome& mine, Communicator& communicator) {
  std::vector<Outcome> all;
  for (const Bytes& bytes : communicator.all_gather(encoded(mine))) all.push_back(decoded(bytes));
  return all;
}

std::string with_rank(int rank, const std::string& message) {
  return "rank " + std::to_string(rank) + ": " + message;
}

void on_root(Communicator& communicator, const std::function<void()>& action) {
  if (communicator.size() == 1) return alone(action);
  Outcome outcome;
  if (communicator.rank() == 0) {
    outcome = outcome_of([&] {
      action();
      return ExitStatus::done;
    });
  }
  outcome = decoded(communicator.broadcast(encoded(outcome), 0));
  if (outcome.failed) throw AgreedError(outcome.status, outcome.message);
}

Bytes bytes_of_root(Communicator& communicator, const std::function<Bytes()>& action) {
  Bytes bytes;
  on_root(communicator, [&] { bytes = action(); });
  return communicator.broadcast(std::move(bytes), 0);
}

std::string text_of_root(Communicator& communicator, const std::function<std::string()>& action) {
  const Bytes bytes = bytes_of_root(communicator, [&] {
    const std::string text = action();
    const auto raw = std::as_bytes(std::span(text));
    return Bytes(raw.begin(), raw.end());
  });
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void on_all(Communicator& communicator, const std::function<void()>& action) {
  if (communicator.size() == 1) return alone(action);
  const Outcome mine = outcome_of([&] {
    action();
    return ExitStatus::done;
  });
  std::uint64_t failures = mine.failed ? 1 : 0;
  communicator.all_reduce_sum(std::span(&failures, 1));
  if (failures == 0) return;
  const std::vector<Outcome> all = all_outcomes(mine, communicator);
  const auto failed =
      std::find_if(all.begin(), all.end(), [](const Outcome& o) { return o.failed; });
  const bool alike = std::all_of(all.begin(), all.end(),
                                 [&](const Outcome& o) { return o.message == failed->message; });
  const auto rank = static_cast<int>(failed - all.begin());
  throw AgreedError(failed->status, alike ? failed->message : with_rank(rank, failed->message));
}

}  // namespace atl
