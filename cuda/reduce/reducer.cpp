#include "cuda/reduce/reducer.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "cuda/host/assignment.hpp"
#include "cuda/reduce/nccl_library.hpp"
#include "cuda/reduce/nccl_reducer.hpp"
#include "src/core/agreement.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

/// Connections take seconds, also between hosts.
constexpr std::chrono::seconds connecting_limit{60};

/// The reason why the action throws, if it does.
std::string problem_of(const std::function<void()>& action) {
  std::string reason;
  const Outcome outcome = outcome_of([&] {
    try {
      action();
    } catch (const BackendUnavailable& error) {
      reason = error.reason;
    }
    return ExitStatus::done;
  });
  return outcome.failed ? outcome.message : reason;
}

/// Tests with fewer GPUs than ranks ask for it.
bool shares_gpu() {
  const char* const value = std::getenv("ATOLL_NCCL_SHARE_GPU");
  return value != nullptr && std::string_view(value) == "1";
}

/// Has any member's user asked for NCCL? Collective.
bool is_chosen(Communicator& members) {
  const char* const file = std::getenv("ATOLL_NCCL");
  std::uint64_t asks = shares_gpu() || (file != nullptr && *file != '\0') ? 1 : 0;
  members.all_reduce_sum({&asks, 1});
  return asks != 0;
}

/// Sets the variables that NCCL reads when it is first called.
void set_environment(int rank, bool shares) {
  // NVLink multicast needs resources that the fabric manager may refuse. NCCL 2.27 and 2.28 then
  // hang if it refuses them to some members only, and others fail (NCCL_NVLS_ENABLE in NCCL's
  // documentation). So little data gain nothing by it.
  ::setenv("NCCL_NVLS_ENABLE", "0", 0);
  // Members on different hosts, as NCCL then takes them to be, never have the same GPU. They send
  // over the network, to themselves.
  if (shares) ::setenv("NCCL_HOSTID", ("atoll-" + std::to_string(rank)).c_str(), 1);
}

/// The id of the team, from member 0. Collective. @throws alike on all members
ncclUniqueId make_unique_id(const NcclLibrary& nccl, Communicator& members) {
  const Bytes bytes = bytes_of_root(members, [&] {
    ncclUniqueId id{};
    nccl.expect(nccl.get_unique_id(&id));
    const auto raw = std::as_bytes(std::span(id.internal));
    return Bytes(raw.begin(), raw.end());
  });
  ncclUniqueId id{};
  require_bytes(bytes.size() == sizeof id.internal, "the id of a team has another length");
  std::memcpy(id.internal, bytes.data(), bytes.size());
  return id;
}

}  // namespace

TeamReducer make_nccl_reducer(Communicator& members, const VisibleDevice* device) {
  ReducingMember mine;
  NcclLibrary nccl;
  mine.problem = problem_of([&] {
    if (device == nullptr) throw BackendUnavailable("cuda", "it counts on the CPU");
    nccl = load_nccl();
  });
  if (device != nullptr) mine.uuid = device->uuid;
  mine.shares = shares_gpu();
  std::string problem = team_problem(mine, members);
  if (!problem.empty()) return {nullptr, problem, false};

  set_environment(members.rank(), mine.shares);
  NcclPlace place{{}, members.rank(), members.size(), device->number};
  problem = problem_of([&] { place.team = make_unique_id(nccl, members); });
  if (!problem.empty()) return {nullptr, problem, false};

  std::unique_ptr<NcclReducer> reducer;
  mine.problem = problem_of([&] {
    reducer = std::make_unique<NcclReducer>(nccl, place, members);
    reducer->connect(connecting_limit);
  });
  problem = team_problem(mine, members);
  if (!problem.empty()) return {nullptr, problem, false};
  return {std::move(reducer), {}, is_chosen(members)};
}

}  // namespace atl::cuda
