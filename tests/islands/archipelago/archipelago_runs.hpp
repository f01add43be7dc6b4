// Archipelagos on threads in place of ranks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "src/eval/device.hpp"
#include "tests/islands/archipelago/rule_archipelago.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"
#include "tests/islands/planted_table.hpp"
#include "tests/islands/rule_run.hpp"

namespace atl::test {

inline void step(Archipelago& archipelago) {
  archipelago.advance(archipelago.generation() + 1);
}

using Load = std::function<std::shared_ptr<Resident>(const Dataset&, ThreadPool&)>;

inline std::shared_ptr<Resident> reference(const Dataset& dataset, ThreadPool&) {
  return make_reference_device()->load(dataset);
}
inline std::shared_ptr<Resident> cpu(const Dataset& dataset, ThreadPool& pool) {
  return make_cpu_device(pool)->load(dataset);
}

/// Of a preset, the parameter.
class ArchipelagoTest : public testing::TestWithParam<std::string> {
 protected:
  // Runs to a generation, from a state if there is one, and returns the state.
  RuleRun run(std::uint32_t generations, int ranks = 1, unsigned threads = 1,
              const Load& load = cpu, const RuleRun* from = nullptr) {
    std::optional<RuleRun> result;
    run_ranks(ranks, [&](Communicator& communicator) {
      ThreadPool pool(threads);
      const auto resident = load(dataset_, pool);
      RuleArchipelago archipelago(experiment_, grammar_, *resident, pool, communicator);
      if (from == nullptr) {
        archipelago.advance(0);
      } else {
        archipelago.restore(close_run(*from));
      }
      while (archipelago.generation() < generations) step(archipelago);
      auto state = archipelago.whole_state();
      EXPECT_EQ(state.has_value(), communicator.rank() == 0);
      if (state) result = open_run(*state, grammar_);
    });
    return std::move(*result);
  }

  Dataset dataset_ = planted_table(1000, true);
  BoundGrammar grammar_ = association_grammar(dataset_);
  Experiment experiment_ = small_experiment(GetParam());
};

}  // namespace atl::test
