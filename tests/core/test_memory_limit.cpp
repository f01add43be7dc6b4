#include <memory>
#include <new>

#include <gtest/gtest.h>

#include "src/core/memory_limit.hpp"

namespace atl::test {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

TEST(MemoryLimit, LetsOnlySoMuchBeTaken) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers end the program instead of throwing";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "sanitizers end the program instead of throwing";
#endif
#endif
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

TEST(MemoryLimit, LeavesWhatThereWasBefore) {
  const MemoryLimit none(~std::uint64_t{0});
  EXPECT_EQ(none.left(), ~std::uint64_t{0});
  EXPECT_GT(memory_left(), mebibyte);
}

}  // namespace
}  // namespace atl::test
