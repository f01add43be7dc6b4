#include "islands/rule_sets/list_deriver.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "src/grammar/grammar_aim.hpp"

namespace atl {
namespace {

/// Limits of the kept rows: cells in all, and rows per class.
constexpr std::size_t most_cells = std::size_t{1} << 20;
constexpr std::size_t most_rows_of_class = 256;
constexpr int draw_attempts = 8;  // to draw a row of a part, or to derive a conjunction

/// The grammar of the attributes that the sample has literals of.
std::optional<BoundGrammar> grammar_of(const ClassSample& sample, std::uint32_t most_comparisons) {
  const auto attributes = sample.attributes();
  BoundAim aim;
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    const bool usable = sample.first_literal(a) != sample.first_literal(a + 1);
    if (usable && attributes[a].distinct() > 1) aim.antecedent.push_back(a);
  }
  if (aim.antecedent.empty() || sample.classes() < 2) return std::nullopt;
  aim.consequent = {sample.class_attribute()};
  aim.target_attributes = aim.consequent;
  return BoundGrammar(Grammar::parse(Grammar::builtin("association"), "grammar"), attributes,
                      most_comparisons + 1, aim);
}

}  // namespace

ListDeriver::ListDeriver(const Dataset& dataset, const ClassSample& sample,
                         const GrowthSettings& settings, std::size_t most_rules,
                         std::size_t most_alternatives)
    : sample_(sample),
      most_rules_(most_rules),
      most_alternatives_(most_alternatives),
      grammar_(grammar_of(sample, settings.most_comparisons)),
      rows_(sample.classes()) {
  for (std::uint32_t c = 0; c < sample.classes(); ++c) {
    weights_.push_back(settings.weights[c] * static_cast<double>(sample.class_rows()[c]));
  }
  if (!grammar_) return;
  std::vector<std::uint32_t> class_of_word(sample.words());
  for (const SampleWindow& window : sample.windows()) {
    for (std::uint32_t c = 0; c < sample.classes(); ++c) {
      std::fill(class_of_word.begin() + static_cast<std::ptrdiff_t>(window.classes[c]),
                class_of_word.begin() + static_cast<std::ptrdiff_t>(window.classes[c + 1]), c);
    }
  }
  std::vector<std::vector<ClassSample::Place>> places(sample.classes());
  for (const ClassSample::Place& place : sample.places()) {
    auto& its = places[class_of_word[place.position / 64]];
    if (its.empty() || its.back().row != place.row) its.push_back(place);  // once for all windows
  }
  const std::size_t attributes = sample.attributes().size();
  const std::size_t most =
      std::clamp<std::size_t>(most_cells / (attributes * sample.classes()), 1, most_rows_of_class);
  for (std::uint32_t c = 0; c < sample.classes(); ++c) {
    const std::size_t count = std::min(places[c].size(), most);
    for (std::size_t i = 0; i < count; ++i) {
      const ClassSample::Place& place = places[c][i * places[c].size() / count];
      rows_[c].push_back({place.position, codes_.size()});
      for (std::uint32_t a = 0; a < attributes; ++a) codes_.push_back(dataset.code(place.row, a));
    }
  }
}

SampledList ListDeriver::derive(const Part& part, RandomStream& stream) const {
  SampledList list;
  const auto draw_class = [&] {
    return drawn_class(weights_.data(), sample_.classes(), stream.next_double());
  };
  list.default_class = draw_class();
  if (!grammar_) return list;
  const std::size_t rules = 1 + stream.below(most_rules_);
  for (std::size_t i = 0; i < rules; ++i) {
    if (SharedRule rule = derive_rule(draw_class(), part, stream)) {
      list.rules.push_back(std::move(rule));
    }
  }
  return list;
}

const ListDeriver::Row* ListDeriver::draw_row(std::uint32_t label, const Part& part,
                                              RandomStream& stream) const {
  const std::uint64_t* const rows = rows_of_part(sample_, part);
  for (int attempt = 0; attempt < draw_attempts && !rows_[label].empty(); ++attempt) {
    const Row& row = rows_[label][stream.below(rows_[label].size())];
    if ((rows[row.position / 64] >> row.position % 64 & 1) != 0) return &row;
  }
  return nullptr;
}

// Relations that cannot hold on a row's value stay as they were derived, so some have to be derived
// again, as have labels that the sample does not know.
Expression ListDeriver::derive_conjunction(std::uint32_t label, const Part& part,
                                           RandomStream& stream) const {
  for (int attempt = 0; attempt < draw_attempts; ++attempt) {
    const Row* const row = draw_row(label, part, stream);
    if (row == nullptr) break;
    const auto codes = std::span(codes_).subspan(row->codes, sample_.attributes().size());
    Derivation derivation = grammar_->derive(stream);
    grammar_->repair(derivation, codes, stream);
    Expression its = grammar_->rule(derivation).antecedent;
    const auto comparisons = its.comparisons();
    const bool holds =
        std::all_of(comparisons.begin(), comparisons.end(), [&](const Comparison& comparison) {
          const std::uint32_t code = codes[comparison.attribute];
          return code != missing_code && takes(comparison, code) &&
                 (sample_.attributes()[comparison.attribute].ordered() ||
                  sample_.knows(comparison.attribute, code));
        });
    if (holds) return its;
  }
  return {};
}

SharedRule ListDeriver::derive_rule(std::uint32_t label, const Part& part,
                                    RandomStream& stream) const {
  Expression antecedent = derive_conjunction(label, part, stream);
  if (antecedent.empty()) return nullptr;
  for (std::size_t more = 1; more < most_alternatives_ && stream.chance(0.5); ++more) {
    const Expression other = derive_conjunction(label, part, stream);
    if (other.empty()) continue;
    antecedent = canonical(either(antecedent, other), sample_.attributes());
  }
  return sampled({std::move(antecedent), label}, sample_);
}

}  // namespace atl
