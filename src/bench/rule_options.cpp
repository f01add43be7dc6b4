#include "src/bench/rule_options.hpp"

#include <algorithm>

#include "src/bench/benchmarks.hpp"
#include "src/core/error.hpp"

namespace atl {
namespace {

constexpr std::uint32_t most_attributes = 1024;

}  // namespace

std::vector<Axis> table_axes(const std::string& rows) {
  return {
      {"--rows", "N", "rows", rows, WholeNumber{1, std::uint64_t{1} << 32}},
      {"--attributes", "N", "attributes", "16", WholeNumber{2, most_attributes}},
      {"--planes", "N", "bit planes of an attribute", "8", WholeNumber{1, 16}},
  };
}

Axis rules_axis(const std::string& rules) {
  return {"--rules", "N", "rules", rules, WholeNumber{1, 1'000'000}};
}

Axis comparisons_axis(const std::string& comparisons) {
  return {"--comparisons", "N",
          "comparisons of a rule, on different attributes; if there are fewer attributes, as many",
          comparisons, WholeNumber{2, most_attributes}};
}

Axis pipeline_axis() {
  const OneOf names = {to_string(Pipeline::fused), to_string(Pipeline::staged),
                       to_string(Pipeline::published)};
  return {"--pipeline", "NAME", "of cuda alone: " + any_of_names(names),
          "fused, and published beside it", names};
}

std::vector<Axis> workload_axes(const std::string& rows, const std::string& rules,
                                const std::string& comparisons) {
  const OneOf shapes = {to_string(RuleShape::one_sided), to_string(RuleShape::intervals),
                        to_string(RuleShape::deep)};
  std::vector<Axis> axes = table_axes(rows);
  axes.push_back(rules_axis(rules));
  axes.push_back(comparisons_axis(comparisons));
  axes.push_back({"--shape", "SHAPE", "of rules: " + any_of_names(shapes), shapes.front(), shapes});
  axes.push_back({"--shared", "SHARE", "comparisons that two rules have each, 0 to 0.5 of all", "0",
                  Fraction{0.5}});
  return axes;
}

std::vector<Axis> pipeline_axes(const std::string& rows) {
  std::vector<Axis> axes = workload_axes(rows, "200");
  axes.push_back(pipeline_axis());
  return axes;
}

Workload workload_of(const BenchState& state) {
  Workload workload;
  workload.rows = state.number("--rows");
  workload.attributes = state.small_number("--attributes");
  workload.planes = state.small_number("--planes");
  if (!state.has("--rules")) return workload;
  workload.rules = state.small_number("--rules");
  workload.comparisons = state.small_number("--comparisons");
  if (!state.is_given("--comparisons")) {
    workload.comparisons = std::min(workload.comparisons, workload.attributes);
  }
  workload.shape = static_cast<RuleShape>(state.name("--shape").value_or(0));
  workload.shared = state.fraction("--shared");
  if (workload.comparisons > workload.attributes) {
    throw UsageError("--comparisons: " + std::to_string(workload.comparisons) +
                     " are more than the attributes (" + std::to_string(workload.attributes) +
                     "), on which each is a different one");
  }
  return workload;
}

BenchMachine machine_of(const BenchState& state) {
  BenchMachine machine = state.machine;
  const auto pipeline = state.name("--pipeline");
  if (!pipeline) return machine;
  machine.pipeline = static_cast<Pipeline>(*pipeline);
  if (machine.options.backend != "cuda") {
    throw UsageError("--pipeline: only --backend cuda has pipelines to choose from");
  }
  return machine;
}

}  // namespace atl
