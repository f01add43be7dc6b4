// Archipelagos on threads in place of ranks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "src/eval/evaluator.hpp"
#include "tests/islands/planted_table.hpp"
#include "tests/islands/rule_archipelago.hpp"
#include "tests/islands/rule_run.hpp"
#include "tests/islands/thread_communicator.hpp"

namespace atl::test {

inline void step(Archipelago& archipelago) {
  archipelago.advance(archipelago.generation() + 1);
  archipelago.exchange();
}

using MakeEvaluator = std::function<std::unique_ptr<Evaluator>(const Dataset&, ThreadPool&)>;

inline std::unique_ptr<Evaluator> reference(const Dataset& dataset, ThreadPool&) {
  return make_reference_evaluator(dataset);
}

/// Of a preset, the parameter.
class ArchipelagoTest : public testing::TestWithParam<std::string> {
 protected:
  // Runs to a generation, from a state if there is one, and returns the state.
  RuleRun run(std::uint32_t generations, int ranks = 1, unsigned threads = 1,
              const MakeEvaluator& make = reference, const RuleRun* from = nullptr) {
    std::optional<RuleRun> result;
    run_ranks(ranks, [&](Communicator& communicator) {
      ThreadPool pool(threads);
      const auto evaluator = make(dataset_, pool);
      RuleArchipelago archipelago(experiment_, grammar_, dataset_, *evaluator, pool, communicator);
      if (from == nullptr) {
        archipelago.initialise();
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
