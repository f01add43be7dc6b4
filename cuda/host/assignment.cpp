#include "cuda/host/assignment.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "src/core/bytes.hpp"

namespace atl::cuda {

std::string team_problem(std::span<const ReducingMember> members) {
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const std::string& problem = members[rank].problem;
    if (!problem.empty()) return "rank " + std::to_string(rank) + " of the team: " + problem;
  }
  std::map<std::string, std::size_t> first;  // rank that has the GPU
  for (std::size_t rank = 0; rank < members.size(); ++rank) {
    const auto [other, alone] = first.try_emplace(members[rank].uuid, rank);
    if (alone || (members[rank].shares && members[other->second].shares)) continue;
    return "ranks " + std::to_string(other->second) + " and " + std::to_string(rank) +
           " of the team share a GPU, which NCCL does not allow";
  }
  return {};
}

std::string team_problem(const ReducingMember& mine, Communicator& members) {
  ByteWriter message;
  message.put_text(mine.problem);
  message.put_text(mine.uuid);
  message.put(mine.shares);
  std::vector<ReducingMember> all;
  for (const Bytes& bytes : members.all_gather(message.bytes())) {
    ByteReader reader(bytes);
    ReducingMember& member = all.emplace_back();
    member.problem = reader.get_text();
    member.uuid = reader.get_text();
    member.shares = reader.get_flag();
  }
  return team_problem(all);
}

std::vector<Assignment> assign_devices(std::span<const std::vector<std::string>> uuids) {
  std::vector<std::size_t> order(uuids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return uuids[a].size() < uuids[b].size(); });
  std::map<std::string, int> taken;
  std::vector<Assignment> assignments(uuids.size());
  for (const std::size_t rank : order) {
    const auto& seen = uuids[rank];
    const auto fewest = std::min_element(
        seen.begin(), seen.end(),
        [&](const std::string& a, const std::string& b) { return taken[a] < taken[b]; });
    if (fewest == seen.end()) continue;
    ++taken[*fewest];
    assignments[rank].device = static_cast<int>(fewest - seen.begin());
  }
  for (std::size_t rank = 0; rank < uuids.size(); ++rank) {
    const int device = assignments[rank].device;
    if (device >= 0)
      assignments[rank].sharing = taken[uuids[rank][static_cast<std::size_t>(device)]];
  }
  return assignments;
}

}  // namespace atl::cuda
