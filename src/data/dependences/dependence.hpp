// Finds the attributes of a table that only repeat each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/data/dependences/sample.hpp"

namespace atl {

/// Attribute `told` is known where `by` is, but for exceptions: rows that the mode of `told` on the
/// other half of the rows with the same value of `by` does not predict. Rows are those on which
/// both have a value.
struct Determination {
  std::uint32_t by = 0, told = 0;
  std::uint64_t rows = 0, exceptions = 0;
  friend bool operator==(const Determination&, const Determination&) = default;
};

/// whole = first + second on every row.
struct Sum {
  std::uint32_t whole = 0, first = 0, second = 0;  ///< first < second
  friend bool operator==(const Sum&, const Sum&) = default;
};

using AttributeGroup = std::vector<std::uint32_t>;  ///< ascending

/// The dependences that were found. All lists are ascending and the same for any number of threads.
struct DependencesFound {
  AttributeGroup constants;             ///< one value at most
  std::vector<AttributeGroup> copies;   ///< each value of one stands for one value of the others
  std::vector<AttributeGroup> one_hot;  ///< three or more; code 1 in exactly one of them, else 0
  std::vector<Sum> sums;
  /// Two or more whose values are missing on the same rows, but for some.
  std::vector<AttributeGroup> missing_together;
  /// Determinations between attributes that are no copies; of copies the first stands for all.
  std::vector<Determination> determinations;
  bool complete = true;  ///< within the limits of find_dependences
};

/// The dependences that were found, to be asked about rules. Attributes are those of the dataset.
class Dependences {
 public:
  Dependences() = default;
  /// @param attributes  how many there are
  Dependences(DependencesFound found, std::size_t attributes);

  const DependencesFound& found() const noexcept { return found_; }

  /// Does attribute `a` by itself tell `b`: as a copy, as the whole or a part of a sum, or by
  /// determination?
  bool tells(std::uint32_t a, std::uint32_t b) const noexcept;
  /// Does the antecedent say of the consequent's attribute only what a dependence says anyway? Yes
  /// if one antecedent attribute tells it. Also yes if it belongs to a one-hot group, and the
  /// antecedent names attributes of that group alone, or all other attributes of the group.
  /// @param antecedent  in any order, may repeat
  bool relates(std::span<const std::uint32_t> antecedent, std::uint32_t consequent) const;
  /// The first of the attributes that are copies of it; itself if there are none.
  std::uint32_t first_copy(std::uint32_t attribute) const noexcept {
    return attribute < class_of_.size() ? class_of_[attribute] : attribute;
  }
  /// The one-hot group with exactly this attribute; null if there is none.
  const AttributeGroup* one_hot_of(std::uint32_t attribute) const noexcept;
  /// Are the values of both missing on the same rows?
  bool missing_together(std::uint32_t a, std::uint32_t b) const noexcept;
  /// The attributes that tell this one, alone or together with the others of their group;
  /// ascending.
  AttributeGroup telling(std::uint32_t attribute) const;

 private:
  std::optional<std::size_t> group_of(std::uint32_t attribute) const noexcept;

  DependencesFound found_;
  std::vector<std::uint32_t> class_of_;       // [attributes] the first of its copies
  std::vector<AttributeGroup> told_by_;       // [class] classes
  std::vector<std::uint32_t> one_hot_group_;  // [class] index of one_hot, or none
  std::vector<std::uint32_t> missing_group_;  // [attributes] index of missing_together, or none
};

/// Looks for dependences on a sample of up to 65,536 rows, fewer beyond 1,024 attributes, and
/// keeps what holds on all rows.
///
/// B depends on A if, each row's B being predicted by the most frequent B among the rows of the
/// other half with the same A, exceptions are at most 1% of the rows and at most 5% of the rows off
/// the overall mode. Halves are drawn by row_hash(). Where the other half lacks a value of A, its
/// overall mode predicts. Rows on which either has no value are left out. A is no attribute of
/// which more than 5% of the rows are alone with their value. Copies have their missing values on
/// the same rows; two attributes of mostly single values are copies only if their order is the
/// same, or the reverse. Attributes are missing together with the first of their group if they
/// differ on at most 5% of the rows without a value, or, if these are fewer, with one. Sums are of
/// whole numbers, sums and one-hot groups without missing values. Whatever chance alone would show
/// in one table of a thousand is left out. A dependence that few rows tell of may be missed where
/// these are not in the sample.
///
/// Beyond the first 2,048 attributes that vary, only constants and copies are looked for.
/// Blocking. @param exact  bins would count as values, and binned attributes are in no sums
Dependences find_dependences(const Dataset& exact, ThreadPool& pool);

/// Finds copies among all attributes of the sample.
std::vector<AttributeGroup> find_copies(const DependenceSample& sample, ThreadPool& pool);

/// Groups that have no attribute in common.
std::vector<AttributeGroup> find_missing_together(const DependenceSample& sample);

/// Groups that have no attribute in common. Gives up after a fixed number of steps.
/// @param attributes  ascending
std::vector<AttributeGroup> find_one_hot(const DependenceSample& sample,
                                         std::span<const std::uint32_t> attributes);

/// @param attributes  ascending; of those with the same numbers the first alone is taken
/// @param copies  sums of which two attributes are copies are left out
std::vector<Sum> find_sums(const DependenceSample& sample,
                           std::span<const std::uint32_t> attributes,
                           std::span<const AttributeGroup> copies);

}  // namespace atl
