// The state of a run, from the partial states of its ranks.
#pragma once

#include <utility>
#include <vector>

#include "islands/search.hpp"
#include "src/core/bytes.hpp"
#include "src/core/run_state.hpp"
#include "src/results/history.hpp"

namespace atl {

/// Copies of what ranks have, so that islands need not wait until they are written.
struct PartialState {
  RunState own;               ///< rank 0's part, with the header of the whole
  std::vector<Bytes> others;  ///< the encoded parts of the other ranks
};

/// Makes states of parts, which have each history row that is kept once.
class StateAssembler {
 public:
  /// @param search  makes the results; must outlive it
  /// @param history  of the state that the run goes on from
  StateAssembler(const Search& search, History history)
      : search_(search), kept_(std::move(history.kept)) {}

  /// Makes the state of these parts. Its history keeps the rows of all parts so far, so parts must
  /// be passed in the order in which they were gathered, and none may be left out.
  RunState assemble(PartialState parts);

 private:
  const Search& search_;
  std::vector<HistoryRow> kept_;  // by generation, then island
};

}  // namespace atl
