#pragma once

#include "src/measures/contingency_table.hpp"

namespace atl {

/// ln p of Fisher's exact test, one-sided: the probability of at least n_both rows in common, were
/// antecedent and consequent independent with their supports given. At most 0; the same bits on
/// every machine. @pre the counts are those of a table
double log_fisher_p(const ContingencyTable& table) noexcept;

}  // namespace atl
