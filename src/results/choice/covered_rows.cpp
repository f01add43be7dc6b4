#include "src/results/choice/covered_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "src/core/set_bits.hpp"
#include "src/measures/significance.hpp"
#include "src/sampling/common_bits.hpp"

namespace atl {
CoveredRows::CoveredRows(std::span<const RuleRecord> records, const AntecedentRows& rows,
                         bool without_missing)
    : of_mean_(records[0].table.target.side != TargetMoments::Side::none),
      low_(records[0].table.target.side == TargetMoments::Side::low) {
  find_values(records[0].rule.consequent, rows, without_missing);
  std::vector<const Expression*> sides;
  for (const RuleRecord& record : records) sides.push_back(&record.rule.antecedent);
  bits_ = rows.cover(sides);
  covered_.resize(rules());
  sums_.resize(rules());
  certainties_.resize(rules());
  const double of_all = all_.rows == 0 ? 0 : all_.gain / all_.rows;
  rows.pool().wait(rows.pool().submit(rules(), [&](std::size_t i, unsigned) {
    covered_[i] = common_bits(bits_[i].data(), bits_[i].data(), bits_[i].size());
    sums_[i] = sum_of(bits_[i]);
    certainties_[i] = sums_[i].rows == 0 ? 0 : atl::certainty(sums_[i], of_mean_) - of_all;
  }));
}

void CoveredRows::find_values(const Expression& consequent, const AntecedentRows& rows,
                              bool without_missing) {
  const Expression* const side = &consequent;
  positives_ = std::move(rows.cover(std::span(&side, 1))[0]);
  counting_.assign(rows.words(), ~std::uint64_t{0});
  if (rows.rows() % 64 != 0) counting_.back() = (std::uint64_t{1} << rows.rows() % 64) - 1;
  if (of_mean_) values_.assign(rows.rows(), 0);
  for (const Comparison& c : consequent.comparisons()) {
    const Attribute& attribute = rows.attributes()[c.attribute];
    if (!of_mean_ && !(without_missing && attribute.has_missing)) continue;
    const std::span<const std::uint32_t> codes = rows.codes(c.attribute);
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (codes[row] == missing_code) {
        counting_[row / 64] &= ~(std::uint64_t{1} << row % 64);
      } else if (of_mean_) {
        const double value = (attribute.low[codes[row]] + attribute.high[codes[row]]) / 2;
        values_[row] = low_ ? -value : value;
      }
    }
  }
  all_ = sum_of(counting_);
  if (!of_mean_) return;
  const double mean = all_.rows == 0 ? 0 : all_.gain / all_.rows;
  for_each_set_bit(counting_, counting_, [&](std::size_t row) {
    values_[row] -= mean;  // squares of values far from 0 would say little
  });
  all_ = sum_of(counting_);
}

std::vector<double> CoveredRows::gains() const {
  if (of_mean_) return values_;
  const double mean = all_.rows == 0 ? 0 : all_.gain / all_.rows;
  std::vector<double> gains(counting_.size() * 64, 0);
  for_each_set_bit(counting_, counting_, [&](std::size_t row) {
    gains[row] = static_cast<double>(positives_[row / 64] >> row % 64 & 1) - mean;
  });
  return gains;
}

FrontSum CoveredRows::sum_of(const RowBits& bits) const {
  FrontSum sum;
  if (!of_mean_) {
    std::uint64_t rows = 0, positives = 0;
    for (std::size_t w = 0; w < bits.size(); ++w) {
      const std::uint64_t its = bits[w] & counting_[w];
      rows += static_cast<std::uint64_t>(std::popcount(its));
      positives += static_cast<std::uint64_t>(std::popcount(its & positives_[w]));
    }
    sum.rows = static_cast<std::uint32_t>(rows);
    sum.gain = sum.square = static_cast<double>(positives);
    return sum;
  }
  for_each_set_bit(bits, counting_, [&](std::size_t row) {
    ++sum.rows;
    sum.gain += values_[row];
    sum.square += values_[row] * values_[row];
  });
  return sum;
}

double CoveredRows::likeness(std::size_t a, std::size_t b) const {
  const std::uint64_t common = common_bits(bits_[a].data(), bits_[b].data(), bits_[a].size());
  const std::uint64_t either = covered_[a] + covered_[b] - common;
  return either == 0 ? 0 : static_cast<double>(common) / static_cast<double>(either);
}

bool CoveredRows::is_variant(std::size_t rule, std::size_t line, double most_similar) const {
  if (most_similar >= 1) return false;
  const auto own = static_cast<double>(covered_[rule]);
  const auto its = static_cast<double>(covered_[line]);
  if (std::min(own, its) <= most_similar * std::max(own, its) && variant_inside * own > its)
    return false;
  const auto common =
      static_cast<double>(common_bits(bits_[rule].data(), bits_[line].data(), bits_[rule].size()));
  if (common > most_similar * (own + its - common)) return true;
  return common >= variant_inside * own && !is_productive(rule, line);
}

bool CoveredRows::is_productive(std::size_t rule, std::size_t line) const {
  RowBits both = bits_[rule];
  for (std::size_t w = 0; w < both.size(); ++w) both[w] &= bits_[line][w];
  const FrontSum special = sum_of(both);
  const FrontSum& general = sums_[line];
  if (!of_mean_) {
    const auto rows_of_label = [](double gain) { return static_cast<std::uint64_t>(gain); };
    return log_fisher_p({general.rows, special.rows, rows_of_label(general.gain),
                         rows_of_label(special.gain)}) <= log_unproductive;
  }
  if (special.rows == 0) return false;
  ContingencyTable table{general.rows, special.rows, general.rows, special.rows};
  const double mean = general.gain / general.rows;
  table.target.side = TargetMoments::Side::high;
  table.target.mean = special.gain / special.rows;
  table.target.mean_all = mean;
  table.target.deviation_all =
      std::sqrt(std::max(general.square / general.rows - mean * mean, 0.0));
  return log_mean_p(table) <= log_unproductive;
}

}  // namespace atl
