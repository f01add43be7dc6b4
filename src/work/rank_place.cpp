#include "src/work/rank_place.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "src/core/bytes.hpp"
#include "src/core/thread_pool.hpp"

namespace atl {

RankPlace own_place() {
  std::array<char, 256> host{};
  (void)::gethostname(host.data(), host.size() - 1);
  RankPlace place;
  place.host = host.data();
  std::ifstream boot("/proc/sys/kernel/random/boot_id", std::ios::binary);
  place.machine = {std::istreambuf_iterator<char>(boot), {}};
  if (place.machine.empty()) place.machine = place.host;
  place.cpus = allowed_cpus();
  return place;
}

std::vector<RankPlace> all_places(const RankPlace& mine, Communicator& communicator) {
  ByteWriter out;
  out.put_text(mine.host);
  out.put_text(mine.machine);
  out.put_text(cpus_text(mine.cpus));
  out.put(mine.threads);
  out.put(mine.sees_run);
  std::vector<RankPlace> all;
  for (const Bytes& bytes : communicator.all_gather(out.bytes())) {
    ByteReader in(bytes);
    RankPlace& place = all.emplace_back();
    place.host = in.get_text();
    place.machine = in.get_text();
    place.cpus = parse_cpus(in.get_text()).value_or(CpuList());
    place.threads = in.get<unsigned>();
    place.sees_run = in.get<bool>();
  }
  return all;
}

unsigned suitable_threads(const RankPlace& mine, std::span<const RankPlace> all) {
  if (mine.cpus.empty()) return available_cpus();
  const auto ranks = std::count_if(all.begin(), all.end(), [&](const RankPlace& other) {
    return other.machine == mine.machine && other.cpus == mine.cpus;
  });
  const auto cpus = static_cast<std::ptrdiff_t>(mine.cpus.size());
  return static_cast<unsigned>(
      std::max<std::ptrdiff_t>(cpus / std::max<std::ptrdiff_t>(ranks, 1), 1));
}

unsigned threads_of(unsigned asked, Communicator& communicator) {
  if (asked != 0) return asked;
  const RankPlace mine = own_place();
  return suitable_threads(mine, all_places(mine, communicator));
}

}  // namespace atl
