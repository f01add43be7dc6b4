#include "src/bench/benchmarks.hpp"

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {
      interpreter_benchmark(), evaluation_benchmark(), concurrency_benchmark(),
      pittsburgh_benchmark(),  apriori_benchmark(),    itemsets_benchmark(),
      pairs_benchmark(),       uncertain_benchmark(),  fits_benchmark(),
      rates_benchmark(),       scaling_benchmark(),    team_benchmark()};
  return all;
}

std::vector<std::string> benchmark_names() {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) names.emplace_back(benchmark.name);
  return names;
}

std::string any_of_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

const Benchmark& benchmark_of(const std::string& name) {
  for (const Benchmark& benchmark : benchmarks()) {
    if (benchmark.name == name) return benchmark;
  }
  const std::vector<std::string> names = benchmark_names();
  throw UsageError("unknown benchmark " + in_quotes(name) +
                   (near_names(name, names).empty() ? ", expected " + any_of_names(names)
                                                    : suggestion(name, names)));
}

}  // namespace atl
