// A decision list as PMML 4.4, which other programs can apply: a RuleSetModel whose first rule that
// fires decides.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/eval/rule_set_scorer.hpp"
#include "src/measures/class_probabilities.hpp"
#include "src/rules/expression.hpp"
#include "src/rules/rule_set.hpp"

namespace atl::io {

/// XML 1.0 in UTF-8, an element a line. To write it takes so little that no library is linked with.
class XmlWriter {
 public:
  using Attribute = std::pair<const char*, std::string>;

  /// An element that others are put into until it is closed.
  /// @param name  must outlive the writer
  /// @throws UsageError for a value with a character that XML cannot hold, such as U+0001, or bytes
  ///         that are no UTF-8: anything in its place would be another value
  void open(const char* name, const std::vector<Attribute>& attributes = {});
  void close();
  /// An element without others in it.
  void leaf(const char* name, const std::vector<Attribute>& attributes);

  /// @pre all are closed
  std::string take() &&;

 private:
  void begin(const char* name, const std::vector<Attribute>& attributes);

  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::vector<const char*> open_;
};

/// Writes the text as the value of an XML attribute, without quotes; blanks other than the space
/// are kept.
/// @throws UsageError likewise
std::string xml_value(std::string_view text);

/// Writes one predicate. @pre not empty
void write_predicate(XmlWriter& out, const Expression& expression,
                     std::span<const Attribute> attributes);

/// A rule's record counts and its confidence are of the rows that it decides, since a program that
/// applies the list asks it about no others. Its distribution of scores has its probabilities, too.
/// Bounds of numbers are midway, as in the list's text. Other labels than those of the data are
/// equal to none of them; an order of labels holds on those of the data alone. Times with a zone
/// are in UTC, and without a zone, since programs that apply PMML read none.
/// @param list    no antecedent is empty, as in canonical form
/// @param counts  of the list on its data, by the codes of the class attribute
/// @param smoothing  of the list's probabilities
/// @throws UsageError if a name or label has a character that XML cannot hold
std::string rule_set_pmml(const RuleSet& list, std::span<const Attribute> attributes,
                          std::uint32_t class_attribute, const RuleSetCounts& counts,
                          const Smoothing& smoothing);

}  // namespace atl::io
