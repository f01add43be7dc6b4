#include "cuda/fit/fit_sample.hpp"

#include <algorithm>
#include <numeric>

#include "src/data/row_codes.hpp"

namespace atl::cuda {

namespace {

/// The codes of some rows of an attribute, each at its place.
/// @tparam Code  of one or two bytes
template <typename Code>
void put_codes(std::span<const std::uint32_t> codes, std::span<const std::uint32_t> places,
               const FitColumn& column, std::vector<std::byte>& out) {
  auto* const to = reinterpret_cast<Code*>(out.data());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    to[places[i]] = static_cast<Code>(codes[i] == missing_code ? column.distinct : codes[i]);
  }
}

std::size_t bytes_of(const FitColumn& column, std::uint64_t rows) {
  if (!column.on_device()) return 0;
  return rows * (column.two_bytes() ? 2 : 1);
}

}  // namespace

std::shared_ptr<const FitSample> FitSample::make(const Dataset& dataset,
                                                 std::span<const std::uint64_t> drawn,
                                                 std::uint64_t room) {
  const std::uint64_t rows = (drawn.size() + fit_step_rows - 1) / fit_step_rows * fit_step_rows;
  const auto sample = std::make_shared<FitSample>();
  sample->columns_ = fit_columns(dataset.attributes(), drawn.size());
  std::size_t bytes = 0, planes = 0;
  for (const FitColumn& column : sample->columns_) {
    bytes += bytes_of(column, rows);
    planes += column.planes;
  }
  const std::size_t words = planes * (rows / 32);
  if (bytes + words * sizeof(std::uint32_t) > room || !sample->codes_.try_reserve(bytes) ||
      !sample->planes_.try_reserve(words))
    return nullptr;
  sample->rows_ = {sample->codes_.data(), sample->planes_.data(),
                   static_cast<std::uint32_t>(drawn.size()), static_cast<std::uint32_t>(rows / 32)};
  sample->fill(dataset, drawn);
  return sample;
}

void FitSample::fill(const Dataset& dataset, std::span<const std::uint64_t> drawn) {
  const Stream stream;
  const std::uint64_t rows = std::uint64_t{rows_.plane_words} * 32;
  std::vector<std::uint32_t> places(drawn.size());  // in the order of rows
  std::iota(places.begin(), places.end(), 0U);
  std::sort(places.begin(), places.end(),
            [&](std::uint32_t a, std::uint32_t b) { return drawn[a] < drawn[b]; });
  std::vector<std::uint64_t> ascending;
  for (const std::uint32_t place : places) ascending.push_back(drawn[place]);
  std::vector<std::byte> codes;
  for (std::uint32_t a = 0; a < columns_.size(); ++a) {
    const FitColumn& column = columns_[a];
    if (!column.on_device() || rows == 0) continue;
    const std::vector<std::uint32_t> found = codes_of(dataset, a, ascending);
    codes.assign(bytes_of(column, rows), std::byte{0});
    if (column.two_bytes()) {
      put_codes<std::uint16_t>(found, places, column, codes);
    } else {
      put_codes<std::uint8_t>(found, places, column, codes);
    }
    std::byte* const to = codes_.data() + std::size_t{column.column} * fit_step_rows;
    check(cudaMemcpyAsync(to, codes.data(), codes.size(), cudaMemcpyHostToDevice, stream));
    launch_planes(to, column.two_bytes(), rows_.plane_words, column.planes,
                  planes_.data() + std::size_t{column.first_plane} * rows_.plane_words, stream);
    check(cudaStreamSynchronize(stream));  // before the codes are overwritten
  }
}

}  // namespace atl::cuda
