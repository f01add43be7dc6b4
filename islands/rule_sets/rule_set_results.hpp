#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "islands/list_results.hpp"
#include "islands/rule_sets/list_fitness.hpp"
#include "islands/rule_sets/sampled_list.hpp"
#include "src/core/bytes.hpp"
#include "src/sampling/rule_grower.hpp"

namespace atl {

/// The list and its counts.
void encode(ByteWriter& out, const SampledList& list);
/// @return settled for the part
/// @throws BadBytes if it is malformed, longer than `most_rules`, or not as settle() leaves it
SampledList decode_list(ByteReader& in, const ClassSample& sample, const ListJudge& judge,
                        const Part& part, std::size_t most_rules);

class ListDeriver;
class ListTrees;

/// Settings that are the same for all populations of a search.
struct ListSearch {
  const ClassSample* sample = nullptr;
  const ListDeriver* deriver = nullptr;  ///< where lists begin
  const ListTrees* trees = nullptr;      ///< there, too
  ListJudge judge;
  GrowthSettings growth;
  std::size_t most_rules = 0;
  std::size_t room = 2;               ///< of a population, for lists of each number of rules
  std::size_t most_alternatives = 1;  ///< of a rule
  /// Those of a price are next to each other, of which the last is of all rows.
  std::vector<Part> parts;
  std::uint32_t islands = 1;
  ThreadPool* pool = nullptr;  ///< whose threads help islands that begin; null: none do

  /// Has the island a population of this part? Every one has that of all rows; inner folds are
  /// dealt to the islands in turn, as they only choose.
  bool has(std::uint32_t island, std::size_t part) const noexcept {
    const auto& without = parts[part].without;
    const std::uint32_t turns = islands < judge.folds ? islands : judge.folds;
    return !without || *without % turns == island % turns;
  }

  /// The part of all rows at the first price, which progress is told of.
  std::size_t main_part() const noexcept {
    std::size_t p = 0;
    while (parts[p].without) ++p;
    return p;
  }
};

/// A list of a front by its mean figure on unseen rows; without folds on those it was learnt from.
struct SizeFigure {
  double mean = 0;
  double error = 0;  ///< standard error; 0 without folds
};

/// The fronts of a search: of each part the best list of each number of rules.
class RuleSetResults final : public ListResults {
 public:
  /// @param search  must outlive it
  explicit RuleSetResults(const ListSearch& search);

  /// @param part  index
  void offer(std::size_t part, const SampledList& list);
  /// The front of a part, while no other thread uses the results.
  /// @return [most_rules + 1] of a part, nothing where none is known
  std::span<const std::optional<SampledList>> front_of(std::size_t part) const {
    return fronts_[part];
  }
  ListFront front() const override;
  double worth() const override;

  std::size_t size() const override;  ///< of the main part's front
  std::vector<double> best() const override;
  std::uint32_t version() const override { return list_search_version; }
  void save(ByteWriter& out) const override;
  void merge(ByteReader& in) override;

 private:
  void keep(std::size_t part, const SampledList& list);
  /// @param first, end  the parts of a price
  /// @param figures  [rows of the front] appended to
  ListFront front_of_price(std::size_t first, std::size_t end,
                           std::vector<SizeFigure>& figures) const;

  const ListSearch& search_;
  mutable std::mutex mutex_;
  std::vector<std::vector<std::optional<SampledList>>> fronts_;  // [parts][most_rules + 1]
};

/// Weight of the rows that it puts in the right class as a share of all.
double weighted_accuracy(const SampledList& list, const ListJudge& judge, const Part& part);

}  // namespace atl
