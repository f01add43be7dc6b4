#include "islands/partial_state.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace atl {

RunState StateAssembler::assemble(PartialState parts) {
  RunState run = std::move(parts.own);
  for (const Bytes& bytes : parts.others) {
    RunState part = decode_run_state(bytes, grammars_);
    run.archive.merge(part.archive);
    std::move(part.islands.begin(), part.islands.end(), std::back_inserter(run.islands));
    std::move(part.history.begin(), part.history.end(), std::back_inserter(run.history));
  }
  std::sort(run.islands.begin(), run.islands.end(),
            [](const IslandState& a, const IslandState& b) { return a.island < b.island; });
  add_to_history(history_, std::move(run.history));
  run.history = history_;
  return run;
}

}  // namespace atl
