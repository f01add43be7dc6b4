#include "io/dataset_file.hpp"
#include "io/import.hpp"
#include "src/core/communicator.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

class Import : public FolderTest {
 protected:
  ImportOptions options(const std::string& text) {
    ImportOptions options;
    options.inputs = {write("t.csv", text)};
    options.output = path("t.h5");
    return options;
  }
};

TEST_F(Import, PlainCsvEndToEnd) {
  const ImportSummary summary = import_tables(options("x,c\n2,b\n10,a\n-0,b\n,a\n0,c\n"), report());
  EXPECT_EQ(summary.rows, 5U);
  LocalCommunicator self;
  const Dataset data = read_dataset(path("t.h5"), {}, self);
  ASSERT_EQ(data.attributes().size(), 2U);
  EXPECT_EQ(data.attributes()[0].low, (std::vector<double>{0, 2, 10}));
  EXPECT_EQ(data.attributes()[1].labels, (std::vector<std::string>{"a", "b", "c"}));
}

}  // namespace
}  // namespace atl::io::test
