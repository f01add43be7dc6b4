#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <tuple>

#include <gtest/gtest.h>

#include "io/hdf5/dataset_file.hpp"
#include "io/hdf5/h5_inspection.hpp"
#include "io/hdf5/h5_reader.hpp"
#include "io/run/run_folder.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "tests/data/expect_equal_attributes.hpp"
#include "tests/io/dataset_fixture.hpp"

namespace atl::test {
namespace {

using io::DatasetFileWriter;

class DatasetFile : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::string path_ = folder_ / "data.h5";
};

TEST_F(DatasetFile, h5py_reads_it_as_the_format_says) {
  if (std::system(ATOLL_PYTHON " -c 'import h5py, numpy' 2>/dev/null") != 0) {
    GTEST_SKIP() << ATOLL_PYTHON " has no h5py or no numpy";
  }
  std::ofstream(folder_ / "check.py") << R"(
import os, sys, h5py, numpy as np
os.chdir(os.path.dirname(os.path.abspath(__file__)))
page = open(sys.argv[1] + "/io/FORMAT.md", encoding="utf-8").read()
exec(page.split("```python\n")[1].split("```")[0])
expected = np.loadtxt("expected.txt", ndmin=1)
assert values.shape == expected.shape and (values == expected).all()
)";
  for (const std::uint64_t rows : {1, 100, 4096, 4097, 12289}) {
    const Table table = make_table(rows, rows);
    write_table(path_, table, 4096);
    std::ofstream expected(folder_ / "expected.txt");
    for (const std::uint32_t code : table.columns[0]) {  // the code of a missing value is 0
      expected << format_number(table.attributes[0].low[code == missing_code ? 0 : code]) << '\n';
    }
    expected.close();
    const std::string script = folder_ / "check.py";
    EXPECT_EQ(std::system((ATOLL_PYTHON " " + script + " " ATOLL_SOURCE).c_str()), 0) << rows;
  }
}

TEST_F(DatasetFile, gives_back_what_was_written) {
  for (const std::uint64_t rows : {1, 63, 64, 65, 4095, 4096, 4097, 12289}) {
    const Table table = make_table(rows, 10 * rows);
    write_table(path_, table, 4096, {{"id", "identifier-like"}, {"Ä\0\n"s, "by request"}});
    const auto summary = io::read_summary(path_);
    EXPECT_EQ(summary.rows, rows);
    EXPECT_EQ(summary.partition_rows, 4096);
    ASSERT_EQ(summary.attributes.size(), table.attributes.size());
    for (std::size_t a = 0; a < table.attributes.size(); ++a) {
      expect_equal(summary.attributes[a], table.attributes[a]);
    }
    ASSERT_EQ(summary.ignored.size(), 2U);
    EXPECT_EQ(summary.ignored[1].name, "Ä\0\n"s);
    EXPECT_EQ(summary.ignored[1].reason, "by request");

    const Dataset data = io::read_dataset(path_, {.max_bins = 0, .attribute_bins = {}});
    EXPECT_EQ(data.fingerprint(), summary.fingerprint);
    EXPECT_EQ(data.fingerprint(), make_dataset(table.attributes, table.columns).fingerprint());
    ASSERT_EQ(data.rows(), rows);
    for (std::uint32_t a = 0; a < table.columns.size(); ++a) {
      for (std::uint64_t row = 0; row < rows; ++row) {
        ASSERT_EQ(data.code(row, a), table.columns[a][row]) << "row " << row << " attribute " << a;
      }
    }
  }
}

TEST_F(DatasetFile, keeps_what_the_import_made_of_tokens) {
  Table table = make_table(100, 3);
  write_table(path_, table, 4096);
  const std::string usual = io::read_file(path_);
  using Tokens = std::vector<std::string>;
  table.attributes[0].missing_tokens = Tokens{"-1", "", "ü"};
  table.attributes[1].missing_tokens = Tokens{};
  table.attributes[3].missing_tokens = Tokens{"-1", "", "ü"};
  table.attributes[2].other = "a b";
  write_table(path_, table, 4096);
  EXPECT_NE(io::read_file(path_), usual);
  const Dataset data = io::read_dataset(path_, {});
  for (const auto& attributes :
       {io::read_summary(path_).attributes,
        std::vector<Attribute>(data.attributes().begin(), data.attributes().end())}) {
    for (std::size_t a = 0; a < attributes.size(); ++a) {
      EXPECT_EQ(attributes[a].missing_tokens, table.attributes[a].missing_tokens) << a;
      EXPECT_EQ(attributes[a].other, table.attributes[a].other) << a;
    }
  }
}

