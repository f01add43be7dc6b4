#include <gtest/gtest.h>

#include "src/core/run_state.hpp"

namespace atl::test {
namespace {

RunState two_sections() {
  RunState state;
  state.header.generation = 7;
  state.sections = {{"island-0", 3, Bytes(5, std::byte{1})}, {"results", 1, {}}};
  return state;
}

TEST(Sections, ComeBackAsTheyWere) {
  const Bytes bytes = encode(two_sections());
  const RunState back = decode_run_state(bytes);
  ASSERT_EQ(back.sections.size(), 2U);
  EXPECT_EQ(back.sections[0].name, "island-0");
  EXPECT_EQ(back.sections[0].version, 3U);
  EXPECT_EQ(back.sections[0].bytes, Bytes(5, std::byte{1}));
  EXPECT_TRUE(back.sections[1].bytes.empty());
  EXPECT_EQ(encode(back), bytes);
}

TEST(Sections, AreFoundByNameAndVersion) {
  const RunState state = two_sections();
  EXPECT_EQ(state.section("island-0", 3).size(), 5U);
  EXPECT_THROW(state.section("island-0", 2), BadBytes);
  EXPECT_THROW(state.section("island-1", 3), BadBytes);
}

TEST(Sections, NamesAreProperAndDiffer) {
  const auto refused = [](const std::string& name) {
    RunState state = two_sections();
    state.sections[1].name = name;
    try {
      decode_run_state(encode(state));
      return false;
    } catch (const BadBytes&) {
      return true;
    }
  };
  EXPECT_FALSE(refused("history"));
  EXPECT_FALSE(refused(std::string(64, 'x')));
  for (const std::string& name : {std::string(), std::string("island-0"), std::string("Results"),
                                  std::string("two words"), std::string(65, 'x')}) {
    EXPECT_TRUE(refused(name)) << name;
  }
}

TEST(Sections, EveryTruncationIsRefused) {
  const Bytes bytes = encode(two_sections());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(decode_run_state(std::span(bytes).first(length)), BadBytes) << length;
  }
  Bytes longer = bytes;
  longer.push_back(std::byte{0});
  EXPECT_THROW(decode_run_state(longer), BadBytes);
}

}  // namespace
}  // namespace atl::test
