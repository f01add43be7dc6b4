#include <cerrno>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

#include "src/core/agreement.hpp"

namespace atl {
namespace {

Outcome failing_with(const std::function<void()>& throwing) {
  return outcome_of([&] {
    throwing();
    return ExitStatus::done;
  });
}

TEST(Outcome, OfAnActionThatReturns) {
  const Outcome outcome = outcome_of([] { return ExitStatus::stopped; });
  EXPECT_EQ(outcome.status, ExitStatus::stopped);
  EXPECT_FALSE(outcome.failed);
}

TEST(Outcome, OfErrorsIsTheirStatusInOneLine) {
  const Outcome outcome = failing_with([] { throw BadData("f.csv", "two\nlines"); });
  EXPECT_EQ(outcome.status, ExitStatus::bad_data);
  EXPECT_TRUE(outcome.failed);
  EXPECT_EQ(outcome.message, "f.csv: two lines");
}

TEST(Outcome, OfWhatNobodyExpectsIsOurBug) {
  EXPECT_EQ(failing_with([] { throw std::out_of_range("at"); }).message, "internal error: at");
  EXPECT_EQ(failing_with([] { throw 1; }).message, "internal error of unknown kind");
  EXPECT_EQ(failing_with([] { throw 1; }).status, ExitStatus::internal);
}

TEST(Outcome, OfWhatTheSystemRefusesIsNoBug) {
  const auto fails = [](const std::function<void()>& throwing, const std::string& message) {
    const Outcome outcome = failing_with(throwing);
    EXPECT_EQ(outcome.status, ExitStatus::io_error);
    EXPECT_EQ(outcome.message, message);
  };
  fails([] { throw std::bad_alloc(); }, "out of memory");
  fails([] { (void)std::string().append(std::string::npos, 'x'); }, "out of memory");
  fails([] { throw std::system_error(EAGAIN, std::generic_category(), "thread"); },
        "the system gives no more threads (ulimit -u, or the limit of the job's tasks)");
  fails([] { (void)std::filesystem::file_size(std::string(300, 'x')); },
        std::string(300, 'x') + ": File name too long");
}

TEST(OnRoot, HandsOverTheResultOrTheError) {
  LocalCommunicator local;
  const std::string bytes("a\0b", 3);
  EXPECT_EQ(text_of_root(local, [&] { return bytes; }), bytes);
  try {
    on_root(local, [] { throw MissingInput("x.h5", "is not there"); });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::no_input);
    EXPECT_STREQ(error.what(), "x.h5: is not there");
  }
}

TEST(OnAll, ThrowsWhatARankThrew) {
  LocalCommunicator local;
  int calls = 0;
  on_all(local, [&] { ++calls; });
  EXPECT_EQ(calls, 1);
  try {
    on_all(local, [] { throw BackendUnavailable("cuda", "asleep"); });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::unavailable);
    EXPECT_STREQ(error.what(), "backend cuda unavailable: asleep");
  }
}

}  // namespace
}  // namespace atl
