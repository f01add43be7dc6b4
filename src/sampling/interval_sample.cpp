#include "src/sampling/interval_sample.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "src/core/parallel.hpp"
#include "src/data/drawn_row.hpp"
#include "src/data/row_codes.hpp"

namespace atl {
namespace {

constexpr std::uint64_t most_cells = std::uint64_t{1} << 25;  // of all attributes

/// The numbers below `count` in an order of which every beginning is spread over all of them (van
/// der Corput 1935).
std::vector<std::uint64_t> spread_order(std::uint64_t count) {
  const std::uint64_t power = std::bit_ceil(std::max<std::uint64_t>(count, 1));
  std::vector<std::uint64_t> order;
  order.reserve(count);
  std::uint64_t place = 0;
  for (std::uint64_t i = 0; i < power; ++i) {
    if (place < count) order.push_back(place);
    std::uint64_t carry = power / 2;  // adds 1 at the other end
    for (; (place & carry) != 0; carry /= 2) place ^= carry;
    place |= carry;
  }
  return order;
}

/// Ascending.
std::vector<std::uint64_t> drawn_rows(const Dataset& dataset, const IntervalRows& rows) {
  const std::uint64_t limit = most_cells / std::max<std::uint64_t>(dataset.attributes().size(), 1);
  const std::uint64_t count = std::min(
      {dataset.rows(), rows.most, std::max<std::uint64_t>(limit, IntervalSample::block_rows)});
  std::vector<std::uint64_t> drawn(count);
  for (std::uint64_t i = 0; i < count; ++i) drawn[i] = drawn_row(i, count, dataset.rows());
  return drawn;
}

/// Puts codes into the sample's order.
/// @param codes  [order] in the order of the dataset
/// @param out    [rows of whole blocks] what is behind the last row gets the missing value's code
template <typename Code>
void put_codes(std::span<const std::uint32_t> codes, std::span<const std::uint64_t> order,
               std::uint32_t missing, std::span<Code> out) {
  std::vector<Code> narrow(codes.size());  // which is read all over the place
  for (std::size_t i = 0; i < codes.size(); ++i)
    narrow[i] = static_cast<Code>(std::min(codes[i], missing));
  for (std::size_t i = 0; i < order.size(); ++i) out[i] = narrow[order[i]];
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(order.size()), out.end(),
            static_cast<Code>(missing));
}

std::uint32_t width_of_codes(std::uint32_t distinct) {
  if (distinct <= std::numeric_limits<std::uint8_t>::max()) return 1;
  return distinct <= std::numeric_limits<std::uint16_t>::max() ? 2 : 4;
}

}  // namespace

std::vector<std::uint64_t> rows_to_look_at(const Dataset& dataset, const IntervalRows& rows) {
  const std::vector<std::uint64_t> ascending = drawn_rows(dataset, rows);
  std::vector<std::uint64_t> drawn = spread_order(ascending.size());
  for (std::uint64_t& row : drawn) row = ascending[row];
  return drawn;
}

SpreadRows spread_rows(const Dataset& dataset, const IntervalRows& rows) {
  SpreadRows spread{drawn_rows(dataset, rows), {}};
  const std::vector<std::uint64_t> order = spread_order(spread.rows.size());
  spread.places.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    spread.places[order[i]] = static_cast<std::uint32_t>(i);
  return spread;
}

IntervalSample::IntervalSample(const Dataset& dataset, const IntervalRows& rows, ThreadPool* pool) {
  const auto attributes = dataset.attributes();
  const std::vector<std::uint64_t> drawn = drawn_rows(dataset, rows);
  const std::vector<std::uint64_t> order = spread_order(drawn.size());
  rows_ = drawn.size();
  enough_ = static_cast<std::size_t>(std::min<std::uint64_t>(rows.enough, rows_));
  const std::size_t stride = (rows_ + block_rows - 1) / block_rows * block_rows;
  std::size_t codes = 0;  // bytes
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    const std::uint32_t distinct = attributes[a].distinct();
    const std::uint32_t width = width_of_codes(distinct);
    most_distinct_ = std::max(most_distinct_, distinct);
    columns_.push_back({distinct, width, codes});
    codes += stride * width;
  }
  codes_.resize(codes);
  const auto read = [&](std::uint32_t a) {
    const auto& [distinct, width, begin] = columns_[a];
    const std::vector<std::uint32_t> its = codes_of(dataset, a, drawn);
    std::byte* const out = codes_.data() + begin;
    const auto put = [&, missing = distinct]<typename Code>(Code* first) {
      put_codes(std::span(its), order, missing, std::span(first, stride));
    };
    if (width == 1) {
      put(reinterpret_cast<std::uint8_t*>(out));
    } else if (width == 2) {
      put(reinterpret_cast<std::uint16_t*>(out));
    } else {
      put(reinterpret_cast<std::uint32_t*>(out));
    }
  };
  for_each_index(pool, attributes.size(),
                 [&](std::size_t a) { read(static_cast<std::uint32_t>(a)); });
}

}  // namespace atl
