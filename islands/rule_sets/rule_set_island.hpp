#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "islands/archipelago/island.hpp"
#include "islands/rule_sets/list_breeder.hpp"
#include "islands/rule_sets/list_covering.hpp"
#include "islands/rule_sets/list_fitness.hpp"
#include "islands/rule_sets/rule_set_results.hpp"
#include "islands/rule_sets/sampled_list.hpp"
#include "src/config/experiment.hpp"

namespace atl {

/// Populations of decision lists, one for each part of the rows that the island has. A generation
/// drafts children for all of them, waits until the rules that these need are grown, then until all
/// children are scored. Generation 0 derives lists and makes some of trees, and then grows rules
/// again and again, for one place of all other lists after the other.
class RuleSetIsland final : public Island {
 public:
  /// @param experiment, search  must outlive it
  RuleSetIsland(std::uint32_t number, const Experiment& experiment, const ListSearch& search,
                std::unique_ptr<RuleGrower> grower, std::unique_ptr<FoldScorer> scorer);

  Step advance(PhaseTimes& spent) override;
  /// Whoever asks for scores first blocks.
  bool ready() const override { return waits_for_ != Batch::rules || grower_->ready(); }

  HistoryRow summary() const override;
  void offer(Results& results) override;
  /// Draws lists from its populations in turn, the last one first: each as a parent is drawn. The
  /// turn goes on where the last migration ended.
  std::vector<Migrant> emigrants(std::size_t most) override;
  std::vector<Move> immigrate(std::span<const Migrant> migrants) override;

  std::uint32_t version() const override { return list_search_version; }
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
  struct PartDraft {
    std::size_t part;
    Draft draft;
  };
  struct PartCovering {
    std::size_t part;
    DrawKey key;
    ListCovering covering;
  };
  /// The batch that was handed to the device.
  enum class Batch { none, rules, lists };

  void begin();
  bool has(std::size_t part) const noexcept { return search_.has(number_, part); }
  void derive(std::size_t part);
  std::vector<std::vector<SampledList>> grow_trees() const;
  void begin_to_cover(std::size_t part);
  void draft(std::size_t part);
  void ask_coverings();
  void take_rules();
  void start_scores();
  void replace();

  const Experiment& experiment_;
  const ListSearch& search_;
  std::uint32_t number_;
  std::unique_ptr<RuleGrower> grower_;
  std::unique_ptr<FoldScorer> scorer_;
  ListBreeder breeder_;
  std::vector<SizeNiches> populations_;  // [parts], empty where it has none
  std::uint32_t generation_ = 0;         // being worked on, or done
  bool begun_ = false;                   // is there any?
  Batch waits_for_ = Batch::none;
  std::uint64_t evaluated_ = 0;
  std::vector<PartCovering> coverings_;  // of generation 0
  std::vector<PartDraft> drafts_;
  std::vector<GrowthTask> tasks_;
  std::vector<std::optional<Grown>> grown_;  // [tasks]
  std::vector<Child> children_;
  std::size_t replaced_ = 0;          // of the children: the others are still to be scored
  std::vector<RuleSet> batch_;        // of children that are scored together
  std::vector<DecidedRows> decided_;  // [batch]
};

}  // namespace atl
