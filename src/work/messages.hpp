// Messages of rank 0 and the others to each other about a task.
#pragma once

#include <cstdint>
#include <string>

#include "src/core/bytes.hpp"
#include "src/core/communicator.hpp"
#include "src/core/error.hpp"
#include "src/work/ledger.hpp"
#include "src/work/task.hpp"

namespace atl {

/// The first byte of each message.
enum class TaskMessage : std::uint8_t {
  round,     ///< to a rank: a round begins; its number and its news
  run,       ///< to a rank: work on this
  stop,      ///< to a rank: stop the run and say what is left
  end,       ///< to a rank: the task is over; the status of the job
  text,      ///< of a run, from its rank
  done,      ///< a run is over; from its rank
  progress,  ///< what is left of a run; from its rank
  failed,    ///< the rank has failed
  signal,    ///< the rank was told to stop by a signal
};

inline constexpr Channel task_channel = Channel::control;

inline void put(ByteWriter& out, const std::vector<Piece>& pieces) {
  out.put(std::uint64_t{pieces.size()});
  for (const Piece& piece : pieces) out.put_all(std::span(piece));
}
inline std::vector<Piece> get_pieces(ByteReader& in) {
  std::vector<Piece> pieces(in.get_count(8));
  for (Piece& piece : pieces) piece = in.get_all<std::byte>();
  return pieces;
}

inline void put(ByteWriter& out, const Done& done) {
  out.put_all(std::span(done.found));
  out.put(std::uint64_t{done.rest.size()});
  for (const Rest& rest : done.rest) {
    put(out, rest.left);
    out.put_text(rest.text);
  }
}
inline Done get_done(ByteReader& in) {
  Done done;
  done.found = in.get_all<std::byte>();
  done.rest.resize(in.get_count(16));
  for (Rest& rest : done.rest) {
    rest.left = get_pieces(in);
    rest.text = in.get_text();
  }
  return done;
}

}  // namespace atl
