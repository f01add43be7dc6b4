#include "src/app/bench/workload.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "src/app/generate/generate_stream.hpp"
#include "src/core/random.hpp"

namespace atl {

namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint32_t partition_rows = 65536;

RandomStream stream_of(GenerateStream use, std::uint32_t generation, std::uint32_t slot) {
  return RandomStream({seed, static_cast<std::uint32_t>(use), generation, slot, Purpose::generate});
}

std::vector<Attribute> workload_attributes(const WorkloadSize& size) {
  std::vector<Attribute> attributes(size.attributes);
  for (std::uint32_t a = 0; a < size.attributes; ++a) {
    attributes[a].name = 'a';
    attributes[a].name += std::to_string(a);
    attributes[a].exact_distinct = std::uint64_t{1} << size.planes;
    for (std::uint64_t code = 0; code < attributes[a].exact_distinct; ++code) {
      attributes[a].low.push_back(static_cast<double>(code));
    }
    attributes[a].high = attributes[a].low;
  }
  return attributes;
}

Comparison draw_comparison(RandomStream& stream, const Attribute& attribute, std::uint32_t index) {
  const std::uint32_t codes = attribute.distinct();
  if (!attribute.ordered() || codes < 2) {
    const auto code = static_cast<std::uint32_t>(stream.below(std::max(1U, codes)));
    return {index, code, code, false};
  }
  const auto bound = static_cast<std::uint32_t>(stream.below(codes - 1));
  const bool greater = stream.below(2) != 0;
  if (greater) return {index, bound + 1, codes - 1, false};
  return {index, 0, bound, false};
}

}  // namespace

Dataset workload_data(const WorkloadSize& size) {
  DatasetBuilder builder(workload_attributes(size), partition_rows);
  std::vector<RandomStream> streams;
  for (std::uint32_t a = 0; a < size.attributes; ++a) {
    for (std::uint32_t plane = 0; plane < size.planes; ++plane) {
      streams.push_back(stream_of(GenerateStream::bench_rows, a, plane));
    }
  }
  std::vector<std::uint64_t> words;
  for (std::uint64_t row = 0; row < size.rows; row += partition_rows) {
    const std::uint64_t rows = std::min<std::uint64_t>(partition_rows, size.rows - row);
    const std::size_t words_per_plane = words_for(rows);
    words.assign(streams.size() * words_per_plane, 0);
    for (std::size_t plane = 0; plane < streams.size(); ++plane) {
      const std::uint64_t used = (rows + 63) / 64;
      for (std::uint64_t w = 0; w < used; ++w) {
        words[plane * words_per_plane + w] = streams[plane].next_u64();
      }
    }
    builder.append_planes(rows, words);
  }
  return builder.finish({});
}

std::vector<Rule> workload_rules(std::span<const Attribute> attributes, std::uint32_t rules,
                                 std::uint32_t comparisons) {
  const std::uint32_t consequent = std::max(1U, comparisons / 3);
  std::vector<Rule> drawn;
  std::vector<std::uint32_t> order(attributes.size());
  std::vector<Comparison> chosen;
  for (std::uint32_t r = 0; r < rules; ++r) {
    RandomStream stream = stream_of(GenerateStream::bench_rules, 0, r);
    for (std::uint32_t a = 0; a < order.size(); ++a) order[a] = a;
    chosen.clear();
    for (std::size_t c = 0; c < comparisons; ++c) {
      std::swap(order[c], order[c + stream.below(order.size() - c)]);
      chosen.push_back(draw_comparison(stream, attributes[order[c]], order[c]));
    }
    const std::span<const Comparison> all(chosen);
    drawn.push_back({Expression::conjunction(all.first(comparisons - consequent)),
                     Expression::conjunction(all.last(consequent))});
  }
  return drawn;
}

}  // namespace atl
