// Tables in files: the rows of their source, in the same bytes whoever makes them.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/hdf5/dataset_file.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/generate/planted.hpp"
#include "src/generate/poker.hpp"
#include "src/generate/write_table.hpp"
#include "tests/io/temporary_folder.hpp"
#include "tests/work/task_in_pieces.hpp"

namespace atl::test {
namespace {

/// Of so few attributes that a row is cheap: 6 of them, one with missing values.
const RowSource& small_source() {
  static const PlantedSource source({.seed = 2, .attributes = 6, .rules = 0, .missing = 0.1});
  return source;
}

class WrittenTable : public testing::Test {
 protected:
  std::string written(const RowSource& source, std::uint64_t rows, const std::string& name,
                      unsigned threads) {
    LocalCommunicator local;
    write_dataset(source, rows, folder_ / name, {}, {local, threads});
    return slurp(folder_ / name);
  }
  static std::string lines(const RowSource& source, std::uint64_t rows, unsigned threads) {
    const auto make = [&] {
      return std::make_unique<LinesTask>(Identity{"rows", 1, {}}, table_lines(source), rows);
    };
    return TaskInPieces(make, rows, threads).run().text;
  }

  TemporaryFolder folder_;
};

std::string text_of(const Attribute& attribute, std::uint32_t code) {
  if (code == missing_code) return "";
  return attribute.kind == AttributeKind::numeric ? format_number(attribute.low[code])
                                                  : attribute.labels[code];
}

// Around the ends of slices and of blocks.
class TableOfRows : public WrittenTable, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(TableOfRows, has_those_of_its_source_on_any_number_of_threads) {
  const RowSource& source = small_source();
  const std::uint64_t rows = GetParam();
  std::vector<std::uint32_t> codes(source.attributes().size());

  std::string text;
  for (const Attribute& attribute : source.attributes()) text += attribute.name + ',';
  text.back() = '\n';
  for (std::uint64_t row = 0; row < rows; ++row) {
    source.make_row(row, codes);
    for (std::size_t a = 0; a < codes.size(); ++a) {
      text += text_of(source.attributes()[a], codes[a]) + ',';
    }
    text.back() = '\n';
  }
  for (const unsigned threads : {1U, 2U, 3U}) {
    EXPECT_TRUE(lines(source, rows, threads) == text) << threads;
  }

  const std::string bytes = written(source, rows, "table.h5", 1);
  EXPECT_TRUE(written(source, rows, "table.h5", 2) == bytes);
  EXPECT_TRUE(written(source, rows, "table.h5", 3) == bytes);
  const Dataset data =  // compares counts and fingerprint with what the file says
      io::read_dataset(folder_ / "table.h5", {.max_bins = 0, .attribute_bins = {}});
  ASSERT_EQ(data.rows(), rows);
  ASSERT_EQ(data.attributes().size(), codes.size());
  for (std::uint64_t row = 0; row < rows; row += row + 100 < rows ? 97 : 1) {
    source.make_row(row, codes);
    for (std::uint32_t a = 0; a < codes.size(); ++a) {
      EXPECT_EQ(text_of(data.attributes()[a], data.code(row, a)),
                text_of(source.attributes()[a], codes[a]))
          << row << ' ' << a;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ends, TableOfRows,
                         testing::Values(100, 1023, 1024, 1025, 65535, 65536, 65537, 140'000));

/// Sums by worker: of rows, and of the codes of an attribute.
struct Sums {
  std::vector<std::vector<std::uint64_t>> of_workers;

  void begin(unsigned threads) { of_workers.assign(threads, std::vector<std::uint64_t>(2)); }
  void add(std::span<const std::uint32_t> codes, unsigned worker) {
    ++of_workers[worker][0];
    of_workers[worker][1] += codes[1];
  }
  std::vector<std::uint64_t> take() {
    std::vector<std::uint64_t> all(2);
    for (auto& sums : of_workers) {
      for (std::size_t i : {0, 1}) all[i] += std::exchange(sums[i], 0);
    }
    return all;
  }
};

TEST_F(WrittenTable, has_each_row_visited_once_by_a_worker_at_a_time) {
  constexpr std::uint64_t rows = 200'000;
  constexpr unsigned threads = 3;
  const PokerSource source(1);
  std::uint64_t expected = 0;
  std::vector<std::uint32_t> codes(11);
  for (std::uint64_t row = 0; row < rows; ++row) {
    source.make_row(row, codes);
    expected += codes[1];
  }
  const std::vector<std::uint64_t> all{rows, expected};
  Sums sums;
  const auto visit = [&](auto seen, unsigned worker) { sums.add(seen, worker); };
  LocalCommunicator local;
  sums.begin(threads);
  write_dataset(source, rows, folder_ / "table.h5", visit, {local, threads});
  EXPECT_EQ(sums.take(), all);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {  // also where it is stopped now and then
    const auto make = [&] {
      return std::make_unique<LinesTask>(
          Identity{"rows", 1, {}}, table_lines(source, visit), rows,
          LineCounts{2, [&](unsigned workers) { sums.begin(workers); },
                     [&] { return sums.take(); }});
    };
    TaskInPieces pieces(make, seed, threads);
    pieces.run();
    EXPECT_EQ(dynamic_cast<LinesTask&>(pieces.task()).counts(), all);
  }
}

TEST_F(WrittenTable, leaves_out_what_is_constant) {
  const std::string first = written(PokerSource(1), 3, "table.h5", 2);
  const io::DatasetSummary summary = io::read_summary(folder_ / "table.h5");
  EXPECT_EQ(summary.attributes.size() + summary.ignored.size(), 11U);
  EXPECT_FALSE(summary.ignored.empty());
  EXPECT_THROW(written(PokerSource(1), 1, "other.h5", 2), UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other.h5"));
}

/// Fails at one row.
class FailingSource final : public RowSource {
 public:
  FailingSource() {
    attributes_.assign(small_source().attributes().begin(), small_source().attributes().end());
  }
  void make_row(std::uint64_t row, std::span<std::uint32_t> codes) const override {
    if (row == 66'000 && ++calls_ == fails_at) throw IoError("row", "cannot be made");
    small_source().make_row(row, codes);
  }
  mutable std::atomic<int> calls_ = 0;
  int fails_at = 1;
};

TEST_F(WrittenTable, leaves_nothing_behind_if_a_row_cannot_be_made) {
  for (const int pass : {1, 2}) {
    FailingSource source;
    source.fails_at = pass;
    EXPECT_THROW(written(source, 200'000, "table.h5", 2), IoError) << pass;
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }
  EXPECT_THROW(lines(FailingSource(), 200'000, 2), IoError);
}

}  // namespace
}  // namespace atl::test
