// Chooses the order in which a batch is compiled for the device. Host code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/rules/rule.hpp"

namespace atl::cuda {

/// Reusable.
class RuleOrder {
 public:
  /// Rules whose sides begin with the same comparisons, or on the same attributes, come one after
  /// the other: a group of few rules then has fewer comparisons to evaluate and planes to load.
  /// Of an evolved population's by a fifth (docs/notes/evaluation.md).
  void by_comparisons(std::span<const Rule> rules);
  std::span<const std::uint32_t> indices() const noexcept { return indices_; }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t index;
  };
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> indices_;
};

}  // namespace atl::cuda
