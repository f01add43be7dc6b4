#pragma once

#include <gtest/gtest.h>

#include "src/data/attribute.hpp"

namespace atl::test {

/// All that is known of them.
inline void expect_equal(const Attribute& a, const Attribute& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.role, b.role);
  EXPECT_EQ(a.has_missing, b.has_missing);
  EXPECT_EQ(a.missing, b.missing);
  EXPECT_EQ(a.low, b.low);
  EXPECT_EQ(a.high, b.high);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.counts, b.counts);
  EXPECT_EQ(a.exact_distinct, b.exact_distinct);
  EXPECT_EQ(a.as_labels, b.as_labels);
  EXPECT_EQ(a.other, b.other);
  EXPECT_EQ(a.missing_tokens, b.missing_tokens);
}

}  // namespace atl::test
