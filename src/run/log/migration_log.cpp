#include "src/run/log/migration_log.hpp"

#include <algorithm>
#include <tuple>

#include <nlohmann/json.hpp>

#include "src/core/agreement.hpp"
#include "src/core/bytes.hpp"

namespace atl {

namespace {

std::vector<Move> decode_moves(const Bytes& bytes) {
  ByteReader in(bytes);
  const auto numbers = in.get_all<std::uint32_t>();
  in.expect_end();
  std::vector<Move> moves;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    moves.push_back({numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]});
  }
  return moves;
}

}  // namespace

void expect_loggable_migration(const RunConfiguration& configuration) {
  if (!configuration.machine.migration_log) return;
  if (configuration.experiment.migration == Migration::synchronous) return;
  throw UsageError("--migration-log yes is of --migration synchronous alone");
}

void log_migration(std::uint32_t generation, std::span<const Move> moves,
                   Communicator& communicator, RunLog* log) {
  std::vector<std::uint32_t> numbers;
  for (const Move& move : moves) {
    numbers.insert(numbers.end(), {move.from, move.slot, move.to, move.place});
  }
  ByteWriter out;
  out.put_all(std::span<const std::uint32_t>(numbers));
  const auto parts = communicator.gather(out.bytes(), 0);
  on_root(communicator, [&] {
    std::vector<Move> all;
    for (const Bytes& part : parts) {
      const auto its = decode_moves(part);
      all.insert(all.end(), its.begin(), its.end());
    }
    // A rank's are in order already, and none is twice.
    std::stable_sort(all.begin(), all.end(), [](const Move& a, const Move& b) {
      return std::tie(a.to, a.from) < std::tie(b.to, b.from);
    });
    auto list = nlohmann::ordered_json::array();
    for (const Move& move : all) {
      nlohmann::ordered_json place;  // null
      if (move.place != Move::nowhere) place = move.place;
      list.push_back({move.from, move.slot, move.to, place});
    }
    log->write("migration", {{"generation", generation}, {"moves", std::move(list)}});
  });
}

}  // namespace atl
