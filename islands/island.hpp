#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "islands/algorithm.hpp"
#include "islands/migration.hpp"
#include "islands/rule_state.hpp"
#include "src/config/experiment.hpp"
#include "src/eval/evaluator.hpp"
#include "src/results/archive.hpp"
#include "src/rules/generalisation.hpp"

namespace atl {

/// One population and its way through a generation: breed, start, finish, replace, offer, in this
/// order. For one thread at a time, while others have other islands. Arguments must outlive it, and
/// the batch's evaluator.
class Island {
 public:
  Island(std::uint32_t number, const Experiment& experiment, const BoundGrammar& grammar,
         std::unique_ptr<Algorithm> algorithm, std::unique_ptr<EvaluatorBatch> batch);

  EvaluateOptions options() const { return algorithm_->options(); }  ///< of counting its rules

  /// @throws BadBytes if the state, of any island, is not of this experiment
  void expect_restorable(const IslandState& state) const;
  /// Takes over a state instead of beginning with generation 0.
  /// @param rows  its history
  /// @pre expect_restorable(state)
  void restore(const IslandState& state, std::vector<HistoryRow> rows);

  /// Begins the next generation: 0 derives at random, later ones breed. Prepares what is to be
  /// evaluated.
  void breed();
  void start();   ///< evaluation; does not block on it
  void finish();  ///< blocks until it is done
  /// Takes the counts, makes the next population, notes what may enter the archive, writes the
  /// history.
  void replace();
  /// Offers what replace() noted to the archive.
  void offer(Archive& archive) const;

  /// Individuals to send to other islands, which leave this one if the experiment says so.
  Emigrants emigrants();
  /// Those that are not of this island's grammar find no place.
  std::vector<Move> immigrate(std::span<const Arrival> arrivals);

  bool started() const noexcept { return started_; }  ///< and not yet finished
  /// The last one that it has completed. @pre there is one
  std::uint32_t generation() const noexcept { return history_.back().generation; }
  /// The one that breed() begins.
  std::uint32_t next_generation() const noexcept {
    return history_.empty() ? 0 : history_.back().generation + 1;
  }
  double breed_seconds() const noexcept { return breed_seconds_; }
  double fit_seconds() const { return algorithm_->fit_seconds(); }  ///< part of them
  const IslandState& state() const noexcept { return state_; }
  std::span<const HistoryRow> history() const noexcept { return history_; }

 private:
  struct Candidate {
    RuleRecord record;
    Niche niche;
  };

  void prepare();
  void read_counts();
  bool belongs(const Arrival& arrival) const;
  HistoryRow summary() const;

  const Experiment& experiment_;
  const BoundGrammar& grammar_;
  std::unique_ptr<Algorithm> algorithm_;
  std::unique_ptr<EvaluatorBatch> batch_;
  Generalisation generalisation_;
  std::vector<Measure> maximize_;
  IslandState state_;
  std::vector<HistoryRow> history_;
  std::uint64_t evaluated_ = 0;

  std::uint32_t generation_ = 0;  // being worked on
  bool started_ = false;
  double breed_seconds_ = 0;
  Offspring offspring_;
  std::vector<Rule> rules_;
  std::vector<std::size_t> generalisations_;  // of each of the fresh; empty if they are not counted
  std::vector<RuleCounts> counts_;
  std::vector<Candidate> candidates_;
};

}  // namespace atl
