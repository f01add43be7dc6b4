#include <string>

#include <gtest/gtest.h>

#include "src/config/toml_text.hpp"
#include "src/core/error.hpp"

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

TEST(TomlText, RefusesWhatIsTooDeepForTheStack) {
  const auto repeated = [](const std::string& text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
  };
  const std::string deep = "expected at most 32 levels of keys and brackets";
  for (const std::size_t times : {40, 1000000}) {
    EXPECT_TRUE(refusal("a" + repeated(".a", times) + " = 1\n").ends_with(deep));
    EXPECT_TRUE(refusal("\"a\"" + repeated(" . 'a'", times) + " = 1\n").ends_with(deep));
    EXPECT_TRUE(refusal("[a" + repeated(".a", times) + "]\n").ends_with(deep));
    EXPECT_TRUE(refusal("[[a" + repeated(".a", times) + "]]\n").ends_with(deep));
    EXPECT_TRUE(refusal("a = {b" + repeated(".a", times) + " = 1}\n").ends_with(deep));
    EXPECT_TRUE(refusal("a = " + repeated("[", times) + "\n").ends_with(deep));
    EXPECT_TRUE(refusal("a = " + repeated("{a=", times) + "\n").ends_with(deep));
  }
  EXPECT_EQ(refusal("a" + repeated(".a", 20) + " = 1.5\nb" + repeated(".a", 20) + " = [1.5, 2.5]"),
            "taken");
}

TEST(TomlText, WritesAndReadsBackWhatATerminalWouldObey) {
  const std::string text = "a\x1b\x7f\t\"\\\xC2\x9B\xE2\x80\xAE\xE2\x80\xA8\xC3\xA9\n";
  for (const TomlLines lines : {TomlLines::one, TomlLines::several}) {
    const std::string written = toml_string(text, lines);
    EXPECT_EQ(printable_lines(written), written);
    EXPECT_EQ(parse_toml("a = " + written, "t")["a"].value<std::string>(), text);
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
