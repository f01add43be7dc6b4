#include <memory>
#include <new>

#include <gtest/gtest.h>

#include "src/core/memory_limit.hpp"
#include "tests/support/sanitizers.hpp"

namespace atl::test {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

TEST(MemoryLimit, LetsOnlySoMuchBeTaken) {
  if (sanitized) GTEST_SKIP() << "sanitizers end the program instead of throwing";
  // Called as a function, it is not left out where nobody uses the memory.
  const auto free = [](void* memory) { ::operator delete(memory); };
  const auto take = [&](std::uint64_t size) {
    return std::unique_ptr<void, decltype(free)>(::operator new(size), free);
  };
  {
    const MemoryLimit limit(64 * mebibyte);
    EXPECT_EQ(limit.bytes(), 64 * mebibyte);
    EXPECT_LE(limit.left(), 64 * mebibyte);
    EXPECT_THROW(take(96 * mebibyte), std::bad_alloc);
    const auto part = take(40 * mebibyte);
    EXPECT_LE(limit.left(), 24 * mebibyte);
    EXPECT_THROW(take(40 * mebibyte), std::bad_alloc);
  }
  EXPECT_NO_THROW(take(96 * mebibyte));
}

TEST(MemoryLimit, TellsOfWhatWouldNotFit) {
  const MemoryLimit limit(64 * mebibyte);
  EXPECT_LE(memory_left(), 64 * mebibyte);
  EXPECT_NO_THROW(expect_memory_for(8 * mebibyte, "rows"));
  try {
    expect_memory_for(96 * mebibyte, "rows", "fewer");
    ADD_FAILURE() << "fits";
  } catch (const MemoryShortage& shortage) {
    const std::string message = shortage.what();
    EXPECT_TRUE(message.starts_with("rows take 96 MiB of memory, and ")) << message;
    EXPECT_TRUE(message.ends_with(" MiB are left: take fewer")) << message;
    EXPECT_EQ(shortage.status(), ExitStatus::io_error);
  }
  EXPECT_EQ(within(limit, "rows take", {}, [] { return 7; }), 7);
  const auto too_much = [] { expect_memory_for(96 * mebibyte, "rows"); };
  EXPECT_THROW(within(limit, "rows take", {}, too_much), UsageError);
}

TEST(MemoryLimit, LeavesWhatThereWasBefore) {
  const MemoryLimit none(~std::uint64_t{0});
  EXPECT_EQ(none.left(), ~std::uint64_t{0});
  EXPECT_GT(memory_left(), mebibyte);
}

}  // namespace
}  // namespace atl::test
