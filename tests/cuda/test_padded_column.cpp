#include <gtest/gtest.h>

#include "cuda/host/rule_chunks.hpp"
#include "tests/support/random.hpp"

namespace atl::test {
namespace {

TEST(PaddedColumn, HasAllPartitionsAndMissingValuesUpToAWholeBlock) {
  for (const std::uint64_t rows : {1U, 255U, 256U, 257U, 4095U, 4097U}) {
    const RandomTable table = random_table(rows, rows, 6, true);
    const Dataset data = make_dataset(table.attributes, table.columns, 4096);
    std::vector<std::uint32_t> column = {7};  // overwritten
    for (std::uint32_t a = 0; a < table.columns.size(); ++a) {
      cuda::write_padded_column(data, a, column);
      auto expected = table.columns[a];
      expected.resize((rows + 255) / 256 * 256, missing_code);
      EXPECT_EQ(column, expected);
    }
  }
}

TEST(PaddedColumn, OfNoRowsIsEmpty) {
  EXPECT_EQ(cuda::padded_rows(0), 0U);
  EXPECT_EQ(cuda::padded_rows(256), 256U);
  EXPECT_EQ(cuda::padded_rows(257), 512U);
}

}  // namespace
}  // namespace atl::test
