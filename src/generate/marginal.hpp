// Distributions of single attributes over the codes of their dictionaries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/random.hpp"
#include "src/data/attribute.hpp"

namespace atl {

/// A distribution over codes 0, 1, ..., laid in their order along the axis of a standard normal
/// variable, so that correlated normal variables give correlated codes (a Gaussian copula).
class Marginal {
 public:
  /// @param cumulative  [codes] share of codes up to each one, ascending; the last is taken as 1
  explicit Marginal(std::vector<double> cumulative);

  std::uint32_t codes() const noexcept { return static_cast<std::uint32_t>(cumulative_.size()); }
  /// Share of the codes up to this one.
  double cumulative(std::uint32_t code) const noexcept { return cumulative_[code]; }
  /// Share of the codes in [low, high].
  double share(std::uint32_t low, std::uint32_t high) const noexcept {
    return cumulative_[high] - (low == 0 ? 0 : cumulative_[low - 1]);
  }
  /// First code that `share` of the distribution does not exceed.
  std::uint32_t code_of_share(double share) const noexcept;
  /// The code that a standard normal value stands for.
  std::uint32_t code_of_normal(double z) const noexcept;
  /// Drawn from the codes in [low, high] or from those outside, by their shares.
  std::uint32_t draw_within(std::uint32_t low, std::uint32_t high, RandomStream& stream) const;
  std::uint32_t draw_outside(std::uint32_t low, std::uint32_t high, RandomStream& stream) const;

 private:
  std::vector<double> cumulative_;
  std::vector<double> bounds_;        ///< [codes] last normal value of each code
  std::vector<std::uint32_t> guide_;  ///< first code of each equal step of the normal axis
};

struct DistributedAttribute {
  Attribute attribute;
  Marginal marginal;
};

/// The number-th numeric attribute: flat, exponential, bell-shaped, heavy-tailed, two-peaked,
/// counts, and exponential with many zeros, in turn.
DistributedAttribute make_numeric(const std::string& name, std::uint32_t number);
/// 3 to 12 labels with Zipf's frequencies in drawn order.
DistributedAttribute make_nominal(const std::string& name, RandomStream& stream);
/// 3 to 5 levels with drawn frequencies.
DistributedAttribute make_ordinal(const std::string& name, RandomStream& stream);
/// A nominal attribute with labels that are equally frequent.
DistributedAttribute make_groups(const std::string& name, std::vector<std::string> labels);

}  // namespace atl
