// Decision lists as the pipeline of Cano et al. 2014 uploads them. Host code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/host/pittsburgh_format.hpp"
#include "src/rules/rule_set.hpp"

namespace atl::cuda {

/// Reusable: build() keeps what was allocated.
class PittsburghRules {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// @throws UsageError for a rule that needs more of the stack than there is
  void build(std::span<const RuleSet> lists, std::span<const Attribute> attributes);

  std::span<const float> symbols() const noexcept { return symbols_; }
  /// Rules of the longest list.
  std::uint32_t most_rules() const noexcept { return most_rules_; }
  /// [lists][most_rules] where each rule begins among the symbols, or none
  std::span<const std::size_t> begins() const noexcept { return begins_; }
  std::span<const std::int32_t> consequents() const noexcept { return consequents_; }  ///< likewise
  std::span<const std::int32_t> defaults() const noexcept { return defaults_; }        ///< [lists]

 private:
  void append(const Expression& antecedent, std::span<const Attribute> attributes);
  void append(PittsburghSymbol symbol) { symbols_.push_back(static_cast<float>(symbol)); }
  void append(PittsburghSymbol symbol, std::uint32_t attribute, std::uint32_t value);

  std::vector<float> symbols_;
  std::uint32_t most_rules_ = 0;
  std::vector<std::size_t> begins_;
  std::vector<std::int32_t> consequents_;
  std::vector<std::int32_t> defaults_;
};

}  // namespace atl::cuda
