#include <string>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/core/toml_text.hpp"

namespace atl {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_toml(text, "t.toml");
  } catch (const BadData& error) {
    return error.what();
  }
  return "taken";
}

// toml++ 3.3 runs into undefined behaviour on these.
TEST(TomlText, RefusesWhatTheLibraryTakesForImpossible) {
  EXPECT_EQ(refusal("d = +[\"\uFDFF\"]\n"),
            "t.toml:1:6: found '[\"\uFDFF\"]', expected no bracket within a word");
  EXPECT_EQ(refusal("d = a=\"\uFDFF\"\n"),
            "t.toml:1:6: found '=\"\uFDFF\"', expected no equals sign within a value");
  EXPECT_EQ(refusal("d = 1.\"\uFDFF\"\n"),
            "t.toml:1:7: found '\"\uFDFF\"', expected no quote within a word");
  EXPECT_EQ(refusal("d = \"\"\"x\\\n  \uFDFF\"\"\"\n"),
            "t.toml:1:9: found '\\', expected an escape of TOML");
  for (const std::string end : {"", "\n", " ", "]", "#"}) {
    EXPECT_EQ(refusal("d = [4044-\x10"
                      "8-a1 4" +
                      end)
                  .substr(0, 11),
              "t.toml:1:16")
        << end;
    EXPECT_EQ(refusal("d=1_979-05-27 4" + end).substr(0, 11), "t.toml:1:14") << end;
  }
}

TEST(TomlText, TakesEveryFormOfKeyAndValue) {
  const toml::table table = parse_toml(
      "a.\"b c\" = 1\n\"q\"='\uFDFF'\n[t.'u']\nlist = [\"\uFDFF\", [1, 2],\n  {x=1, \"y\" = "
      "\"z\"}]\n"
      "long = \"\"\"one \\\n  two\"\"\"\n[[many]]\nk = {}\n[[many]]\n",
      "t.toml");
  EXPECT_EQ(table["a"]["b c"].value<int>(), 1);
  EXPECT_TRUE(parse_toml("d = 1979-05-27 07:32:00\ne = [1979-05-27 ]\n", "t")["d"].is_date_time());
  EXPECT_EQ(table["q"].value<std::string>(), "\uFDFF");
  EXPECT_EQ(table["t"]["u"]["list"][0].value<std::string>(), "\uFDFF");
  EXPECT_EQ(table["t"]["u"]["list"][1][1].value<int>(), 2);
  EXPECT_EQ(table["t"]["u"]["list"][2]["y"].value<std::string>(), "z");
  EXPECT_EQ(table["t"]["u"]["long"].value<std::string>(), "one two");
  EXPECT_EQ(table["many"].as_array()->size(), 2U);
}

}  // namespace
}  // namespace atl
