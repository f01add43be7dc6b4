#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "islands/rule_sets/sampled_list.hpp"

namespace atl {

/// @param decided  [rules + 1][folds][2 classes]
inline SampledList scored(std::vector<std::uint32_t> labels, std::uint32_t default_class,
                          const std::vector<std::uint64_t>& decided) {
  SampledList list;
  for (std::size_t r = 0; r < labels.size(); ++r) {
    const ClassRule rule{Expression::of({static_cast<std::uint32_t>(r), 0, 0, false}), labels[r]};
    list.rules.push_back(std::make_shared<const SampledRule>(rule, nullptr));
  }
  list.default_class = default_class;
  const auto folds = static_cast<std::uint32_t>(decided.size() / (labels.size() + 1) / 2);
  list.decided = DecidedRows(decided, folds, 2);
  return list;
}

}  // namespace atl
