// Which rules of one run another one has, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/results/written/written_rule.hpp"

namespace atl {

/// The Jaccard index of the rows of two antecedents from which on they are taken for one.
inline constexpr double same_find = 0.8;

/// How much of a rule another run has; the first of these that holds.
enum class Shared : std::uint8_t {
  rule,   ///< this very rule
  rows,   ///< one of the same rows
  alike,  ///< one that is alike: of nearly the same rows (same_find), or, without data, of the same
          ///< attributes and labels, with bounds that overlap
  none,
};
/// The name in files.
std::string_view to_string(Shared shared) noexcept;

/// What the other run has of a rule.
struct Counterpart {
  Shared shared = Shared::none;
  /// Index of the one among the other's rules that is most like it; of those with its consequent.
  std::optional<std::size_t> other;
  std::optional<double> jaccard;  ///< of their rows
};

/// Looks for each rule in another list, by text.
/// @return [rules]
std::vector<Counterpart> counterparts(std::span<const WrittenRule> rules,
                                      std::span<const WrittenRule> others);

/// The rows of both lists' rules in some data.
class RowsOfRules {
 public:
  /// Attributes are found by name, values by what they are.
  /// @throws BadCell for attributes that the data do not have
  RowsOfRules(std::span<const WrittenRule> rules, const Dataset& data, ThreadPool& pool);

  /// @return [rules of this]
  std::vector<Counterpart> counterparts_in(const RowsOfRules& others) const;

  /// The figure of merit (docs/notes/quality.md) of the first `lines` rules on these rows: up to 20
  /// are taken, each time that of the greatest sum over its rows of weight times (1 if the
  /// consequent holds, less its share of all) / n; then its rows weigh half. Summed over the
  /// consequents. Not for rules about a mean.
  double merit(std::size_t lines) const;

 private:
  using Bits = std::vector<std::uint64_t>;

  std::span<const WrittenRule> rules_;
  std::size_t rows_ = 0;
  std::vector<Bits> antecedents_, consequents_;  // [rules]
};

}  // namespace atl
