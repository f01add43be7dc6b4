// Inputs that are one table, cut into files.
#include "io/tables/input_tables.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

class Inputs : public FolderTest {
 protected:
  /// The rows of all, one after the other.
  Rows rows(const std::vector<std::string>& names) {
    ImportOptions options;
    for (const std::string& name : names) options.inputs.push_back(path(name));
    const InputTables tables(options, report());
    Rows all;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const auto reader = tables.open(i);
      for (std::vector<std::string>& row : read_all(*reader)) all.push_back(std::move(row));
    }
    return all;
  }
};

TEST_F(Inputs, HaveEachWhatStandsAboveTheTable) {
  write("1.csv", "a,b\n1,x\n2,y\n");
  write("2.csv", "Part two\n\na,b\n3,x\n5,y\n");
  write("3.csv", "sep=,\na,b\n4,x\n");
  EXPECT_EQ(rows({"1.csv", "2.csv", "3.csv"}),
            (Rows{{"1", "x"}, {"2", "y"}, {"3", "x"}, {"5", "y"}, {"4", "x"}}));
}

TEST_F(Inputs, HaveNamesIfTheFirstHas) {
  write("1.csv", "x,p\ny,q\nx,p\n");
  write("2.csv", "u,r\nv,s\n");
  EXPECT_EQ(rows({"1.csv", "2.csv"}).size(), 5U) << "though in the second no value recurs";
  write("3.csv", "site,kind\nu,1\nv,2\n");
  EXPECT_EQ(message_of<BadData>([&] {
              rows({"1.csv", "3.csv"});
            }),
            path("3.csv") + ": has names of columns above its rows, and " + path("1.csv") +
                " has none: --header or --no-header says what both have");
}

}  // namespace
}  // namespace atl::io::test
