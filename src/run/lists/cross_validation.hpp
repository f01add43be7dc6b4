// Tells how well decision lists classify rows that they have not been learnt from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/data/dataset.hpp"
#include "src/measures/confusion_matrix.hpp"
#include "src/measures/probability_figures.hpp"
#include "src/run/lists/baseline_folds.hpp"
#include "src/run/lists/classified_data.hpp"
#include "src/run/machine/backend.hpp"
#include "src/work/task.hpp"

namespace atl {

/// A list that was learnt from all folds but one, on the rows of that one.
struct FoldResult {
  std::uint32_t repeat = 0, fold = 0;  ///< from 0
  std::size_t rules = 0, comparisons = 0;
  double seconds = 0;             ///< to learn it
  std::uint32_t generations = 0;  ///< of its search
  bool gaining = false;           ///< might more of them have brought more?
  ConfusionMatrix matrix{0};
  ProbabilityFigures told;              ///< of the probabilities
  std::vector<BaselineFold> baselines;  ///< empty, or [baselines()]

  /// Rows of classes that the list has never seen.
  std::uint64_t unknown() const { return matrix.rows() - told.rows; }
};

struct CrossValidation {
  std::vector<std::string> classes;  ///< of the matrices
  std::vector<FoldResult> folds;     ///< by repeat, then fold
  ConfusionMatrix matrix{0};         ///< of all
};

struct CrossValidationPlan {
  std::uint32_t folds = 5, repeats = 1;
  bool compare = false;  ///< with baselines()
  Machine machine;
  ChooseBackend choose_backend;
  /// On every rank. Collective.
  std::function<ClassifiedData()> read;
  /// Writes what was found, and returns the line that tells of it. On the root.
  std::function<std::string(const CrossValidation&, const WriteText&)> finish;
};

/// Deals the rows to folds by class_folds(), anew in each repeat, and learns a list for each fold
/// from the others alone, bins included. Its pieces are folds, which a rank learns one by one; what
/// is learnt is the same for any number of ranks, but for the seconds.
class CrossValidationTask final : public Task {
 public:
  explicit CrossValidationTask(CrossValidationPlan plan);
  ~CrossValidationTask() override;

  PieceTraits traits() const override {
    return {.unit = "folds", .pauses = false, .one_by_one = true};
  }
  /// @throws UsageError if a fold would have no rows, or the class cannot be learnt
  void prepare(Worker& worker) override;
  Identity identity() const override;
  std::vector<Piece> pieces(int ranks) override;
  void expect(const Piece& piece) const override;
  void merge(std::span<const std::byte> found) override;
  void save(ByteWriter& out) override;
  void load(ByteReader& in) override;
  std::string finish(const WriteText& write) override;
  Done work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
            const std::stop_token& stop) override;

 private:
  class Learner;

  std::uint32_t all() const noexcept { return plan_.folds * plan_.repeats; }
  std::vector<std::uint8_t> folds_of(std::uint32_t repeat) const;
  FoldResult get_fold(ByteReader& in) const;

  CrossValidationPlan plan_;
  std::unique_ptr<ClassifiedData> data_;
  std::unique_ptr<Learner> learner_;
  const Report* report_ = nullptr;              // of the root
  std::map<std::uint32_t, FoldResult> learnt_;  // of the root, from repeat 0, fold 0 on
};

}  // namespace atl
