// Writes a batch as the device evaluates it (program_format.hpp). Host code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/program_format.hpp"
#include "src/data/attribute.hpp"
#include "src/eval/batch.hpp"

namespace atl::cuda {

class DeviceProgram {
 public:
  /// @param first_planes  [attributes] place of the lowest plane; `present` is behind the others
  void build(const Batch& batch, std::span<const Attribute> attributes,
             std::span<const std::uint32_t> first_planes);

  std::span<const std::uint32_t> words() const noexcept { return words_; }
  std::uint32_t groups() const noexcept { return groups_; }
  /// Most terms of a group.
  std::uint32_t terms() const noexcept { return terms_; }
  /// Of a comparison of the batch: where its support is counted.
  std::uint32_t position(std::uint32_t comparison) const noexcept { return position_[comparison]; }

 private:
  void build_group(const Batch& batch, const RuleGroup& group,
                   std::span<const Attribute> attributes,
                   std::span<const std::uint32_t> first_planes);
  void append(const BoundComparison& comparison, const Attribute& attribute);
  void append_digits(std::uint32_t bound, bool equal, std::uint32_t planes, std::uint32_t flags);

  std::vector<std::uint32_t> words_;
  std::uint32_t groups_ = 0;
  std::uint32_t terms_ = 0;
  std::vector<std::uint32_t> position_;  ///< [comparisons]

  std::vector<std::uint32_t> order_;  ///< comparisons of a group, by attribute
  std::vector<Use> uses_;             ///< of a group, by comparison
  std::vector<std::uint32_t> use_begins_;
  std::vector<bool> begun_;  ///< [terms of a group]
  std::size_t step_ = 0;     ///< first word of the step appended last
};

}  // namespace atl::cuda
