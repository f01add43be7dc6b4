#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "islands/rule_sets/rule_set_results.hpp"
#include "src/data/dataset.hpp"
#include "src/sampling/class_tree.hpp"

namespace atl {

/// Lists that say what classification trees say: populations begin with them, too. Where no value
/// is missing and rules may be long enough, they are as good on the sample as trees of as many
/// leaves. For any number of threads.
class ListTrees {
 public:
  /// @param dataset  what the sample is of
  /// @param folds  [rows] of the dataset
  /// @param search  must outlive it
  ListTrees(const Dataset& dataset, std::span<const std::uint8_t> folds, const ListSearch& search);

  /// Grows a tree on the rows of a part. Of each of its sizes there is the list that says the same:
  /// of two branches the one with fewer leaves comes first, of equals the one with fewer rows, so
  /// that the other one, behind it, does not have to tell the rows apart again.
  /// @param share  of the attributes that the tree may use, drawn
  /// @return lists of at least one rule, longer ones later
  std::vector<SampledList> grow(const Part& part, Impurity impurity, double share,
                                RandomStream& stream) const;

 private:
  const ListSearch& search_;
  std::vector<std::vector<std::uint32_t>> codes_;  // [columns][rows]
  std::vector<std::uint32_t> classes_;             // [rows]
  std::vector<std::uint8_t> folds_;                // [rows]
  TreeTable table_;                                // of codes_ and classes_
};

}  // namespace atl
