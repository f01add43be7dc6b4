#include "src/measures/probability_figures.hpp"

#include <algorithm>
#include <cassert>

#include "src/core/portable_math.hpp"

namespace atl {
namespace {

constexpr double bin_bounds[] = {0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1};

std::size_t classes_of(const ToldRows& told) noexcept {
  return told.probabilities.empty() ? 0 : told.probabilities.front().size();
}

std::size_t columns_of(const ToldRows& told) noexcept {
  return told.probabilities.empty() ? 0 : told.rows.size() / told.probabilities.size();
}

std::uint64_t rows_at(const ToldRows& told, std::size_t rule, std::size_t column) noexcept {
  return told.rows[rule * columns_of(told) + column];
}

std::uint64_t known_rows(const ToldRows& told) noexcept {
  std::uint64_t rows = 0;
  for (std::size_t r = 0; r < told.probabilities.size(); ++r)
    for (std::size_t c = 0; c < classes_of(told); ++c) rows += rows_at(told, r, c);
  return rows;
}

/// @param loss  of a row, by what it is told and its class
template <typename Loss>
double mean_loss(const ToldRows& told, const Loss& loss) {
  double sum = 0, rows = 0;
  for (std::size_t r = 0; r < told.probabilities.size(); ++r) {
    for (std::size_t c = 0; c < classes_of(told); ++c) {
      const auto these = static_cast<double>(rows_at(told, r, c));
      if (these == 0) continue;
      sum += these * loss(told.probabilities[r], c);
      rows += these;
    }
  }
  return rows > 0 ? sum / rows : ProbabilityFigures::none;
}

/// Of the class against all others.
double auc_of(const ToldRows& told, std::size_t label) {
  struct Group {
    double probability;
    std::uint64_t rows, others;
  };
  std::vector<Group> groups;
  for (std::size_t r = 0; r < told.probabilities.size(); ++r) {
    Group& group = groups.emplace_back(Group{told.probabilities[r][label], 0, 0});
    for (std::size_t c = 0; c < classes_of(told); ++c)
      (c == label ? group.rows : group.others) += rows_at(told, r, c);
  }
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return a.probability < b.probability; });
  // Counts half pairs in integers, so that the order of equal groups changes nothing.
  __extension__ using Wide = unsigned __int128;
  Wide won = 0, rows = 0, others = 0;
  for (auto first = groups.begin(); first != groups.end();) {
    Wide equal_rows = 0, equal_others = 0;
    const double probability = first->probability;
    for (; first != groups.end() && first->probability == probability; ++first) {
      equal_rows += first->rows;
      equal_others += first->others;
    }
    won += equal_rows * (2 * others + equal_others);
    rows += equal_rows;
    others += equal_others;
  }
  if (rows == 0 || others == 0) return ProbabilityFigures::none;
  return static_cast<double>(won) / static_cast<double>(2 * rows * others);
}

/// The mean of the values that exist.
class MeanOfSome {
 public:
  void add(double value) noexcept {
    if (value != value) return;
    sum_ += value;
    ++number_;
  }
  double mean() const noexcept { return number_ > 0 ? sum_ / number_ : ProbabilityFigures::none; }

 private:
  double sum_ = 0;
  int number_ = 0;
};

}  // namespace

double log_loss(const ToldRows& told) {
  return mean_loss(told, [](const std::vector<double>& probabilities, std::size_t label) {
    const double its = probabilities[label];
    return its > 0 ? -portable_log(its) : std::numeric_limits<double>::infinity();
  });
}

double brier(const ToldRows& told) {
  return mean_loss(told, [](const std::vector<double>& probabilities, std::size_t label) {
    double sum = 0;
    for (std::size_t c = 0; c < probabilities.size(); ++c) {
      const double off = probabilities[c] - (c == label ? 1 : 0);
      sum += off * off;
    }
    return sum;
  });
}

double auc(const ToldRows& told) {
  const std::size_t classes = classes_of(told);
  if (classes == 2) return auc_of(told, 1);
  MeanOfSome mean;
  for (std::size_t label = 0; label < classes; ++label) mean.add(auc_of(told, label));
  return mean.mean();
}

std::vector<CalibrationBin> calibration_bins() {
  std::vector<CalibrationBin> bins;
  for (std::size_t i = 0; i + 1 < std::size(bin_bounds); ++i)
    bins.push_back({.from = bin_bounds[i], .to = bin_bounds[i + 1]});
  return bins;
}

std::vector<CalibrationBin> calibration(const ToldRows& told, std::span<const std::uint32_t> said) {
  assert(said.size() == told.probabilities.size());
  std::vector<CalibrationBin> bins = calibration_bins();
  for (std::size_t r = 0; r < said.size(); ++r) {
    const double probability = told.probabilities[r][said[r]];
    std::size_t place = bins.size() - 1;
    while (place > 0 && probability < bins[place].from) --place;
    CalibrationBin& bin = bins[place];
    std::uint64_t rows = 0;
    for (std::size_t c = 0; c < columns_of(told); ++c) rows += rows_at(told, r, c);
    bin.rows += rows;
    bin.right += rows_at(told, r, said[r]);
    bin.predicted += probability * static_cast<double>(rows);
  }
  return bins;
}

ProbabilityFigures probability_figures(const ToldRows& told, std::span<const std::uint32_t> said) {
  return {known_rows(told), log_loss(told), brier(told), auc(told), calibration(told, said)};
}

ProbabilityFigures together(std::span<const ProbabilityFigures> tests) {
  ProbabilityFigures all;
  all.calibration = calibration_bins();
  MeanOfSome auc;
  double log_losses = 0, briers = 0;
  for (const ProbabilityFigures& test : tests) {
    auc.add(test.auc);
    if (test.rows > 0) {
      all.rows += test.rows;
      log_losses += test.log_loss * static_cast<double>(test.rows);
      briers += test.brier * static_cast<double>(test.rows);
    }
    for (std::size_t i = 0; i < test.calibration.size(); ++i) {
      all.calibration[i].rows += test.calibration[i].rows;
      all.calibration[i].right += test.calibration[i].right;
      all.calibration[i].predicted += test.calibration[i].predicted;
    }
  }
  all.auc = auc.mean();
  if (all.rows > 0) {
    all.log_loss = log_losses / static_cast<double>(all.rows);
    all.brier = briers / static_cast<double>(all.rows);
  }
  return all;
}

}  // namespace atl
