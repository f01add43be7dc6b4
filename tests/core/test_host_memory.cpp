#include <sys/resource.h>

#include <gtest/gtest.h>

#include "src/core/host_memory.hpp"
#include "tests/islands/archipelago/thread_communicator.hpp"

namespace atl {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

std::string text_at(const HostMemory& memory, std::size_t offset, std::size_t size) {
  return {reinterpret_cast<const char*>(memory.bytes().data()) + offset, size};
}

/// Of all files, as long as it lives.
struct SizeLimit {
  explicit SizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before);
    const rlimit now{bytes, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SizeLimit() { ::setrlimit(RLIMIT_FSIZE, &before); }
  rlimit before{};
};

TEST(HostMemory, IsWrittenByOneRankAndReadByAll) {
  const std::string first = "first page", far = "another page";
  test::run_ranks(3, [&](Communicator& host) {
    const auto memory = HostMemory::make(20000, host);
    ASSERT_NE(memory, nullptr);
    EXPECT_EQ(memory->bytes().size(), 20000U);
    if (host.rank() == 0) {
      memory->write(0, bytes_of(first));
      memory->write(20000 - far.size(), bytes_of(far));
    }
    host.barrier();
    EXPECT_EQ(text_at(*memory, 0, first.size()), first);
    EXPECT_EQ(text_at(*memory, 20000 - far.size(), far.size()), far);
    EXPECT_EQ(memory->bytes()[10000], std::byte{0});
  });
}

TEST(HostMemory, OutlivesTheRankThatWroteIt) {
  const std::string text = "here";
  test::run_ranks(2, [&](Communicator& host) {
    auto memory = HostMemory::make(5000, host);
    ASSERT_NE(memory, nullptr);
    if (host.rank() == 0) {
      memory->write(100, bytes_of(text));
      memory.reset();
    }
    host.barrier();
    if (memory) {
      EXPECT_EQ(text_at(*memory, 100, text.size()), text);
    }
  });
}

TEST(HostMemory, IsNotForOneRank) {
  LocalCommunicator alone;
  EXPECT_EQ(HostMemory::make(5000, alone), nullptr);
}

TEST(HostMemory, OfNoBytesIsNone) {
  test::run_ranks(2, [](Communicator& host) { EXPECT_EQ(HostMemory::make(0, host), nullptr); });
}

TEST(HostMemory, IsNoneWhereFilesMayNotBeSoLarge) {
  const SizeLimit limit(4096);
  test::run_ranks(2, [](Communicator& host) {
    EXPECT_NE(HostMemory::make(4096, host), nullptr);
    EXPECT_EQ(HostMemory::make(4097, host), nullptr);
  });
}

TEST(HostMemory, IsNoneThatTheSystemCannotMap) {
  test::run_ranks(2, [](Communicator& host) {
    EXPECT_EQ(HostMemory::make(std::size_t{1} << 62, host), nullptr);
  });
}

TEST(HostMemory, HasHostsThatAreKnownAgain) {
  EXPECT_GE(host_number(), 0);
  EXPECT_EQ(host_number(), host_number());
}

}  // namespace
}  // namespace atl
