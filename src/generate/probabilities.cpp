#include "src/generate/probabilities.hpp"

#include <cmath>
#include <string_view>

#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/generate/basket_source.hpp"
#include "src/generate/generate_stream.hpp"

namespace atl {

ProbabilityModel parse_probability_model(const std::string& text) {
  if (text == "uniform") return {};
  constexpr std::string_view normal = "normal:";
  const std::string_view numbers =
      std::string_view(text).substr(text.starts_with(normal) ? normal.size() : text.size());
  const std::size_t comma = numbers.find(',');
  if (comma != std::string_view::npos) {
    const auto mean = parse_number(numbers.substr(0, comma));
    const auto variance = parse_number(numbers.substr(comma + 1));
    // These limits keep most draws within (0, 1].
    if (mean && variance && *mean > 0 && *mean <= 1 && *variance >= 0 && *variance <= 1) {
      return {ProbabilityModel::Kind::normal, *mean, *variance};
    }
  }
  throw UsageError("--probabilities " + printable(text) +
                   ": expected uniform, or normal:MEAN,VARIANCE with a mean above 0 and at most 1 "
                   "and a variance from 0 to 1");
}

double draw_probability(const ProbabilityModel& model, std::uint64_t seed,
                        std::uint64_t transaction) noexcept {
  RandomStream stream({.seed = seed,
                       .island = static_cast<std::uint32_t>(GenerateStream::probabilities),
                       .generation = static_cast<std::uint32_t>(transaction >> 32),
                       .slot = static_cast<std::uint32_t>(transaction),
                       .purpose = Purpose::generate});
  if (model.kind == ProbabilityModel::Kind::uniform) return 1 - stream.next_double();
  const double deviation = std::sqrt(model.variance);
  while (true) {
    const double drawn = model.mean + deviation * draw_normal(stream);
    if (drawn > 0 && drawn <= 1) return drawn;
  }
}

}  // namespace atl
