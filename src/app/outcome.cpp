#include "src/app/outcome.hpp"

#include <algorithm>
#include <filesystem>
#include <new>
#include <set>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "src/app/standard_streams.hpp"
#include "src/core/bytes.hpp"

namespace atl {

namespace {

/// A rank that failed waits so long for the others to fail, too. Within it they come back from
/// what they do between two collective steps, or they wait for this rank in vain.
constexpr double seconds_for_others = 3;

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

std::string with_rank(int rank, const std::string& message) {
  return "rank " + std::to_string(rank) + ": " + message;
}

std::vector<Outcome> all_outcomes(const Outcome& mine, Communicator& communicator) {
  std::vector<Outcome> all;
  for (const Bytes& bytes : communicator.all_gather(encoded(mine))) all.push_back(decoded(bytes));
  return all;
}

std::vector<Outcome>::const_iterator first_failure(const std::vector<Outcome>& all) {
  return std::find_if(all.begin(), all.end(), [](const Outcome& o) { return o.failed; });
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

ExitStatus conclude(const Outcome& outcome, Communicator& communicator, mpi::Session* session) {
  if (session == nullptr || communicator.size() == 1) {
    if (outcome.failed) write_stderr_line("atoll: " + outcome.message);
    return outcome.status;
  }
  if (!session->meet(outcome.failed && !outcome.agreed ? seconds_for_others : -1)) {
    write_stderr_line("atoll: " + with_rank(communicator.rank(), outcome.message));
    communicator.abort(outcome.status);
  }
  const std::vector<Outcome> all = all_outcomes(outcome, communicator);
  const auto failed = first_failure(all);
  if (communicator.rank() == 0) {
    std::set<std::string> said;
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (!all[rank].failed || !said.insert(all[rank].message).second) continue;
      write_stderr_line("atoll: " + (rank == 0
                                         ? all[rank].message
                                         : with_rank(static_cast<int>(rank), all[rank].message)));
    }
  }
  return failed != all.end() ? failed->status : all.front().status;
}

std::string on_root(Communicator& communicator, const std::function<std::string()>& action) {
  Outcome outcome;
  std::string result;
  if (communicator.rank() == 0) {
    outcome = outcome_of([&] {
      result = action();
      return ExitStatus::done;
    });
  }
  outcome = decoded(communicator.broadcast(encoded(outcome), 0));
  if (outcome.failed) throw AgreedError(outcome.status, outcome.message);
  const auto raw = std::as_bytes(std::span(result.data(), result.size()));
  const Bytes bytes = communicator.broadcast(Bytes(raw.begin(), raw.end()), 0);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void on_all(Communicator& communicator, const std::function<void()>& action) {
  const Outcome mine = outcome_of([&] {
    action();
    return ExitStatus::done;
  });
  std::uint64_t failures = mine.failed ? 1 : 0;
  communicator.all_reduce_sum(std::span(&failures, 1));
  if (failures == 0) return;
  const std::vector<Outcome> all = all_outcomes(mine, communicator);
  const auto failed = first_failure(all);
  const bool alike = std::all_of(all.begin(), all.end(),
                                 [&](const Outcome& o) { return o.message == failed->message; });
  const auto rank = static_cast<int>(failed - all.begin());
  throw AgreedError(failed->status, alike ? failed->message : with_rank(rank, failed->message));
}

}  // namespace atl
