#include "src/bench/workload.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "src/core/random.hpp"
#include "src/generate/generate_stream.hpp"

namespace atl {

namespace {

constexpr std::uint64_t seed = 1;
constexpr std::uint32_t partition_rows = 65536;

RandomStream stream_of(GenerateStream use, std::uint32_t generation, std::uint32_t slot) {
  return RandomStream({seed, static_cast<std::uint32_t>(use), generation, slot, Purpose::generate});
}

std::vector<Attribute> workload_attributes(const Workload& workload) {
  std::vector<Attribute> attributes(workload.attributes);
  for (std::uint32_t a = 0; a < workload.attributes; ++a) {
    attributes[a].name = 'a';
    attributes[a].name += std::to_string(a);
    attributes[a].exact_distinct = std::uint64_t{1} << workload.planes;
    for (std::uint64_t code = 0; code < attributes[a].exact_distinct; ++code) {
      attributes[a].low.push_back(static_cast<double>(code));
    }
    attributes[a].high = attributes[a].low;
  }
  return attributes;
}

}  // namespace

TransactionSet quest_transactions(const QuestOptions& options, std::uint64_t count) {
  const QuestSource source(options);
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < options.items; ++i) names.push_back(std::to_string(i));
  std::vector<std::uint64_t> starts{0};
  std::vector<std::uint32_t> items;
  for (std::uint64_t first = 0; first < count; first += slice_rows) {
    source.make({first, std::min<std::uint64_t>(first + slice_rows, count)},
                [&](std::span<const std::uint32_t> transaction) {
                  items.insert(items.end(), transaction.begin(), transaction.end());
                  starts.push_back(items.size());
                });
  }
  return {std::move(names), std::move(starts), std::move(items)};
}

Dataset workload_data(const Workload& workload) {
  DatasetBuilder builder(workload_attributes(workload), partition_rows);
  std::vector<RandomStream> streams;
  for (std::uint32_t a = 0; a < workload.attributes; ++a) {
    for (std::uint32_t plane = 0; plane < workload.planes; ++plane) {
      streams.push_back(stream_of(GenerateStream::bench_rows, a, plane));
    }
  }
  std::vector<std::uint64_t> words;
  for (std::uint64_t row = 0; row < workload.rows; row += partition_rows) {
    const std::uint64_t rows = std::min<std::uint64_t>(partition_rows, workload.rows - row);
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

}  // namespace atl
