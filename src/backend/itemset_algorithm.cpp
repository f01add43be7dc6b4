#include "src/backend/itemset_algorithm.hpp"

#include <limits>
#include <memory>
#include <utility>

#include "io/transactions/itemset_rule_writer.hpp"
#include "src/core/error.hpp"
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

}  // namespace

ItemsetAlgorithm itemset_algorithm(const std::string& name, const std::string& representation,
                                   bool rules, const std::string& backend, ItemsetLimits& limits) {
  ItemsetAlgorithm how;
  how.by_level = name == "apriori";
  how.pairs = name == "pairs";
  if (!name.empty() && !how.by_level && !how.pairs) {
    throw UsageError("--algorithm: " + in_quotes(name) + ", expected apriori or pairs");
  }
  const bool all = limits.family == ItemsetFamily::all;
  if (!name.empty() && !all) {
    throw UsageError("--algorithm " + name + " knows no --closed and no --maximal");
  }
  if (!how.pairs && !representation.empty()) {
    throw UsageError("--representation is of --algorithm pairs, which is missing");
  }
  if (backend == "reference" && name.empty()) {
    throw UsageError("--backend: 'reference', expected auto, cpu or cuda");
  }
  if (how.pairs) {
    expect_pairs(limits);
    how.form = pair_form_named(representation);
    if (backend == "cuda" && how.form == PairForm::lists) {
      throw UsageError("--backend: 'cuda', but the cores count lists: expected auto or cpu");
    }
    limits.min_length = limits.max_length = 2;
  }
  const bool of_two = limits.min_length == 2 && limits.max_length == 2;
  if (name.empty() && all && of_two && !rules && backend != "cuda") how.pairs = true;
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
