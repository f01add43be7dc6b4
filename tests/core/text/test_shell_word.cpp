#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "src/core/text/shell_word.hpp"

namespace atl {
namespace {

TEST(ShellWord, IsQuotedOnlyIfItHasToBe) {
  EXPECT_EQ(shell_word("runs/a-1.h5"), "runs/a-1.h5");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word("gr\xC3\xB6\xC3\x9F"), "'gr\xC3\xB6\xC3\x9F'");
  EXPECT_EQ(shell_word("a\xC2\xA0'b\\\x1b\xff"), "$'a\\xc2\\xa0\\'b\\\\\\x1b\\xff'");
}

}  // namespace
}  // namespace atl
