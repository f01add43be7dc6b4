#include "cuda/count/fitness_kernel.hpp"
#include "cuda/device/handles.hpp"
#include "src/measures/arithmetic_measures.hpp"

namespace atl::cuda {
namespace {

constexpr std::uint32_t block_threads = 128;

struct MeasureList {
  Measure measures[most_measures];
  std::uint32_t count;
};

// A line for each.
// clang-format off
__device__ double value(Measure measure, const ArithmeticMeasures& of) {
  switch (measure) {
    case Measure::support: return of.support();
    case Measure::confidence: return of.confidence();
    case Measure::lift: return of.lift();
    case Measure::leverage: return of.leverage();
    case Measure::conviction: return of.conviction();
    case Measure::certainty_factor: return of.certainty_factor();
    case Measure::coverage: return of.coverage();
    case Measure::rhs_support: return of.rhs_support();
    case Measure::confidence_low: return of.confidence_low();
    case Measure::confidence_high: return of.confidence_high();
    case Measure::added_value: return of.added_value();
    case Measure::cosine: return of.cosine();
    case Measure::jaccard: return of.jaccard();
    case Measure::kulczynski: return of.kulczynski();
    case Measure::maxconfidence: return of.maxconfidence();
    case Measure::phi: return of.phi();
    case Measure::chi_squared: return of.chi_squared();
    case Measure::odds_ratio: return of.odds_ratio();
    case Measure::relative_risk: return of.relative_risk();
    case Measure::yule_q: return of.yule_q();
    case Measure::yule_y: return of.yule_y();
    case Measure::gini: return of.gini();
    case Measure::collective_strength: return of.collective_strength();
    case Measure::zhang: return of.zhang();
    case Measure::laplace: return of.laplace();
    case Measure::sebag: return of.sebag();
    case Measure::counterexample: return of.counterexample();
    case Measure::confirmed_confidence: return of.confirmed_confidence();
    case Measure::casual_support: return of.casual_support();
    case Measure::casual_confidence: return of.casual_confidence();
    case Measure::least_contradiction: return of.least_contradiction();
    case Measure::varying_liaison: return of.varying_liaison();
    case Measure::lerman: return of.lerman();
    case Measure::doc: return of.doc();
    case Measure::kappa: return of.kappa();
    case Measure::rld: return of.rld();
    case Measure::rule_power_factor: return of.rule_power_factor();
    case Measure::lambda: return of.lambda();
    case Measure::contrast: return of.contrast();
    case Measure::effect_size: return of.effect_size();
    case Measure::z_score: return of.z_score();
    case Measure::impact: return of.impact();
    default: return NAN;
  }
}
// clang-format on

__global__ void fitness_kernel(const ContingencyTable* tables, std::uint32_t rules,
                               MeasureList list, double* values) {
  const std::uint32_t rule = blockIdx.x * block_threads + threadIdx.x;
  if (rule >= rules) return;
  const ArithmeticMeasures of(tables[rule]);
  for (std::uint32_t m = 0; m < list.count; ++m) {
    values[std::uint64_t{m} * rules + rule] = value(list.measures[m], of);
  }
}

}  // namespace

void launch_fitness(const ContingencyTable* tables, std::uint32_t rules, const Measure* measures,
                    std::uint32_t count, double* values, cudaStream_t stream) {
  if (rules == 0 || count == 0) return;
  MeasureList list = {};
  for (; list.count < count; ++list.count) list.measures[list.count] = measures[list.count];
  fitness_kernel<<<(rules - 1) / block_threads + 1, block_threads, 0, stream>>>(tables, rules, list,
                                                                                values);
  check(cudaGetLastError());
}

}  // namespace atl::cuda
