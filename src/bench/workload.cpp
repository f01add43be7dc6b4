#include "src/bench/workload.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "src/core/random.hpp"
#include "src/generate/generate_stream.hpp"
#include "src/generate/poker.hpp"
#include "src/run/data/run_data.hpp"

namespace atl {
namespace {

Dataset generate(const RowSource& source, std::uint64_t rows) {
  constexpr std::uint32_t partition_rows = 65536;
  const auto attributes = source.attributes();
  DatasetBuilder builder({attributes.begin(), attributes.end()}, partition_rows);
  std::vector<std::uint32_t> row(attributes.size());
  for (std::uint64_t first = 0; first < rows; first += partition_rows) {
    const std::uint64_t count = std::min<std::uint64_t>(partition_rows, rows - first);
    std::vector<std::vector<std::uint32_t>> columns(attributes.size());
    for (std::uint64_t r = 0; r < count; ++r) {
      source.make_row(first + r, row);
      for (std::size_t a = 0; a < row.size(); ++a) columns[a].push_back(row[a]);
    }
    builder.append(count,
                   std::vector<std::span<const std::uint32_t>>(columns.begin(), columns.end()));
  }
  return builder.finish({});
}

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

constexpr std::uint64_t rule_seed = 1;

Comparison draw_equality(RandomStream& stream, std::uint32_t codes, std::uint32_t index) {
  const auto code = static_cast<std::uint32_t>(stream.below(std::max(1U, codes)));
  return {index, code, code, false};
}

Comparison draw_one_sided(RandomStream& stream, std::uint32_t codes, std::uint32_t index) {
  const auto bound = static_cast<std::uint32_t>(stream.below(codes - 1));
  const bool greater = stream.below(2) != 0;
  if (greater) return {index, bound + 1, codes - 1, false};
  return {index, 0, bound, false};
}

Comparison draw_interval(RandomStream& stream, std::uint32_t codes, std::uint32_t index) {
  const auto one = 1 + static_cast<std::uint32_t>(stream.below(codes - 2));
  const auto other = 1 + static_cast<std::uint32_t>(stream.below(codes - 2));
  return {index, std::min(one, other), std::max(one, other), false};
}

Comparison draw_comparison(RandomStream& stream, const Attribute& attribute, std::uint32_t index,
                           RuleShape shape) {
  const std::uint32_t codes = attribute.distinct();
  if (!attribute.ordered() || codes < 2) return draw_equality(stream, codes, index);
  if (shape == RuleShape::intervals && codes > 2) return draw_interval(stream, codes, index);
  return draw_one_sided(stream, codes, index);
}

/// The program of `comparisons` leaves, split in two at random: AND, below it OR, and so on; one in
/// four of those below the first negated.
void draw_program(RandomStream& stream, std::uint64_t comparisons, std::uint32_t depth,
                  Ops& program) {
  if (comparisons == 1) {
    program.push_back(Op::comparison);
    return;
  }
  const std::uint64_t left = 1 + stream.below(comparisons - 1);
  draw_program(stream, left, depth + 1, program);
  draw_program(stream, comparisons - left, depth + 1, program);
  program.push_back(depth % 2 == 0 ? Op::conjunction : Op::disjunction);
  if (depth > 0 && stream.below(4) == 0) program.push_back(Op::negation);
}

Expression draw_expression(RandomStream& stream, std::span<const Comparison> comparisons,
                           RuleShape shape) {
  if (shape != RuleShape::deep) return Expression::conjunction(comparisons);
  Ops program;
  draw_program(stream, comparisons.size(), 0, program);
  Comparisons leaves;
  for (const Comparison& comparison : comparisons) leaves.push_back(comparison);
  return Expression(program, leaves);
}

}  // namespace

std::optional<Dataset> bench_data(const std::string& name, const std::string& file,
                                  std::uint64_t rows, const std::string& folder,
                                  const Report& report) {
  if (name == "poker") return generate(PokerSource(1), rows);
  const auto path = std::filesystem::path(folder) / file;
  if (folder.empty() || file.empty() || !std::filesystem::exists(path)) return {};
  return read_data(path.string(), {}, report);
}

TransactionSet quest_transactions(const QuestOptions& options, std::uint64_t count) {
  return first_transactions(QuestSource(options), options.items, count);
}

TransactionSet first_transactions(const BasketSource& source, std::uint32_t number_of_items,
                                  std::uint64_t count) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < number_of_items; ++i) names.push_back(std::to_string(i));
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

const char* to_string(RuleShape shape) noexcept {
  switch (shape) {
    case RuleShape::one_sided:
      return "one-sided";
    case RuleShape::intervals:
      return "intervals";
    case RuleShape::deep:
      break;
  }
  return "deep";
}

std::vector<Rule> workload_rules(std::span<const Attribute> attributes, const Workload& workload) {
  const std::uint32_t comparisons = workload.comparisons;
  const std::uint32_t consequent = std::max(1U, comparisons / 3);
  const auto shared_before = [&](std::uint32_t rule) {
    return static_cast<std::size_t>(workload.shared * comparisons * rule);
  };
  std::vector<Rule> drawn;
  std::vector<std::uint32_t> order(attributes.size());
  std::vector<Comparison> chosen;
  std::vector<Comparison> before;  // what the rule before has drawn itself
  for (std::uint32_t r = 0; r < workload.rules; ++r) {
    RandomStream stream({rule_seed, static_cast<std::uint32_t>(GenerateStream::bench_rules), 0, r,
                         Purpose::generate});
    for (std::uint32_t a = 0; a < order.size(); ++a) order[a] = a;
    const std::size_t shared = std::min(before.size(), shared_before(r + 1) - shared_before(r));
    chosen.assign(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(shared));
    for (std::size_t c = 0; c < shared; ++c) {
      std::swap(order[c], *std::find(order.begin(), order.end(), chosen[c].attribute));
    }
    for (std::size_t c = shared; c < comparisons; ++c) {
      std::swap(order[c], order[c + stream.below(order.size() - c)]);
      chosen.push_back(draw_comparison(stream, attributes[order[c]], order[c], workload.shape));
    }
    before.assign(chosen.begin() + static_cast<std::ptrdiff_t>(shared), chosen.end());
    const std::span<const Comparison> all(chosen);
    Expression antecedent =
        draw_expression(stream, all.first(comparisons - consequent), workload.shape);
    drawn.push_back(
        {std::move(antecedent), draw_expression(stream, all.last(consequent), workload.shape)});
  }
  return drawn;
}

}  // namespace atl
