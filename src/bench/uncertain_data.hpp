// The data sets of Kozawa 2016, Table 3.2, as near as they are at hand.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/core/report.hpp"
#include "src/data/transactions/transaction_set.hpp"
#include "src/generate/probabilities.hpp"

namespace atl {

/// A row of Table 3.2, and the supports that ours is measured with.
struct UncertainDataset {
  const char* name;
  std::uint32_t items;  ///< different ones, as the thesis has them
  std::uint32_t rows;
  double density;  ///< the mean length of a transaction, of the items
  ProbabilityModel model;
  double minsup;  ///< share of the rows
  /// For figures over minsup: those that the text names, and one or two on either side, as the
  /// thesis' axes are not in its text.
  std::vector<double> minsups;
};

const std::vector<UncertainDataset>& uncertain_datasets();

/// Transactions that exist with probabilities, and what they were made of.
struct UncertainData {
  TransactionSet transactions;
  std::uint32_t rows_of_file;  ///< before they were repeated; all of them if they were generated
  std::uint32_t items;         ///< different ones that occur
};

/// T25I10D500K is generated; others are read from the folder, NAME.dat or else a part of it,
/// NAME-*.dat, plain or as .xz. Rows are repeated until there are as many as asked for, or left
/// out. Each draws a probability of its own.
/// @return none if the folder is empty or has no such file
/// @throws as read_transactions()
std::optional<UncertainData> uncertain_data(const UncertainDataset& dataset, std::uint32_t rows,
                                            const std::string& folder, const Report& report);

/// The same probabilities on every machine: of so many transactions.
std::vector<double> drawn_probabilities(const ProbabilityModel& model, std::uint32_t rows);

/// Transactions of which 2^rank have both items of pair k, items 2k and 2k + 1, spread evenly.
/// @param pairs  below 2^16 @param ranks  [pairs] of which 2^rank is at most the number of rows
TransactionSet paired_transactions(std::uint32_t rows, std::span<const std::uint32_t> ranks);

}  // namespace atl