TEST_F(DatasetFile, bins_while_loading) {
  const Table table = make_table(9000, 3);
  write_table(path_, table, 4096);
  const Dataset data = io::read_dataset(path_, {.max_bins = 16, .attribute_bins = {{"value", 5}}});
  const auto numeric = *data.find("number");
  const auto five = *data.find("value");
  EXPECT_EQ(data.attributes()[numeric].distinct(), 16);
  EXPECT_EQ(data.attributes()[five].distinct(), 5);
  EXPECT_GT(data.attributes()[five].exact_distinct, 16);
  EXPECT_EQ(data.fingerprint(), io::read_summary(path_).fingerprint);
  for (const std::uint32_t a : {numeric, five}) {
    const Attribute& binned = data.attributes()[a];
    for (std::uint64_t row = 0; row < data.rows(); ++row) {
      const std::uint32_t exact = table.columns[a][row];
      const std::uint32_t code = data.code(row, a);
      ASSERT_EQ(code == missing_code, exact == missing_code);
      if (code == missing_code) continue;
      const double value = table.attributes[a].low[exact];
      ASSERT_TRUE(binned.low[code] <= value && value <= binned.high[code]);
    }
  }
}

TEST_F(DatasetFile, takes_few_whole_numbers_as_labels_if_asked_to) {
  Table table;
  for (const auto& [name, last, step] :
       {std::tuple("class", 12, 1.0), std::tuple("many", 30, 1.0), std::tuple("parts", 5, 0.5)}) {
    Attribute attribute = make_attribute(name, AttributeKind::numeric, false);
    for (int value = 0; value < last; ++value) attribute.low.push_back(value * step);
    attribute.high = attribute.low;
    std::vector<std::uint32_t> column;
    for (std::uint32_t row = 0; row < 600; ++row) column.push_back(row % attribute.distinct());
    count(attribute, column);
    table.attributes.push_back(attribute);
    table.columns.push_back(column);
  }
  write_table(path_, table, 4096);
  const auto loaded = [&](io::LoadOptions options) {
    std::vector<bool> taken;
    const Dataset data = io::read_dataset(path_, options);
    for (const Attribute& a : data.attributes()) {
      taken.push_back(a.as_labels);
      EXPECT_FALSE(a.as_labels && a.binned());
    }
    return taken;
  };
  const std::vector<std::string> all = {"class", "many", "parts", "absent"};
  EXPECT_EQ(loaded({}), (std::vector{false, false, false}));
  EXPECT_EQ(loaded({.attribute_bins = {}, .labels = all}), (std::vector{true, false, false}));
  EXPECT_EQ(loaded({.max_bins = 4, .attribute_bins = {}, .labels = all}),
            (std::vector{true, false, false}));
  EXPECT_EQ(loaded({.attribute_bins = {}, .labels = {"many"}}), (std::vector{false, false, false}));
  EXPECT_EQ(loaded({.attribute_bins = {{"class", 4}}, .labels = all}),
            (std::vector{false, false, false}))
      << "whoever wants bins wants a number";
}

TEST_F(DatasetFile, bins_of_what_is_not_numeric_are_an_error_of_use) {
  write_table(path_, make_table(10, 1), 4096);
  EXPECT_THROW(io::read_dataset(path_, {.max_bins = 0, .attribute_bins = {{"absent", 5}}}),
               UsageError);
  EXPECT_THROW(io::read_dataset(path_, {.max_bins = 0, .attribute_bins = {{"label", 5}}}),
               UsageError);
}

TEST_F(DatasetFile, equal_tables_make_equal_bytes) {
  const Table table = make_table(5000, 4);
  write_table(path_, table, 4096);
  write_table(folder_ / "again.h5", table, 4096);
  EXPECT_EQ(slurp(path_), slurp(folder_ / "again.h5"));
}

