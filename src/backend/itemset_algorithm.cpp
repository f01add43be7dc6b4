#include "src/backend/itemset_algorithm.hpp"

#include <limits>
#include <memory>
#include <utility>

#include "io/transactions/itemset_rule_writer.hpp"
#include "src/config/experiment.hpp"
#include "src/core/error.hpp"
#include "src/core/option_value.hpp"
#include "src/core/text/near_names.hpp"
#include "src/measures/measures.hpp"

namespace atl {
namespace {

/// none: auto. @throws UsageError
std::optional<PairForm> pair_form_named(const std::string& name) {
  if (name.empty() || name == "auto") return std::nullopt;
  for (const PairForm form :
       {PairForm::batmap, PairForm::bitmap, PairForm::lists, PairForm::product}) {
    if (name == to_string(form)) return form;
  }
  throw UsageError("--representation: " + in_quotes(name) +
                   ", expected auto, batmap, bitmap, lists or product");
}

void expect_pairs(const ItemsetLimits& limits) {
  const bool any_length = limits.max_length == std::numeric_limits<std::uint32_t>::max();
  if (limits.min_length > 2 || !(any_length || limits.max_length == 2)) {
    throw UsageError(
        "--algorithm pairs finds sets of two items: leave --min-length and --max-length out");
  }
}

/// @throws UsageError
double least_probability(const ItemsetWords& words) {
  if (words.rules) throw UsageError("--algorithm probabilistic finds sets and makes no --rules");
  if (!words.probabilities.empty() && !words.probability_column.empty()) {
    throw UsageError("give either --probabilities or --probability-column");
  }
  if (words.min_probability.empty()) {
    throw UsageError("--algorithm probabilistic needs --min-probability, such as 0.9 or 90%");
  }
  const double least =
      option_value("--min-probability", [&] { return parse_share(words.min_probability); });
  if (!(least > 0)) {
    throw UsageError("--min-probability: 0 is that of any set; expected a share above 0");
  }
  return least;
}

/// @throws UsageError
void refuse_probabilities(const ItemsetWords& words) {
  for (const auto& [option, given] :
       {std::pair{"--min-probability", !words.min_probability.empty()},
        {"--probabilities", !words.probabilities.empty()},
        {"--probability-column", !words.probability_column.empty()}}) {
    if (given) {
      throw UsageError(std::string(option) + " is of --algorithm probabilistic, which is missing");
    }
  }
}

}  // namespace

ItemsetAlgorithm itemset_algorithm(const ItemsetWords& words, ItemsetLimits& limits) {
  ItemsetAlgorithm how;
  const std::string& name = words.algorithm;
  how.by_level = name == "apriori";
  how.pairs = name == "pairs";
  how.probabilistic = name == "probabilistic";
  if (!name.empty() && how.depth_first()) {
    throw UsageError("--algorithm: " + in_quotes(name) +
                     ", expected apriori, pairs or probabilistic");
  }
  const bool all = limits.family == ItemsetFamily::all;
  if (!name.empty() && !all) {
    throw UsageError("--algorithm " + name + " knows no --closed and no --maximal");
  }
  if (!how.pairs && !words.representation.empty()) {
    throw UsageError("--representation is of --algorithm pairs, which is missing");
  }
  if (words.backend == "reference" && name.empty()) {
    throw UsageError("--backend: 'reference', expected auto, cpu or cuda");
  }
  if (how.probabilistic) {
    how.min_probability = least_probability(words);
  } else {
    refuse_probabilities(words);
  }
  if (how.pairs) {
    expect_pairs(limits);
    how.form = pair_form_named(words.representation);
    if (words.backend == "cuda" && how.form == PairForm::lists) {
      throw UsageError("--backend: 'cuda', but the cores count lists: expected auto or cpu");
    }
    limits.min_length = limits.max_length = 2;
  }
  const bool of_two = limits.min_length == 2 && limits.max_length == 2;
  if (name.empty() && all && of_two && !words.rules && words.backend != "cuda") how.pairs = true;
  return how;
}

PairRulesParts pair_rules(const ItemsetRuleChoice& choice, const std::vector<Measure>& measures) {
  PairRulesParts rules;
  rules.choice = choice;
  std::string names;
  for (const Measure measure : measures) names += std::string(info(measure).name) + ' ';
  rules.marks = {{"other --measures", names}};
  rules.make_text = [measures](const std::vector<std::string>& items, WriteText write,
                               ItemsetRulePart part) {
    return std::make_unique<io::ItemsetRuleWriter>(items, measures, std::move(write), part);
  };
  return rules;
}

}  // namespace atl
