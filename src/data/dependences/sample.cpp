#include "src/data/dependences/sample.hpp"

#include <algorithm>
#include <utility>

#include "src/core/portable_math.hpp"
#include "src/core/random.hpp"
#include "src/core/row_hash.hpp"
#include "src/data/drawn_row.hpp"
#include "src/data/row_codes.hpp"

namespace atl {
namespace {

constexpr std::uint64_t most_rows = 65536;
constexpr std::uint64_t most_cells = std::uint64_t{1} << 26;  // of all attributes, 128 MiB
constexpr std::uint64_t fewest_rows = 1024;

}  // namespace

double SampleColumn::log_ways() const noexcept {
  double ways = log_factorial(rows);
  for (std::uint32_t label = 0; label < counts.size(); ++label)
    if (label != missing_label) ways -= log_factorial(counts[label]);
  return ways;
}

unsigned half_of(const Dataset& dataset, std::uint64_t row) noexcept {
  return static_cast<unsigned>(row_hash(dataset.first_row() + row) & 1);
}

DependenceSample::DependenceSample(const Dataset& dataset,
                                   std::span<const std::uint32_t> attributes, ThreadPool& pool)
    : dataset_(dataset),
      attributes_(attributes.begin(), attributes.end()),
      columns_(dataset.attributes().size()) {
  const std::uint64_t limit = std::clamp(most_cells / std::max<std::uint64_t>(attributes.size(), 1),
                                         fewest_rows, most_rows);
  const std::uint64_t count = std::min(dataset.rows(), limit);
  RandomStream stream({0, 0, 0, 0, Purpose::initialise});
  for (std::uint64_t i = 0; i < count; ++i) {
    rows_.push_back(drawn_row(i, count, dataset.rows()));
    places_.push_back(static_cast<std::uint32_t>(i));
    std::swap(places_[stream.below(i + 1)], places_.back());
  }
  halves_.resize(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i)
    halves_[places_[i]] = static_cast<std::uint8_t>(half_of(dataset, rows_[i]));
  pool.wait(
      pool.submit(attributes_.size(), [this](std::size_t i, unsigned) { read(attributes_[i]); }));
}

void DependenceSample::read(std::uint32_t attribute) {
  const std::vector<std::uint32_t> ascending = codes_of(dataset_, attribute, rows_);
  std::vector<std::uint32_t> codes(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) codes[places_[i]] = ascending[i];

  SampleColumn& column = columns_[attribute];
  if (std::find(codes.begin(), codes.end(), missing_code) != codes.end()) {
    column.missing_label = 0;
    column.codes.push_back(missing_code);
    column.counts.push_back(0);
  }
  std::vector<std::uint32_t> label_of(dataset_.attributes()[attribute].distinct(),
                                      SampleColumn::no_label);
  column.labels.resize(rows_.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    std::uint32_t label = 0;
    if (codes[i] != missing_code) {
      std::uint32_t& known = label_of[codes[i]];
      if (known == SampleColumn::no_label) {
        known = static_cast<std::uint32_t>(column.codes.size());
        column.codes.push_back(codes[i]);
        column.counts.push_back(0);
      }
      label = known;
    }
    ++column.counts[label];
    column.labels[i] = static_cast<std::uint16_t>(label);
  }
  for (std::uint32_t label = 0; label < column.counts.size(); ++label) {
    if (label == column.missing_label) continue;
    const std::uint32_t rows = column.counts[label];
    column.rows += rows;
    column.alone += rows == 1 ? 1 : 0;
    if (column.mode == SampleColumn::no_label || rows > column.counts[column.mode])
      column.mode = label;
  }
}

}  // namespace atl
