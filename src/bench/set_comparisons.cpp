#include "src/bench/set_comparisons.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "src/bench/stopwatch.hpp"
#include "src/core/error.hpp"
#include "src/exhaustive/pairs/batmap_sets.hpp"
#include "src/exhaustive/pairs/batmaps.hpp"
#include "src/exhaustive/pairs/item_bits.hpp"

namespace atl {
namespace {

constexpr std::uint32_t most_triples = 300;
constexpr double seconds_of_way = 0.3;
constexpr double published_merged_per_core = 2.25e8;  // elements a second

using Triple = std::array<std::uint32_t, 3>;

/// Of items next to each other by frequency, spread over all of them.
std::vector<Triple> triples_of(std::uint32_t items) {
  std::vector<Triple> triples;
  const std::uint32_t step = std::max(1U, items / most_triples);
  for (std::uint32_t first = 0; first + 2 < items; first += step) {
    triples.push_back({first, first + 1, first + 2});
  }
  return triples;
}

std::uint64_t in_bits(const ItemBits& bits, const Triple& triple) {
  std::uint64_t common = 0;
  for (std::size_t w = 0; w < bits.words; ++w) {
    common += static_cast<std::uint64_t>(std::popcount(
        bits.column(triple[0])[w] & bits.column(triple[1])[w] & bits.column(triple[2])[w]));
  }
  return common;
}

std::uint64_t in_lists(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                       const std::vector<std::uint32_t>& c) {
  std::uint64_t common = 0;
  for (std::size_t i = 0, j = 0, k = 0; i < a.size() && j < b.size() && k < c.size();) {
    const std::uint32_t most = std::max({a[i], b[j], c[k]});
    if (a[i] == most && b[j] == most && c[k] == most) {
      ++common, ++i, ++j, ++k;
      continue;
    }
    if (a[i] < most) ++i;
    if (b[j] < most) ++j;
    if (c[k] < most) ++k;
  }
  return common;
}

}  // namespace

Record triples_record(const PairRows& rows, ThreadPool& pool) {
  const BatMaps maps(rows, pool);
  const ItemBits bits(rows, rows.items());
  std::vector<std::vector<std::uint32_t>> lists(rows.items());
  for (std::uint32_t r = 0; r < rows.items(); ++r) {
    for (const PairRows::Place& place : rows.places(r)) lists[r].push_back(place.transaction);
  }
  const std::vector<Triple> triples = triples_of(rows.items());
  Record record = {{"bench", "pairs"},       {"backend", "cpu"},      {"threads", 1},
                   {"figure", "three sets"}, {"items", rows.items()}, {"triples", triples.size()}};
  std::vector<std::uint64_t> sums;
  const auto time = [&](const char* key, const auto& count) {
    std::uint64_t sum = 0;
    const Timing timing = time_repeatedly(
        [&] {
          sum = 0;
          for (const Triple& triple : triples) sum += count(triple);
        },
        seconds_of_way);
    sums.push_back(sum);
    record[key] = timing.median;
  };
  time("batmap_seconds", [&](const Triple& triple) {
    const BatMapView others[] = {maps.of(triple[1]), maps.of(triple[2])};
    return count_common_of_all(maps.layout(), lists[triple[0]], maps.of(triple[0]), others);
  });
  time("bitmap_seconds", [&](const Triple& triple) { return in_bits(bits, triple); });
  time("lists_seconds", [&](const Triple& triple) {
    return in_lists(lists[triple[0]], lists[triple[1]], lists[triple[2]]);
  });
  if (sums[0] != sums[1] || sums[0] != sums[2]) {
    throw InternalError("bench pairs: three sets have in common what depends on their form");
  }
  return record;
}

Record merging_record(std::uint64_t most) {
  const std::size_t size = std::min<std::uint64_t>(most, std::uint64_t{1} << 24);
  std::vector<std::uint32_t> a(size), b(size);
  std::uint32_t x = 0, y = 0;
  for (std::size_t k = 0; k < size; ++k) {  // about as many steps in each as a coin would have it
    a[k] = x += 1 + (static_cast<std::uint32_t>(k) * 2654435761U >> 31);
    b[k] = y += 1 + (static_cast<std::uint32_t>(k) * 2246822519U >> 31);
  }
  std::uint64_t common = 0;
  const Timing timing = time_repeatedly(
      [&] {
        for (std::size_t i = 0, j = 0; i < size && j < size;) {
          if (a[i] == b[j]) {
            ++common, ++i, ++j;
          } else if (a[i] < b[j]) {
            ++i;
          } else {
            ++j;
          }
        }
      },
      0.5);
  if (common == 0) throw InternalError("bench pairs merges nothing");
  return {{"bench", "pairs"},
          {"backend", "cpu"},
          {"threads", 1},
          {"figure", "merging"},
          {"seconds", timing.median},
          {"elements_per_s", 2 * static_cast<double>(size) / timing.median},
          {"published", {{"elements_per_s", published_merged_per_core}}}};
}

}  // namespace atl
