#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/work/run_task.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl {
namespace {

namespace fs = std::filesystem;

/// Lists numbers in rounds: round r lists those of `sizes[r]`, and the news of a round is the sum
/// of all before. A piece is a range of them.
class Numbers : public Task {
 public:
  explicit Numbers(std::vector<std::uint32_t> sizes) : sizes_(std::move(sizes)) {}

  void prepare(Worker&) override { ++prepared; }
  Identity identity() const override {
    return {"numbers", 1, {{"other sizes", std::to_string(sizes_.size())}}};
  }
  Bytes first() override { return bytes_of(0); }
  void begin(std::uint32_t round, std::span<const std::byte> news) override {
    round_ = round;
    std::uint64_t before = 0;
    for (std::uint32_t r = 0; r < round; ++r)
      before += sizes_[r] == 0 ? 0 : sizes_[r] * (sizes_[r] - 1) / 2;
    EXPECT_EQ(ByteReader(news).get<std::uint64_t>(), before);
  }
  std::vector<Piece> pieces(int) override { return {piece(0, sizes_[round_])}; }
  void expect(const Piece& piece) const override {
    require_bytes(range(piece).second <= sizes_.at(round_), "beyond the end");
  }
  void merge(std::span<const std::byte> found) override {
    sum_ += ByteReader(found).get<std::uint64_t>();
  }
  std::optional<Bytes> next() override {
    if (round_ + 1 == sizes_.size()) return std::nullopt;
    return bytes_of(sum_);
  }
  void save(ByteWriter& out) override { out.put(sum_); }
  void load(ByteReader& in) override { sum_ = in.get<std::uint64_t>(); }
  std::string finish(const WriteText& write) override {
    write("sum " + std::to_string(sum_) + "\n");
    return "listed";
  }
  Done work(std::span<const Piece> pieces, const WriteText& write, Worker&,
            const std::stop_token& stop) override {
    Done done;
    std::uint64_t sum = 0;
    for (const Piece& piece : pieces) {
      auto [first, end] = range(piece);
      for (; first < end && !(stop.stop_requested() || at_number(round_, first)); ++first) {
        sum += first;
        write(std::to_string(round_) + ":" + std::to_string(first) + "\n");
      }
      if (first < end) done.rest.push_back({{Numbers::piece(first, end)}, ""});
      if (first < end && fails) throw BadData("numbers", "failed");
    }
    done.found = bytes_of(sum);
    return done;
  }

  /// Stops a run there.
  std::function<bool(std::uint32_t round, std::uint32_t number)> at_number =
      [](std::uint32_t, std::uint32_t) { return false; };
  bool fails = false;
  int prepared = 0;

 private:
  static Bytes bytes_of(std::uint64_t value) {
    ByteWriter out;
    out.put(value);
    return std::move(out).take();
  }
  static Piece piece(std::uint32_t first, std::uint32_t end) {
    ByteWriter out;
    out.put(first);
    out.put(end);
    return std::move(out).take();
  }
  static std::pair<std::uint32_t, std::uint32_t> range(const Piece& piece) {
    ByteReader in(piece);
    const auto first = in.get<std::uint32_t>();
    return {first, in.get<std::uint32_t>()};
  }

  std::vector<std::uint32_t> sizes_;
  std::uint32_t round_ = 0;
  std::uint64_t sum_ = 0;
};

class RunTask : public testing::Test {
 protected:
  ExitStatus run(Task& task, double stop_after = 0) {
    TaskJob job;
    job.to_file = true;
    job.output = path_.path() + "/out";
    job.threads = 1;
    job.limits.stop_after = stop_after;
    return run_task(task, job,
                    {ranks_, [this](Severity, const std::string& line) { said_.push_back(line); }});
  }
  std::string output() const {
    std::ifstream in(path_.path() + "/out");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const std::vector<std::uint32_t> sizes_{4, 0, 3};
  const std::string all_ = "0:0\n0:1\n0:2\n0:3\n2:0\n2:1\n2:2\nsum 9\n";
  test::TemporaryFolder path_;
  LocalCommunicator ranks_;
  std::vector<std::string> said_;
};

TEST_F(RunTask, GoesThroughAllRounds) {
  Numbers task(sizes_);
  EXPECT_EQ(run(task), ExitStatus::done);
  EXPECT_EQ(output(), all_);
  EXPECT_EQ(task.prepared, 1);
  EXPECT_EQ(said_, std::vector<std::string>{"listed"});
  EXPECT_FALSE(fs::exists(path_.path() + "/out.checkpoint"));
}

TEST_F(RunTask, WhatARunLeavesIsWorkedOn) {
  Numbers task(sizes_);
  int runs = 0;
  task.at_number = [&](std::uint32_t, std::uint32_t number) {
    return number % 2 == 1 && ++runs % 3 != 0;
  };
  EXPECT_EQ(run(task), ExitStatus::done);
  EXPECT_EQ(output(), all_);
}

TEST_F(RunTask, StopsAndGoesOnWithTheSameBytes) {
  for (int job = 0; job < 100; ++job) {
    Numbers task(sizes_);
    int numbers = 0;
    // Each run ends after one number, so that the clock is looked at.
    task.at_number = [&](std::uint32_t, std::uint32_t) {
      if (++numbers % 2 == 1) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      return true;
    };
    const ExitStatus status = run(task, 1e-9);
    if (status == ExitStatus::done) break;
    ASSERT_EQ(status, ExitStatus::stopped);
    EXPECT_TRUE(fs::exists(path_.path() + "/out.checkpoint/state"));
    EXPECT_FALSE(fs::exists(path_.path() + "/out"));
    ASSERT_LT(job, 98);
  }
  EXPECT_EQ(output(), all_);
  EXPECT_FALSE(fs::exists(path_.path() + "/out.checkpoint"));
}

TEST_F(RunTask, AnErrorOfTheWorkEndsIt) {
  Numbers task(sizes_);
  task.fails = true;
  task.at_number = [](std::uint32_t round, std::uint32_t) { return round == 2; };
  EXPECT_THROW(run(task), BadData);
  EXPECT_FALSE(fs::exists(path_.path() + "/out"));
  EXPECT_FALSE(fs::exists(path_.path() + "/out.checkpoint"));
}

}  // namespace
}  // namespace atl
