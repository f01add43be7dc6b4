#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "islands/algorithm.hpp"
#include "islands/archipelago/island.hpp"
#include "islands/archive_section.hpp"
#include "islands/rule_bytes.hpp"
#include "src/config/experiment.hpp"
#include "src/eval/device.hpp"
#include "src/grammar/island_grammars.hpp"
#include "src/rules/generalisation.hpp"

namespace atl {

/// @param algorithm  of the island; what it holds itself is neither looked at nor changed
/// @return the evaluated individuals that it has saved beside the population
/// @throws BadBytes if the island is not of this experiment
std::vector<Individual> expect_of(const Experiment& experiment, const Algorithm& algorithm,
                                  const SavedIsland& island);

/// One population of rules. Its generation waits for each round of fits, and then for the batch of
/// what was bred.
class RuleIsland final : public Island {
 public:
  /// @param experiment, grammars, resident  must outlive it
  RuleIsland(std::uint32_t number, const Experiment& experiment, const IslandGrammars& grammars,
             std::unique_ptr<Algorithm> algorithm, Resident& resident);

  Step advance(PhaseTimes& spent) override;
  bool ready() const override;
  std::span<std::uint64_t> numbers() override { return numbers_; }

  HistoryRow summary() const override;
  void offer(Results& results) override;
  std::vector<Migrant> emigrants(std::size_t most) override;
  /// Takes immigrants in. Those that are not of this island's grammar find no place.
  std::vector<Move> immigrate(std::span<const Migrant> migrants) override;

  std::uint32_t version() const override { return island_state_version; }
  void save(ByteWriter& out) const override { encode(out, state_, algorithm_->save()); }
  void load(ByteReader& in, const HistoryRow& last) override;

 private:
  /// A measure of the island's individuals: kept beside them by the algorithm, or computed.
  class Value {
   public:
    Value(Measure measure, const Algorithm& algorithm);
    double of(const Individual& individual) const;

   private:
    Measure measure_;
    std::optional<std::size_t> kept_;
  };

  Step breed(PhaseTimes& spent);
  void prepare();
  void read_counts();
  void read_part();

  void replace();
  bool belongs(const Individual& individual, const BoundGrammar& grammar) const;

  const Experiment& experiment_;
  const IslandGrammars& grammars_;
  const BoundGrammar& grammar_;
  std::unique_ptr<Algorithm> algorithm_;
  bool generalises_;  // on all islands alike, as immigrants bring their counts along
  const CountingOptions options_;
  const CountingTeam* team_;  // null: it counts alone
  std::unique_ptr<RuleCounter> counter_;
  const TargetTotals* target_;  // of a mean; null
  Generalisation generalisation_;
  std::vector<Value> maximized_;
  const Value archived_by_;
  IslandState state_;
  std::uint64_t evaluated_ = 0;

  std::uint32_t generation_ = 0;  // being worked on, or done
  bool begun_ = false;            // is there any?
  enum class Stage { none, breeding, counting, adding };
  Stage stage_ = Stage::none;  // that it waits in
  Offspring offspring_;
  std::vector<Rule> rules_;
  std::vector<std::size_t> generalisations_;  // of each of the fresh; empty if they are not counted
  RuleRange share_;                           // of the rules that this rank counts
  std::vector<RuleCounts> counts_;            // [rules]
  std::vector<std::uint64_t> numbers_;        // of these, to be added up
  std::vector<RuleStatistics>
      of_general_;  // of one rule's generalisations; few, to stay in a cache
  std::vector<ArchiveCandidate> candidates_;
  const ArchiveBars* bars_ = nullptr;  // of the results that it offers to, once it has
};

}  // namespace atl
