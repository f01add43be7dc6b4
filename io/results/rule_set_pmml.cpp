#include "io/results/rule_set_pmml.hpp"

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "io/results/pmml_predicate.hpp"
#include "io/results/xml_writer.hpp"
#include "src/core/text/number.hpp"
#include "src/results/written/list_figures.hpp"
#include "src/rules/rule_set_text.hpp"

namespace atl::io {
namespace {

const char* data_type(const Attribute& attribute) noexcept {
  if (attribute.kind == AttributeKind::numeric) return "double";
  if (attribute.kind == AttributeKind::date) return "date";
  return is_date(attribute.kind) ? "dateTime" : "string";
}

class ModelWriter {
 public:
  ModelWriter(const RuleSet& list, std::span<const Attribute> attributes,
              std::uint32_t class_attribute, const RuleSetCounts& counts)
      : list_(list),
        attributes_(attributes),
        class_(attributes[class_attribute]),
        counts_(counts),
        figures_(rule_figures(list, counts)) {
    for (std::uint32_t label = 0; label < class_.distinct(); ++label)
      labels_.push_back(class_label(label, class_));
    for (const Attribute& attribute : attributes_)
      if (names(list, static_cast<std::uint32_t>(&attribute - attributes.data())))
        inputs_.push_back(&attribute);
  }

  std::string write() && {
    out_.open("PMML", {{"xmlns", "http://www.dmg.org/PMML-4_4"}, {"version", "4.4"}});
    out_.open("Header");
    out_.leaf("Application", {{"name", "Atoll"}, {"version", ATOLL_VERSION}});
    out_.close();
    dictionary();
    out_.open("RuleSetModel", {{"functionName", "classification"}});
    mining_schema();
    rules();
    out_.close();
    out_.close();
    return std::move(out_).take();
  }

 private:
  using Facts = std::vector<XmlWriter::Attribute>;

  void dictionary() {
    out_.open("DataDictionary", {{"numberOfFields", std::to_string(inputs_.size() + 1)}});
    // No values are named: others may come, and they are none of those that the rules name.
    for (const Attribute* input : inputs_)
      out_.leaf("DataField", {{"name", input->name},
                              {"optype", has_numbers(input->kind) ? "continuous" : "categorical"},
                              {"dataType", data_type(*input)}});
    out_.open("DataField",
              {{"name", class_.name}, {"optype", "categorical"}, {"dataType", "string"}});
    for (const std::string& label : labels_) out_.leaf("Value", {{"value", label}});
    out_.close();
    out_.close();
  }

  void mining_schema() {
    out_.open("MiningSchema");
    for (const Attribute* input : inputs_)
      out_.leaf(
          "MiningField",
          {{"name", input->name}, {"usageType", "active"}, {"invalidValueTreatment", "asIs"}});
    out_.leaf("MiningField", {{"name", class_.name}, {"usageType", "target"}});
    out_.close();
  }

  void rules() {
    const ListRuleFigures& last = figures_.back();
    const Facts facts = {{"defaultScore", labels_[list_.default_class]},
                         {"recordCount", std::to_string(last.decided_so_far)},
                         {"nbCorrect", std::to_string(last.correct_so_far)},
                         {"defaultConfidence", share(last)}};
    out_.open("RuleSet", facts);
    out_.leaf("RuleSelectionMethod", {{"criterion", "firstHit"}});
    distribution(list_.rules.size());
    for (std::size_t i = 0; i < list_.rules.size(); ++i) rule(i);
    out_.close();
  }

  void rule(std::size_t i) {
    const ListRuleFigures& figures = figures_[i];
    const Facts facts = {{"id", std::to_string(i + 1)},
                         {"score", labels_[list_.rules[i].label]},
                         {"recordCount", std::to_string(figures.decided)},
                         {"nbCorrect", std::to_string(figures.decided_correct)},
                         {"confidence", share(figures)}};
    out_.open("SimpleRule", facts);
    write_predicate(out_, list_.rules[i].antecedent, attributes_);
    distribution(i);
    out_.close();
  }

  /// Of the rows that a rule decides; of none there is none.
  void distribution(std::size_t rule) {
    if (figures_[rule].decided == 0) return;
    for (std::size_t label = 0; label < labels_.size(); ++label)
      out_.leaf("ScoreDistribution",
                {{"value", labels_[label]},
                 {"recordCount", std::to_string(counts_.decided[rule * labels_.size() + label])}});
  }

  /// Of rows that are right. Programs need one, also where none is known: 1 would be the default.
  static std::string share(const ListRuleFigures& figures) {
    if (figures.decided == 0) return "0";
    return format_number(static_cast<double>(figures.decided_correct) /
                         static_cast<double>(figures.decided));
  }

  const RuleSet& list_;
  std::span<const Attribute> attributes_;
  const Attribute& class_;
  const RuleSetCounts& counts_;
  std::vector<ListRuleFigures> figures_;
  std::vector<std::string> labels_;  ///< of the class, by code
  std::vector<const Attribute*> inputs_;
  XmlWriter out_;
};

}  // namespace

std::string rule_set_pmml(const RuleSet& list, std::span<const Attribute> attributes,
                          std::uint32_t class_attribute, const RuleSetCounts& counts) {
  return ModelWriter(list, attributes, class_attribute, counts).write();
}

}  // namespace atl::io
