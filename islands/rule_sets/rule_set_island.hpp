#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "islands/island.hpp"
#include "islands/rule_sets/fold_scorer.hpp"
#include "islands/rule_sets/list_breeder.hpp"
#include "islands/rule_sets/rule_set_results.hpp"
#include "islands/rule_sets/size_niches.hpp"
#include "src/config/experiment.hpp"

namespace atl {

/// Populations of decision lists, one for each part of the rows. A generation breeds for all of
/// them, then waits for one batch with all children.
class RuleSetIsland final : public Island {
 public:
  /// @param experiment, search  must outlive it
  RuleSetIsland(std::uint32_t number, const Experiment& experiment, const ListSearch& search,
                std::unique_ptr<FoldScorer> scorer);

  Step advance(PhaseTimes& spent) override;
  bool ready() const override { return true; }  // whoever asks for a batch first blocks

  HistoryRow summary() const override;
  void offer(Results& results) override;
  /// From its populations in turn, that of all rows first: each as a parent is drawn.
  std::vector<Migrant> emigrants(std::size_t most) override;
  std::vector<Move> immigrate(std::span<const Migrant> migrants) override;

  std::uint32_t version() const override { return 1; }
  /// All of its lists.
  std::vector<const SampledList*> lists() const;

  void save(ByteWriter& out) const override;
  void load(ByteReader& in, const HistoryRow& last) override;

 private:
  /// A list that waits to be scored.
  struct Child {
    std::size_t part;
    SampledList list;
  };

  void begin();
  void breed(std::size_t part);
  void replace();
  const std::uint64_t* rows(std::size_t part) const noexcept;

  const Experiment& experiment_;
  const ListSearch& search_;
  std::uint32_t number_;
  std::unique_ptr<FoldScorer> scorer_;
  ListBreeder breeder_;
  std::vector<SizeNiches> populations_;  // [parts]
  std::uint32_t generation_ = 0;         // being worked on, or done
  bool begun_ = false;                   // is there any?
  bool waits_ = false;
  std::uint64_t evaluated_ = 0;
  std::vector<Child> children_;
  std::vector<RuleSet> batch_;
  std::vector<RuleSetCounts> counts_;
};

}  // namespace atl
