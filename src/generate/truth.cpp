#include "src/generate/truth.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "io/results/rule_file.hpp"
#include "src/core/text/number.hpp"
#include "src/data/dataset.hpp"
#include "src/measures/significance.hpp"
#include "src/rules/rule_text.hpp"

namespace atl {
namespace {

using Json = nlohmann::ordered_json;

constexpr double ln_10 = 2.302585092994046;
constexpr double greatest_log10_p = -8;

// Subsets of the comparisons of an antecedent, at most 4.
constexpr std::size_t subsets = 16;
constexpr std::size_t missing_consequent = 2 * subsets;
constexpr std::size_t counts_of_rule = missing_consequent + 1;

// An easy rule: short, frequent, and much more often right than the consequent's share.
constexpr std::size_t easy_comparisons = 2;
constexpr double easy_support = 0.01;
constexpr double easy_added_confidence = 0.25;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double confidence(const ContingencyTable& table) {
  return ratio(table.n_both, table.n_antecedent);
}
double base_rate(const ContingencyTable& table) {
  return ratio(table.n_consequent, table.n);
}

/// a's confidence is at least b's, exactly.
bool confidence_matches(const ContingencyTable& a, const ContingencyTable& b) {
  return static_cast<unsigned __int128>(a.n_both) * b.n_antecedent >=
         static_cast<unsigned __int128>(b.n_both) * a.n_antecedent;
}

Rule as_rule(std::span<const Comparison> antecedent, const Comparison& consequent) {
  return {Expression::conjunction(antecedent), Expression::of(consequent)};
}

std::vector<Comparison> chosen(std::span<const Comparison> comparisons, std::uint32_t subset) {
  std::vector<Comparison> result;
  for (std::size_t i = 0; i < comparisons.size(); ++i) {
    if ((subset >> i & 1U) != 0) result.push_back(comparisons[i]);
  }
  return result;
}

bool is_easy(const PlantedRule& rule, const ContingencyTable& table) {
  return rule.antecedent.size() <= easy_comparisons &&
         ratio(table.n_antecedent, table.n) >= easy_support &&
         confidence(table) - base_rate(table) >= easy_added_confidence;
}

/// Cumulative shares of an attribute's background at all of its values or at 128 of them.
Json distribution(const Attribute& attribute, const Marginal& marginal) {
  const std::uint32_t last = marginal.codes() - 1;
  const std::uint32_t steps = std::min(last, 127U);
  Json values = Json::array();
  Json cumulative = Json::array();
  for (std::uint32_t i = 0; i <= steps; ++i) {
    const std::uint32_t code =
        last == steps ? i : marginal.code_of_share(static_cast<double>(i) / steps);
    if (attribute.kind == AttributeKind::numeric) {
      if (!values.empty() && values.back() == attribute.low[code]) continue;
      values.push_back(attribute.low[code]);
    } else {
      values.push_back(attribute.labels[code]);
    }
    cumulative.push_back(marginal.cumulative(code));
  }
  return {{"complete", last == steps}, {"values", values}, {"cumulative", cumulative}};
}

}  // namespace

TruthCounter::TruthCounter(const PlantedSource& source)
    : source_(source), counts_(source.rules().size() * counts_of_rule) {}

void TruthCounter::add(std::span<const std::uint32_t> codes) noexcept {
  std::uint64_t* counts = counts_.data();
  for (const PlantedRule& rule : source_.rules()) {
    std::size_t held = 0;
    for (std::size_t i = 0; i < rule.antecedent.size(); ++i) {
      held |= std::size_t{holds(rule.antecedent[i], codes)} << i;
    }
    ++counts[2 * held + (holds(rule.consequent, codes) ? 1U : 0U)];
    counts[missing_consequent] += codes[rule.consequent.attribute] == missing_code ? 1U : 0U;
    counts += counts_of_rule;
  }
}

ContingencyTable TruthCounter::table(std::size_t rule, std::uint32_t subset) const noexcept {
  const std::uint64_t* const counts = counts_.data() + rule * counts_of_rule;
  ContingencyTable table;
  for (std::size_t held = 0; held < subsets; ++held) {
    const std::uint64_t without = counts[2 * held];
    const std::uint64_t with = counts[2 * held + 1];
    table.n += without + with;
    table.n_consequent += with;
    if ((held & subset) != subset) continue;
    table.n_antecedent += without + with;
    table.n_both += with;
  }
  return table;
}

std::string TruthCounter::json(const PlantedOptions& options) const {
  const auto attributes = source_.attributes();
  std::vector<RuleRecord> records;
  for (std::size_t r = 0; r < source_.rules().size(); ++r) {
    const PlantedRule& rule = source_.rules()[r];
    RuleRecord record;
    record.rule = as_rule(rule.antecedent, rule.consequent);
    record.table = table(r, (1U << rule.antecedent.size()) - 1);
    record.missing_consequent = counts_[r * counts_of_rule + missing_consequent];
    records.push_back(std::move(record));
  }
  // Rules look as they do in rules.json, so that the two can be laid side by side.
  const Json written = Json::parse(io::rules_json(to_written(records, attributes)));

  Json listed = Json::array();
  Json unlisted = Json::array();
  for (std::size_t r = 0; r < records.size(); ++r) {
    const PlantedRule& rule = source_.rules()[r];
    const ContingencyTable& counts = records[r].table;
    Json entry;
    for (const char* key : {"rule", "antecedent", "consequent", "counts"}) {
      entry[key] = written[r][key];
    }
    const double log10_p = log_fisher_p(counts) / ln_10;
    entry["planted_confidence"] = rule.confidence;
    entry["confidence"] = confidence(counts);
    entry["base_rate"] = base_rate(counts);
    entry["log10_p"] = log10_p;

    Json reasons = Json::array();
    if (!(log10_p < greatest_log10_p)) reasons.push_back("not significant");
    const std::uint32_t all = (1U << rule.antecedent.size()) - 1;
    for (std::uint32_t subset = 0; subset < all; ++subset) {
      if (!confidence_matches(table(r, subset), counts)) continue;
      const std::string general =
          subset == 0
              ? "the consequent alone"
              : to_text(as_rule(chosen(rule.antecedent, subset), rule.consequent), attributes);
      reasons.push_back("matched in confidence by " + general);
    }
    if (reasons.empty()) {
      entry["class"] = is_easy(rule, counts) ? "easy" : "hard";
      listed.push_back(std::move(entry));
    } else {
      entry["reasons"] = std::move(reasons);
      unlisted.push_back(std::move(entry));
    }
  }

  Json distributions = Json::object();
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    distributions[attributes[a].name] = distribution(attributes[a], source_.marginal(a));
  }
  const Json truth = {{"seed", options.seed},
                      {"missing", options.missing},
                      {"rules", std::move(listed)},
                      {"unlisted", std::move(unlisted)},
                      {"attributes", std::move(distributions)}};
  return truth.dump(1) + '\n';
}

void TruthCounters::begin(unsigned threads) {
  counters_.clear();
  for (unsigned k = 0; k < threads; ++k) counters_.push_back(none_);
}

std::vector<std::uint64_t> TruthCounters::take() {
  std::vector<std::uint64_t> all(size());
  for (TruthCounter& counter : counters_) {
    const auto counts = counter.counts();
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += std::exchange(counts[i], 0);
  }
  return all;
}

}  // namespace atl
