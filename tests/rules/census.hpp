// A small census: its attributes, and a grammar that uses all that grammars can.
#pragma once

#include <vector>

#include "tests/rules/table.hpp"

namespace atl::test {

inline const std::vector<Attribute> table = {
    numeric("age", {17, 18, 20, 25, 30, 41, 55, 67, 90}),
    with_missing(binned("gain", {0, 1, 100, 5000}, {0, 99, 4386, 5000})),
    nominal("income", {"<=50K", ">50K"}),
    nominal("education", {"Bachelors", "Doctorate", "Masters"}),
    ordinal("size", {"small", "medium", "large"}),
    nominal("constant", {"x"})};

inline constexpr const char* user_grammar = R"(
<rule>    ::= "age > 41" AND <more> => <goal>     # literals, restrictions, indirect recursion
            | <more> => "income = >50K" | <goal> => <interval(size)>
<more>    ::= <pick> | <pick> AND <either> | NOT ( <more> )
<either>  ::= <more> OR <pick>
<pick>    ::= <not_equal(!income, constant)> | <less_equal(gain, size)> | <equal(education)>
<goal>    ::= <equal(income)>
)";

}  // namespace atl::test
