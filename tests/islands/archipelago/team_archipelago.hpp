// What a rank of a team has to search for rules with the others (src/run/machine/teams.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "islands/algorithms.hpp"
#include "src/core/reducer.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/divide.hpp"
#include "src/data/shared_dataset.hpp"
#include "src/eval/counting_team.hpp"
#include "src/eval/device.hpp"
#include "tests/islands/archipelago/rule_archipelago.hpp"
#include "tests/islands/hooked_resident.hpp"
#include "tests/islands/planted_table.hpp"

namespace atl::test {

/// How ranks form teams, and what may go wrong there.
struct TeamSetting {
  int size = 1;  ///< 1: no teams
  TeamSplit split = TeamSplit::rows;
  unsigned threads = 1;
  int hosts = 1;  ///< that a team's members are on, in turn; a host holds what its ranks count
  /// Before a batch of an island is started, and before it is finished, on its thread. The island
  /// is counted from the first of the rank.
  using At = std::function<void(int rank, int island)>;
  At on_start = {}, on_finish = {};
  /// Before a rank asks for a sum, once for each.
  std::function<void(int rank)> on_sum = {};
};

/// Adds up by messages. A hook that throws is an adder that has failed.
class HookedReducer final : public Reducer {
 public:
  HookedReducer(Communicator& ranks, std::function<void()> on_sum)
      : messages_(ranks), on_sum_(std::move(on_sum)) {}
  void begin(std::vector<std::uint64_t> numbers) override {
    messages_.begin(std::move(numbers));
    asked_ = false;
  }
  std::optional<std::vector<std::uint64_t>> poll() override {
    if (!std::exchange(asked_, true)) on_sum_();
    return messages_.poll();
  }
  const char* name() const noexcept override { return "hooked"; }

 private:
  MessageReducer messages_;
  std::function<void()> on_sum_;
  bool asked_ = false;  // for the sum that is under way
};

/// So many rows that most members of a team of four have some, and one has none.
constexpr std::uint64_t team_rows = 9000;

class TeamRank {
 public:
  /// Collective.
  TeamRank(const Experiment& experiment, Communicator& ranks, const TeamSetting& setting)
      : rank_(ranks.rank()),
        setting_(setting),
        members_(ranks.split(ranks.rank() / setting.size)),
        lane_(ranks.split(ranks.rank() % setting.size)),
        counting_(*members_, setting.split),
        reducer_(*members_, [this] { on_sum(); }),
        pool_(setting.threads),
        dataset_(own_part(experiment, ranks)),
        grammar_(association_grammar(dataset_)),
        resident_(
            make_cpu_device(pool_)->load(dataset_), [this](int island) { on_start(island); },
            [this](int island) { on_finish(island); }),
        archipelago_(experiment, grammar_, joined(), pool_, *lane_,
                     in_team() ? &reducer_ : nullptr) {}

  Archipelago& archipelago() noexcept { return archipelago_; }
  const Dataset& dataset() const noexcept { return dataset_; }
  int member() const noexcept { return members_->rank(); }
  bool leads_lane() const noexcept { return lane_->rank() == 0; }

 private:
  bool in_team() const noexcept { return setting_.size > 1; }
  Dataset own_part(const Experiment& experiment, Communicator& ranks) const {
    if (!in_team() || !counting_.splits_rows()) return planted_table(team_rows, true);
    const RowShare own{member(), setting_.size};
    const int host = ranks.rank() % setting_.hosts;
    std::optional<Dataset> read;
    if (ranks.rank() == 0) read = planted_table(team_rows, true);
    Dataset whole = share(std::move(read), ranks, own, host).dataset;
    keep_rows(whole, rows_looked_at(experiment, whole), ranks, host);
    divide(whole, own);
    return whole;
  }
  Resident& joined() {
    if (in_team()) resident_.join(counting_);
    return resident_;
  }
  void on_start(int island) const {
    if (setting_.on_start) setting_.on_start(rank_, island);
  }
  void on_finish(int island) const {
    if (setting_.on_finish) setting_.on_finish(rank_, island);
  }
  void on_sum() const {
    if (setting_.on_sum) setting_.on_sum(rank_);
  }

  const int rank_;
  const TeamSetting setting_;
  std::unique_ptr<Communicator> members_, lane_;
  CountingTeam counting_;
  HookedReducer reducer_;
  ThreadPool pool_;
  Dataset dataset_;
  BoundGrammar grammar_;
  HookedResident resident_;
  RuleArchipelago archipelago_;
};

}  // namespace atl::test
