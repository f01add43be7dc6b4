#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "io/results/rule_set_pmml.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "tests/io/class_list.hpp"
#include "tests/io/kleene.hpp"
#include "tests/support/random.hpp"

namespace atl::io {
namespace {

using namespace atl::test;

TEST(XmlWriter, EscapesWhatWouldBeReadAsSomethingElse) {
  EXPECT_EQ(xml_value("a < b & \"c\" > 'd' \xC3\xA9"),
            "a &lt; b &amp; &quot;c&quot; &gt; 'd' \xC3\xA9");
  EXPECT_EQ(xml_value("\t\n\r"), "&#9;&#10;&#13;");
  for (const char* const text : {"\x01", "\x1F", "\xFF", "\xEF\xBF\xBE", "\xED\xA0\x80"})
    EXPECT_THROW(xml_value(text), UsageError);
  EXPECT_THROW(xml_value(std::string("a\0b", 3)), UsageError);
  EXPECT_EQ(xml_value("\xF0\x9F\x8D\x8F\xC2\x80"), "\xF0\x9F\x8D\x8F\xC2\x80");
}

TEST(RuleSetPmml, IsARuleSetModelWhoseFirstHitDecides) {
  const std::string pmml = rule_set_pmml(orchard_list(), orchard(), orchard_class, orchard_counts(),
                                         orchard_smoothing());
  EXPECT_EQ(pmml.substr(0, pmml.find("<Application")), R"(<?xml version="1.0" encoding="UTF-8"?>
<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4">
  <Header>
    )");
  EXPECT_EQ(pmml.substr(pmml.find("  <DataDictionary")), R"(  <DataDictionary numberOfFields="5">
    <DataField name="height" optype="continuous" dataType="double"/>
    <DataField name="a &lt;&quot;b&quot;&gt; &amp; c" optype="categorical" dataType="string"/>
    <DataField name="size" optype="categorical" dataType="string"/>
    <DataField name="planted" optype="continuous" dataType="date"/>
    <DataField name="class" optype="categorical" dataType="string">
      <Value value="apple"/>
      <Value value="pear &amp; co"/>
    </DataField>
  </DataDictionary>
  <RuleSetModel functionName="classification">
    <MiningSchema>
      <MiningField name="height" usageType="active" invalidValueTreatment="asIs"/>
      <MiningField name="a &lt;&quot;b&quot;&gt; &amp; c" usageType="active" invalidValueTreatment="asIs"/>
      <MiningField name="size" usageType="active" invalidValueTreatment="asIs"/>
      <MiningField name="planted" usageType="active" invalidValueTreatment="asIs"/>
      <MiningField name="class" usageType="target"/>
    </MiningSchema>
    <RuleSet defaultScore="pear &amp; co" recordCount="12" nbCorrect="11" defaultConfidence="1">
      <RuleSelectionMethod criterion="firstHit"/>
      <ScoreDistribution value="apple" recordCount="0" probability="0.25"/>
      <ScoreDistribution value="pear &amp; co" recordCount="2" probability="0.75"/>
      <SimpleRule id="1" score="pear &amp; co" recordCount="5" nbCorrect="4" confidence="0.8">
        <CompoundPredicate booleanOperator="and">
          <SimplePredicate field="height" operator="lessOrEqual" value="2.5"/>
          <CompoundPredicate booleanOperator="or">
            <SimplePredicate field="size" operator="equal" value="medium"/>
            <SimplePredicate field="size" operator="equal" value="large"/>
          </CompoundPredicate>
        </CompoundPredicate>
        <ScoreDistribution value="apple" recordCount="1" probability="0.2857142857142857"/>
        <ScoreDistribution value="pear &amp; co" recordCount="4" probability="0.7142857142857143"/>
      </SimpleRule>
      <SimpleRule id="2" score="apple" recordCount="5" nbCorrect="5" confidence="1">
        <CompoundPredicate booleanOperator="or">
          <CompoundPredicate booleanOperator="or">
            <SimplePredicate field="a &lt;&quot;b&quot;&gt; &amp; c" operator="isMissing"/>
            <SimplePredicate field="a &lt;&quot;b&quot;&gt; &amp; c" operator="notEqual" value="&lt;&amp;&gt;"/>
          </CompoundPredicate>
          <SimplePredicate field="planted" operator="equal" value="1970-01-02"/>
        </CompoundPredicate>
        <ScoreDistribution value="apple" recordCount="5" probability="0.8571428571428571"/>
        <ScoreDistribution value="pear &amp; co" recordCount="0" probability="0.14285714285714285"/>
      </SimpleRule>
    </RuleSet>
  </RuleSetModel>
</PMML>
)");
}

TEST(RuleSetPmml, ARuleThatDecidesNothingTellsWhatIsKnownOfAll) {
  RuleSetCounts counts = orchard_counts();
  counts.decided = {1, 4, 0, 0, 5, 2};
  const std::string pmml =
      rule_set_pmml(orchard_list(), orchard(), orchard_class, counts, orchard_smoothing());
  EXPECT_NE(pmml.find("<SimpleRule id=\"2\" score=\"apple\" recordCount=\"0\" nbCorrect=\"0\" "
                      "confidence=\"0\">"),
            std::string::npos);
  EXPECT_NE(pmml.find("value=\"apple\" recordCount=\"0\" probability=\"0.5\""), std::string::npos);
}

TEST(RuleSetPmml, TimesAreInUtcWithoutAZone) {
  const std::vector<Attribute> attributes = {
      dated("when", AttributeKind::date_time_utc, {0, 0.5, 1}), orchard()[orchard_class]};
  const RuleSet list{{{Expression::of({0, 0, 1, false}), 0}}, 1};
  const std::string pmml =
      rule_set_pmml(list, attributes, 1, {{2, 1}, {2, 1, 0, 3}}, {2, {0.5, 0.5}});
  EXPECT_NE(pmml.find("operator=\"lessOrEqual\" value=\"1970-01-01T12:00:00\"/>"),
            std::string::npos);
}

/// Of a predicate on attribute `a` alone.
Truth of_label(const Comparison& comparison, const Attribute& attribute, const std::string& label) {
  XmlWriter out;
  write_predicate(out, Expression::of(comparison), {&attribute, 1});
  const std::string xml = std::move(out).take();
  std::istringstream lines(xml.substr(xml.find('\n') + 1));
  return evaluate_predicate(lines, [&](const std::string&) { return label; });
}

TEST(RuleSetPmml, ALabelThatTrainingDidNotHaveIsInNoRange) {
  const Attribute colour = nominal("colour", {"a", "c", "e", "g"});
  for (const char* const label : {"a", "b", "c", "d", "e", "g", "z"}) {
    const bool listed = label == std::string("c") || label == std::string("e");
    EXPECT_EQ(of_label({0, 1, 2, false}, colour, label), listed ? Truth::yes : Truth::no) << label;
    EXPECT_EQ(of_label({0, 1, 2, true}, colour, label), listed ? Truth::no : Truth::yes) << label;
  }
}

TEST(RuleSetPmml, TheLabelOfRareOnesStandsForAllButTheOthers) {
  Attribute city = nominal("city", {"a", "b", "other"});
  city.other = "other";
  for (const char* const label : {"a", "b", "c", "never seen"}) {
    const bool kept = label == std::string("a") || label == std::string("b");
    EXPECT_EQ(of_label({0, 2, 2, false}, city, label), kept ? Truth::no : Truth::yes) << label;
    EXPECT_EQ(of_label({0, 2, 2, true}, city, label), kept ? Truth::yes : Truth::no) << label;
    EXPECT_EQ(of_label({0, 0, 1, false}, city, label), kept ? Truth::yes : Truth::no) << label;
    EXPECT_EQ(of_label({0, 1, 2, false}, city, label),
              label == std::string("a") ? Truth::no : Truth::yes)
        << label;
    EXPECT_EQ(of_label({0, 0, 0, false}, city, label),
              label == std::string("a") ? Truth::yes : Truth::no)
        << label;
  }
}

/// A value of the attribute as text.
std::optional<std::string> text_of(const Attribute& attribute, std::uint32_t code) {
  if (code == missing_value) return std::nullopt;
  return has_numbers(attribute.kind) ? format_number(attribute.low[code]) : attribute.labels[code];
}

TEST(RuleSetPmml, APredicateIsTrueWhereTheAntecedentHolds) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    constexpr std::uint64_t rows = 40;
    const RandomTable table = random_table(seed, rows, 4, true);
    RandomStream stream({seed, 6, 0, 0, Purpose::test});
    const RuleSet random = random_rule_set(stream, table.attributes, 0, 6);
    for (const RuleSet& list : {random, canonical(random, table.attributes)})
      for (const ClassRule& rule : list.rules) {
        XmlWriter out;
        write_predicate(out, rule.antecedent, table.attributes);
        const std::string xml = std::move(out).take();
        for (std::uint64_t r = 0; r < rows; ++r) {
          std::vector<std::uint32_t> row;
          for (const auto& column : table.columns) row.push_back(column[r]);
          std::istringstream lines(xml.substr(xml.find('\n') + 1));
          const Truth truth = evaluate_predicate(lines, [&](const std::string& field) {
            std::size_t a = 0;
            while (table.attributes[a].name != field) ++a;
            return text_of(table.attributes[a], row[a]);
          });
          RC_ASSERT((truth == Truth::yes) == holds(rule.antecedent, row));
        }
      }
  }));
}

}  // namespace
}  // namespace atl::io
