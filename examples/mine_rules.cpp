// Rules from a table in memory, without files: weather, and whether people carry an umbrella.
#include <cstdio>
#include <string>
#include <vector>

#include "islands/algorithms.hpp"
#include "src/backend/choice.hpp"
#include "src/core/error.hpp"
#include "src/data/dataset.hpp"
#include "src/run/rules/rule_mining.hpp"

using namespace atl;

namespace {

constexpr std::uint32_t rows = 6000;

/// A column of labels, which are in ascending order, by the code of each row.
Attribute labels(const std::string& name, const std::vector<std::string>& of_codes,
                 const std::vector<std::uint32_t>& codes) {
  Attribute attribute;
  attribute.name = name;
  attribute.kind = AttributeKind::nominal;
  attribute.labels = of_codes;
  attribute.exact_distinct = of_codes.size();
  attribute.counts.resize(of_codes.size());
  for (const std::uint32_t code : codes) ++attribute.counts[code];
  return attribute;
}

Dataset weather() {
  std::vector<std::uint32_t> sky(rows), wind(rows), umbrella(rows);
  for (std::uint32_t row = 0; row < rows; ++row) {
    sky[row] = row % 3;                    // clear, cloudy, rain
    wind[row] = row / 3 % 4 == 0 ? 1 : 0;  // calm, strong
    umbrella[row] = sky[row] == 2 && (wind[row] == 0 || row % 8 == 0) ? 1 : 0;
  }
  return make_dataset(
      {labels("sky", {"clear", "cloudy", "rain"}, sky), labels("wind", {"calm", "strong"}, wind),
       labels("umbrella", {"no", "yes"}, umbrella)},
      {sky, wind, umbrella});
}

}  // namespace

int main() {
  Experiment experiment = Experiment::defaults(find_algorithm(algorithms(rule_kind), "niching"));
  experiment.generations = 20;
  experiment.aim.target = {"umbrella=yes"};
  experiment.measures = {"support", "confidence", "lift"};
  try {
    const Dataset data = weather();
    LocalCommunicator alone;
    ThreadPool pool(2);
    Machine machine;
    machine.backend = "cpu";
    const auto backend = make_backend(machine, {data.rows()}, alone);
    const auto mined = mine_rules(data, experiment, *backend, pool);
    std::fputs(mined->list.csv().c_str(), stdout);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.status());
  }
}
