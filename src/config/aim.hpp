#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/numeric_target.hpp"

namespace atl {

/// Most attributes that can be required.
inline constexpr std::size_t most_required = 6;

/// The target of rules that are to conclude anything.
inline constexpr std::string_view no_target = "none";

/// The attributes and values that rules are to be about, as the user names them; the data are not
/// known yet. Lists in the order given. Empty lists leave open what they are about.
struct Aim {
  /// Consequents: "a=*", comparisons such as "a > 41", or a single statistic (numeric_target.hpp).
  /// Or no_target alone, so that those that the data designate are none, either.
  std::vector<std::string> target;
  std::vector<std::string> antecedent;  ///< attributes that an antecedent may name
  std::vector<std::string> consequent;  ///< attributes that a consequent may name
  std::vector<std::string> require;     ///< attributes that every rule names once, on either side
  std::vector<std::string> exclude;     ///< attributes that no rule names

  bool has_target() const { return !target.empty() && target.front() != no_target; }
  bool open() const {
    return !has_target() && antecedent.empty() && consequent.empty() && require.empty() &&
           exclude.empty();
  }
  /// The statistic, if that is what rules conclude. @throws UsageError if it is malformed
  std::optional<NumericTarget> numeric_target() const;
  bool concludes_mean() const;
  bool concludes_quantile() const;
  /// @throws UsageError if the lists contradict each other or themselves, whatever the data are
  void validate() const;
  friend bool operator==(const Aim&, const Aim&) = default;
};

}  // namespace atl
