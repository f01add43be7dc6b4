#include <string>

#include <gtest/gtest.h>

#include "src/work/task_state.hpp"

namespace atl {
namespace {

Bytes bytes_of(const std::string& text) {
  const auto raw = std::as_bytes(std::span(text));
  return {raw.begin(), raw.end()};
}

TaskState some_state() {
  TaskState state;
  state.identity = {"itemsets", 3, {{"other transactions", "ab"}, {"another least support", "5"}}};
  state.seconds = 12.5;
  state.round = 2;
  state.news = bytes_of("news");
  state.own = bytes_of("merged");
  state.output = {{0, 100, {3, 4}}, {0, 50, {5, 6}}};
  state.items = {bytes_of("first piece"), TextPart{8, 9, {10, 11}}, bytes_of("")};
  return state;
}

TEST(TaskState, ReadsBackAsItWas) {
  const TaskState state = some_state();
  const Bytes bytes = encode(state);
  const TaskState read = decode_task_state(bytes);
  EXPECT_EQ(difference(state.identity, read.identity), "");
  EXPECT_EQ(read.seconds, 12.5);
  EXPECT_EQ(read.round, 2U);
  EXPECT_EQ(read.news, state.news);
  EXPECT_EQ(read.own, state.own);
  EXPECT_EQ(std::get<Piece>(read.items[0]), bytes_of("first piece"));
  EXPECT_EQ(std::get<TextPart>(read.items[1]).hash, (Hash128{10, 11}));
  EXPECT_EQ(encode(read), bytes);
}

TEST(TaskState, AnyDamageIsNoticed) {
  const Bytes bytes = encode(some_state());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    Bytes damaged = bytes;
    damaged[at] ^= std::byte{16};
    EXPECT_THROW(decode_task_state(damaged), BadBytes) << at;
    EXPECT_THROW(decode_task_state(std::span(bytes).first(at)), BadBytes) << at;
  }
}

TEST(TaskState, AnotherVersionIsToldFromDamage) {
  const Bytes bytes = encode(some_state());
  Bytes other(bytes.begin(), bytes.end() - 16);
  other[8 + 10] = std::byte{99};  // behind the magic
  ByteWriter hash;
  put(hash, hash_bytes(other));
  other.insert(other.end(), hash.bytes().begin(), hash.bytes().end());
  EXPECT_THROW(decode_task_state(other), OtherVersion);
}

TEST(TaskState, SaysInWhatTasksDiffer) {
  const Identity here = some_state().identity;
  Identity other = here;
  other.marks[1].value = "6";
  EXPECT_EQ(difference(here, other), "another least support");
  other.marks[0].value = "cd";
  EXPECT_EQ(difference(here, other), "other transactions, another least support");
  other.marks.pop_back();
  EXPECT_EQ(difference(here, other), "other transactions, another least support");
  other = here;
  other.marks.push_back({"", "one more"});
  EXPECT_NE(difference(here, other), "");
  other.task = "enumerate";
  EXPECT_EQ(difference(here, other), "another task, enumerate");
}

TEST(TaskState, NamesThreeDifferencesAtMost) {
  Identity here{"generate", 2, {}}, other = here;
  for (const char* const option : {"--a", "--b", "--c", "--d"}) {
    here.marks.push_back({std::string("another ") + option, "1"});
    other.marks.push_back({"", option});
  }
  EXPECT_EQ(difference(here, other), "another --a, another --b, another --c and more");
}

}  // namespace
}  // namespace atl
