// Rules as cells of text, from which tables for people are made.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "src/results/written/written_rule.hpp"

namespace atl::io {

struct RuleCells {
  struct Column {
    std::string name;
    bool of_words = false;  ///< a rule, a side or a list of rules, which may be long
    bool is_text = false;   ///< likewise, or a word
    std::vector<std::string> cells =
        {};  ///< [rules] printable; empty where there is nothing to say
  };
  std::vector<Column> columns;
  /// "=> income = >50K", where two rules or more have no other consequent; rules are antecedents
  /// then. Else empty.
  std::string shared_consequent;
};

/// The cells of the columns that the choice names, or else of the usual ones.
RuleCells rule_cells(std::span<const WrittenRule> rules, const ColumnChoice& choice);

/// Leaves out the least telling measure. @return false if all that is left tells much
bool leave_one_out(RuleCells& cells);

/// Lines of at most `width` characters, broken before AND, OR and =>, where a part is longer at
/// blanks, and else anywhere.
std::vector<std::string> wrapped_rule(const std::string& rule, std::size_t width);

}  // namespace atl::io
