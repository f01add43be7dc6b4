// How well decision lists classify rows that they have not been learnt from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/core/context.hpp"
#include "src/data/dataset.hpp"
#include "src/measures/confusion_matrix.hpp"
#include "src/run/machine/backend.hpp"

namespace atl {

/// A list that was learnt from all folds but one, on the rows of that one.
struct FoldResult {
  std::uint32_t repeat = 0, fold = 0;  ///< from 0
  std::size_t rules = 0, comparisons = 0;
  double seconds = 0;  ///< to learn it
  ConfusionMatrix matrix{0};
};

struct CrossValidation {
  std::vector<std::string> classes;  ///< of the matrices
  std::vector<FoldResult> folds;     ///< by repeat, then fold
  ConfusionMatrix matrix{0};         ///< of all
  bool stopped = false;              ///< by a signal, so that folds are missing
};

struct CrossValidationPlan {
  std::uint32_t folds = 5, repeats = 1;
  Machine machine;
  ChooseBackend choose_backend;
  std::string folder;  ///< where finished folds are kept; empty: nowhere
};

/// Deals the rows to folds by class_folds(), anew in each repeat, and learns a list for each fold
/// from the others alone, bins included. Ranks take turns; results are the same for any number of
/// them. Folds that are kept in the folder are not learnt again; signals stop it within a few
/// generations if there is a folder, and else end the process. Collective; blocking.
/// @param exact  on every rank; not binned
/// @param experiment  names the class
/// @throws UsageError if a fold would have no rows, the class cannot be learnt, or the folder holds
/// something else
/// @return rank 0's is of use
CrossValidation cross_validate(const Dataset& exact, const Experiment& experiment,
                               const CrossValidationPlan& plan, const Context& context);

}  // namespace atl
