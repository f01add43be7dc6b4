#include "io/hdf5/dataset_file.hpp"
#include "io/tables/import.hpp"
#include "src/core/communicator.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

class OneHot : public FolderTest {
 protected:
  void SetUp() override {
    FolderTest::SetUp();
    options.output = path("t.h5");
    options.header = true;
    options.fold_one_hot = true;
  }

  /// "name:kind" of each attribute of the imported table.
  std::vector<std::string> imported(const std::string& text) {
    options.inputs = {write("t.csv", text)};
    reports.clear();
    summary = import_tables(options, report());
    std::vector<std::string> names;
    for (const Attribute& attribute : read_summary(options.output).attributes) {
      names.push_back(attribute.name + ":" + to_string(attribute.kind));
    }
    return names;
  }
  /// The lines on columns of yes and no, without the folder.
  std::vector<std::string> said() const {
    std::vector<std::string> lines;
    for (std::string line : reports) {
      if (line.find("one-hot") == std::string::npos) continue;
      const std::size_t at = line.find(folder);
      lines.push_back(at == std::string::npos ? line : line.erase(at, folder.size() + 1));
    }
    return lines;
  }
  std::vector<std::string> labels(std::uint32_t attribute) const {
    const Dataset data = read_dataset(options.output, {.max_bins = 0, .attribute_bins = {}});
    std::vector<std::string> out;
    for (std::uint64_t row = 0; row < data.rows(); ++row) {
      out.push_back(data.attributes()[attribute].labels[data.code(row, attribute)]);
    }
    return out;
  }

  ImportOptions options;
  ImportSummary summary;
};

using Names = std::vector<std::string>;

TEST_F(OneHot, ColumnsBecomeOneAttribute) {
  const std::string text =
      "x,color_red,color_green,color_blue,y\n5,1,0,0,a\n6,0,0,1,b\n7,1,0,0,b\n8,0,1,0,a\n";
  EXPECT_EQ(imported(text), (Names{"x:numeric", "color:nominal", "y:nominal"}));
  EXPECT_EQ(said(), Names{"info: 3 columns 'color_red', 'color_green', 'color_blue' are one-hot, "
                          "folded into 'color'"});
  const Attribute color = read_summary(options.output).attributes[1];
  EXPECT_EQ(color.labels, (Names{"blue", "green", "red"}));
  EXPECT_EQ(color.counts, (std::vector<std::uint64_t>{1, 1, 2}));
  EXPECT_EQ(labels(1), (Names{"red", "blue", "red", "green"}));
  EXPECT_EQ(to_text(summary), "4 rows, 3 attributes (1 numeric, 2 nominal)");
  options.fold_one_hot = false;
  EXPECT_EQ(imported(text).size(), 5U);
  EXPECT_TRUE(said().empty());
}

TEST_F(OneHot, NamesMayEndInNumbersAndValuesMayBeWords) {
  EXPECT_EQ(imported("area1,area2,area10,is=a,is=b,is=c\n0,1,0,True,False,False\n"
                     "1,0,0,False,False,True\n0,0,1,False,True,False\n"),
            (Names{"area:nominal", "is:nominal"}));
  EXPECT_EQ(labels(0), (Names{"2", "1", "10"}));
  EXPECT_EQ(labels(1), (Names{"a", "c", "b"}));
}

TEST_F(OneHot, TheLongestCommonBeginningIsTheName) {
  EXPECT_EQ(imported("a_b_x,a_b_y,a_b_z,a_c\n0,1,0,1\n1,0,0,2\n0,0,1,3\n"),
            (Names{"a_b:nominal", "a_c:numeric"}));
  EXPECT_EQ(imported("a_dark_x,a_dark_y,a_z\n0,1,0\n1,0,0\n0,0,1\n"), (Names{"a:nominal"}));
  EXPECT_EQ(labels(0), (Names{"dark_y", "dark_x", "z"}));
}

TEST_F(OneHot, ARowWithTwoOrNoneRefutes) {
  EXPECT_EQ(imported("a_x,a_y,a_z\n0,1,0\n1,0,1\n0,0,0\n").size(), 3U);
  EXPECT_EQ(said(),
            Names{"info: 3 columns 'a_x', 'a_y', 'a_z' are not one-hot, 2 of them in line 3 "
                  "of t.csv say yes"});
}

TEST_F(OneHot, OthersStayAsTheyAre) {
  EXPECT_EQ(imported("a_x,a_y,b\n0,1,1\n1,0,1\n0,1,2\n").size(), 3U) << "two columns";
  EXPECT_EQ(imported("a_x,a_y,a_z\n0,1,0\n1,0,0\n0,0,\n").size(), 3U) << "a missing value";
  EXPECT_EQ(imported("x,y,z\n0,1,0\n1,0,0\n0,0,1\n").size(), 3U) << "no common beginning";
  EXPECT_EQ(imported("_x,_y,_z\n0,1,0\n1,0,0\n0,0,1\n").size(), 3U) << "nor one with a name";
  EXPECT_EQ(imported("a_x,a_y,a_z\n0,2,0\n2,0,0\n0,0,2\n").size(), 3U) << "0 and 2";
  EXPECT_TRUE(said().empty());
  EXPECT_EQ(imported("a_x,a_y,a_z,a\n0,1,0,2\n1,0,0,3\n0,0,1,3\n").size(), 4U);
  EXPECT_EQ(said(), Names{"info: 3 columns 'a_x', 'a_y', 'a_z' are one-hot, but there is a column "
                          "'a' already"});
  options.target = "a_z";
  EXPECT_EQ(imported("a_x,a_y,a_z\n0,1,0\n1,0,0\n0,0,1\n").size(), 3U) << "the target stays";
}

TEST_F(OneHot, ManyRowsInTwoFilesAndPartitions) {
  std::string text = "k_a,k_b,k_c,n\n";
  std::vector<std::string> expected;
  for (int row = 0; row < 10'000; ++row) {
    const int label = row * row % 7 % 3;
    text += label == 0 ? "1,0,0," : label == 1 ? "0,1,0," : "0,0,1,";
    text += std::to_string(row % 5) + "\n";
    expected.emplace_back(1, static_cast<char>('a' + label));
  }
  options.partition_rows = 4096;
  options.inputs = {write("1.csv", text), write("2.csv", text)};
  import_tables(options, report());
  const std::vector<std::string> once = expected;
  expected.insert(expected.end(), once.begin(), once.end());
  EXPECT_EQ(labels(0), expected);
}

}  // namespace
}  // namespace atl::io::test
