// Fits of many bounds at once.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/attribute.hpp"
#include "src/eval/device.hpp"
#include "src/rules/bound_relation.hpp"
#include "src/rules/comparison.hpp"
#include "src/rules/rule.hpp"
#include "src/sampling/interval_fitter.hpp"

namespace atl {

/// [attributes] first codes of the bins that the search knew but the first bin's, in exact codes;
/// empty of attributes without bins.
using BinEdges = std::vector<std::vector<std::uint32_t>>;

/// The question about one comparison, as IntervalTrial has it, with the comparisons that a trial
/// only refers to. Fits that look at the same rows stand together in their order.
struct BoundFit {
  std::vector<Comparison> rest;  ///< none of them on the attribute
  std::vector<Comparison> positives;
  std::uint32_t attribute = 0;
  BoundRelation relation = BoundRelation::interval;
  std::optional<PositiveShare> share = {};
  std::optional<std::uint32_t> only = {};
  /// Most rows on which `rest` holds that are looked at.
  std::size_t rows = std::numeric_limits<std::size_t>::max();
  friend auto operator<=>(const BoundFit&, const BoundFit&) = default;
};

struct BoundFitHash {
  std::size_t operator()(const BoundFit& asked) const noexcept;
};

/// Fits to the rows of a dataset with every value a code of its own. The threads of a pool share
/// the fits that are asked for together, each with a fitter of its own. None is made twice: rules
/// that climb end at the same ones, and some of their bounds stay from one round to the next.
class BoundFits {
 public:
  /// The arguments must outlive it.
  /// @param edges              at which bounds stay unless they gain (IntervalTrial); empty: none
  /// @param refine_thresholds  of all trials
  BoundFits(Resident& exact, ThreadPool& pool, const BinEdges& edges, bool refine_thresholds);
  ~BoundFits();

  /// Blocking. Does not depend on the number of threads. If it throws, it is not to be asked again.
  /// @return [asked] absent where nothing gains
  std::vector<std::optional<FittedInterval>> fit(std::vector<BoundFit> asked);

 private:
  using Known = std::unordered_map<BoundFit, std::optional<FittedInterval>, BoundFitHash>;

  /// @param fresh  in the order of their keys; their values are overwritten
  void fit_all(std::span<Known::value_type* const> fresh);
  IntervalTrial trial(const BoundFit& asked) const;

  Resident& resident_;
  ThreadPool& pool_;
  const BinEdges& edges_;
  bool refine_thresholds_;
  std::vector<std::unique_ptr<IntervalFitter>> fitters_;  // [worker]
  std::optional<ThreadPool::Ticket> first_;  // while the first fitter, and its rows, are made
  Known known_;
};

/// The same rule, on the same rows, in the codes of the same attributes before binning.
/// @throws InternalError if the attributes are not
Rule in_exact_codes(const Rule& rule, std::span<const Attribute> binned,
                    std::span<const Attribute> exact);

/// The edges of the bins of attributes as the search knew them, among all values.
BinEdges bin_edges(std::span<const Attribute> binned, std::span<const Attribute> exact);

}  // namespace atl
