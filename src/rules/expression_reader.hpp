// The comparisons and expressions of text, for readers of what is made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/rules/expression.hpp"
#include "src/rules/rule_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl {

/// Reads on where the scanner is; what it refuses is a BadCell (rule_text.hpp). Scanner and
/// attributes must outlive it.
class ExpressionReader {
 public:
  /// @param written_for  if what is unseen never holds: attributes that the text was written for,
  ///                     which tell the place of ordinal labels that are not in `attributes`
  ExpressionReader(Scanner& scanner, std::span<const Attribute> attributes, Unseen unseen,
                   std::span<const Attribute> written_for = {})
      : scanner_(scanner), attributes_(attributes), unseen_(unseen), written_for_(written_for) {}

  Comparison comparison();
  /// Canonical, unless what is unseen never holds.
  Expression expression();
  /// mean(a) or low mean(a), if that comes next.
  std::optional<Comparison> mean();

 private:
  struct Value {
    std::size_t position;
    std::string text;
  };
  /// Codes [begin, end) between two cuts of the dictionary.
  struct CodeRange {
    std::uint32_t begin, end;
  };

  std::uint32_t attribute_name();
  bool relation_follows();
  Relation relation();
  Value value();
  Comparison presence(std::uint32_t attribute);
  Comparison interval(std::uint32_t attribute, bool negated, std::size_t start);
  CodeRange codes(std::uint32_t attribute, Relation relation, std::size_t start,
                  const Value& value);
  static CodeRange between(std::optional<std::uint32_t> begin, std::optional<std::uint32_t> end);
  std::optional<std::uint32_t> cut(std::uint32_t attribute, const Value& value, bool include);
  std::optional<std::uint32_t> unseen_cut(const Attribute& a, const std::string& label) const;
  double number(const Attribute& a, const Value& value);
  std::uint32_t numeric_cut(const Attribute& a, const Value& value, bool include);
  Comparison make(std::uint32_t attribute, bool negated, CodeRange range, std::size_t start);

  Scanner& scanner_;
  std::span<const Attribute> attributes_;
  Unseen unseen_;
  std::span<const Attribute> written_for_;
};

}  // namespace atl