/// As the file holds it.
Bytes planes_of(const Table& table, std::uint64_t first, std::uint64_t rows, std::size_t words) {
  Bytes all;
  for (std::size_t a = 0; a < table.attributes.size(); ++a) {
    const Attribute& attribute = table.attributes[a];
    const PlaneLayout layout{attribute.planes(), attribute.has_missing, words};
    std::vector<std::uint64_t> planes(layout.size());
    codes_to_planes(table.part(first, rows)[a], layout, planes);
    const auto bytes = std::as_bytes(std::span(planes));
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

TEST_F(DatasetFile, planes_that_somebody_else_has_made_are_the_same_file) {
  const Table table = make_table(5000, 4);
  write_table(path_, table, 4096);
  for (const unsigned threads : {1U, 3U}) {
    ThreadPool pool(threads);
    DatasetFileWriter writer(folder_ / "planes.h5", table.attributes, 5000, 4096, {});
    writer.append_planes(planes_of(table, 0, 4096, 64), pool);
    writer.append_planes(planes_of(table, 4096, 904, 64), pool);
    writer.finish();
    EXPECT_EQ(slurp(path_), slurp(folder_ / "planes.h5"));
  }
}

TEST_F(DatasetFile, planes_of_another_size_or_of_codes_that_there_are_not_are_refused) {
  Table table = make_table(100, 6);
  ThreadPool pool(2);
  DatasetFileWriter writer(path_, table.attributes, 100, 4096, {});
  EXPECT_THROW(writer.append_planes(planes_of(table, 0, 100, 16), pool), InternalError);
  Bytes planes = planes_of(table, 0, 100, 8);
  planes.pop_back();
  EXPECT_THROW(writer.append_planes(planes, pool), InternalError);
  table.columns[0][50] = table.attributes[0].distinct();
  EXPECT_THROW(writer.append_planes(planes_of(table, 0, 100, 8), pool), InternalError);
}

TEST_F(DatasetFile, h5dump_reads_it) {
  if (std::system("h5dump --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no h5dump";
  write_table(path_, make_table(5000, 4), 4096);
  const std::string dump = folder_ / "dump";
  ASSERT_EQ(std::system(("h5dump -A " + path_ + " > " + dump + " 2>&1").c_str()), 0);
  const std::string header = slurp(dump);
  for (const char* part : {"\"atoll.dataset\"", "DATASET \"planes\"", "( 2, 26, 64 )",
                           "DATASET \"name_text\"", "DATASET \"number\"", "H5T_IEEE_F64LE"}) {
    EXPECT_NE(header.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(header.find("H5T_VLEN"), std::string::npos);
  ASSERT_EQ(std::system(("h5dump -d /attributes/kind " + path_ + " > " + dump).c_str()), 0);
  EXPECT_NE(slurp(dump).find("(0): 0, 0, 1, 2, 1, 0"), std::string::npos) << slurp(dump);
}

const io::Hdf5Names some_names{{"rows", "absent"}, {"planes", "counts", "absent", "attributes"}};

TEST_F(DatasetFile, what_is_asked_for_in_vain_is_said_by_us_not_by_hdf5) {
  write_table(path_, make_table(10, 4), 4096);
  testing::internal::CaptureStderr();
  const io::Hdf5Reader file(io::InputFile(path_), some_names);
  EXPECT_THROW(file.read<double>("absent"), BadData);
  EXPECT_THROW(file.read<double>("planes"), BadData);
  EXPECT_THROW(file.read<double>("counts"), BadData);
  EXPECT_THROW(file.read<double>("attributes"), BadData);
  EXPECT_THROW(file.number("absent"), BadData);
  EXPECT_THROW(file.text("rows"), BadData);
  EXPECT_FALSE(file.has("absent"));
  EXPECT_EQ(file.number("rows"), 10U);
  EXPECT_THROW(io::Hdf5Reader(io::InputFile(folder_ / "absent"), some_names), MissingInput);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(DatasetFile, is_the_one_that_was_verified_whatever_its_name_means_by_now) {
  write_table(path_, make_table(10, 4), 4096);
  const io::Hdf5Reader file(io::InputFile(path_), some_names);
  const auto counts = file.read<std::uint64_t>("counts");
  write_table(folder_ / "other", make_table(99, 5), 4096);
  std::filesystem::rename(folder_ / "other", path_);
  EXPECT_EQ(file.read<std::uint64_t>("counts"), counts);
  EXPECT_NE(io::Hdf5Reader(io::InputFile(path_), some_names).read<std::uint64_t>("counts"), counts);
}

TEST_F(DatasetFile, is_looked_into_even_if_it_has_lost_its_name_meanwhile) {
  write_table(path_, make_table(10, 4), 4096);
  const io::InputFile file(path_);
  std::filesystem::remove(path_);
  EXPECT_EQ(io::inspect_in_child(file, some_names).attributes.at("rows").number, 10U);
}

TEST_F(DatasetFile, appears_only_when_finished) {
  const Table table = make_table(5000, 5);
  {
    DatasetFileWriter writer(path_, table.attributes, 5000, 4096, {});
    writer.append(4096, table.part(0, 4096));
    EXPECT_FALSE(std::filesystem::exists(path_));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(DatasetFile, refuses_codes_and_rows_that_were_not_announced) {
  Table table = make_table(100, 6);
  table.columns[0][50] = table.attributes[0].distinct();
  {
    DatasetFileWriter writer(path_, table.attributes, 100, 4096, {});
    EXPECT_THROW(writer.append(100, table.part(0, 100)), InternalError);
  }
  DatasetFileWriter writer(path_, table.attributes, 100, 4096, {});
  EXPECT_THROW(writer.append(99, table.part(0, 99)), InternalError);
  EXPECT_THROW(writer.finish(), InternalError);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(DatasetFile, cannot_be_created_where_there_is_no_folder_or_no_file) {
  const Table table = make_table(10, 7);
  EXPECT_THROW(write_table(folder_ / "absent/data.h5", table, 4096), CannotCreate);
  EXPECT_THROW(write_table(folder_.path(), table, 4096), CannotCreate);
  EXPECT_THROW(write_table("/dev/null", table, 4096), CannotCreate);
}

TEST_F(DatasetFile, absent_ones_are_missing_inputs) {
  EXPECT_THROW(io::read_summary(path_), MissingInput);
  EXPECT_THROW(io::read_summary(folder_.path()), MissingInput);
  EXPECT_THROW(io::read_summary("/dev/null"), MissingInput);
  EXPECT_THROW(io::read_dataset(path_, {}), MissingInput);
}

}  // namespace
}  // namespace atl::test
