#include "cuda/host/reducing_team.hpp"

#include <map>
#include <vector>

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

}  // namespace atl::cuda
