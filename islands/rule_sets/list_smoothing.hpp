// Chooses how much the probabilities of a list are smoothed.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "islands/rule_sets/list_fitness.hpp"
#include "islands/rule_sets/sampled_list.hpp"
#include "src/measures/class_probabilities.hpp"

namespace atl {

/// Values of Smoothing::rows that are tried.
inline constexpr double smoothing_rows[] = {0.5, 1, 2, 4, 8, 16, 32};

/// The one with which the fittest list of each part tells the fold that it has not seen the
/// probabilities of least log-loss, the smallest of equals; 2 without such folds. Rows count as
/// they are, whatever they weigh.
/// @param fronts  [parts][most rules + 1] @param parts  of a price, the last of all rows
/// @param rules  most of a list
/// @return with the shares of all rows
/// @pre the last part has a list of at most so many rules
Smoothing list_smoothing(std::span<const std::vector<std::optional<SampledList>>> fronts,
                         std::span<const Part> parts, std::size_t rules, const ListJudge& judge);

}  // namespace atl
