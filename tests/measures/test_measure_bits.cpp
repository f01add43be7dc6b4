// The bits that measures have had since they were written: results are compared by bytes.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "src/core/hash.hpp"
#include "src/measures/measures.hpp"
#include "tests/measures/measure_tables.hpp"

namespace atl::test {
namespace {

struct Pinned {
  std::string_view name;
  std::uint64_t bits;  // low half of the hash over all tables, any NaN as one
};

constexpr Pinned pinned[] = {
    {"support", 0x461B8F4F56F59D3A},
    {"confidence", 0x9BAC554A8CA727FF},
    {"lift", 0xA274EDFAF0657D2B},
    {"leverage", 0x1DF99FE1494CF1FA},
    {"conviction", 0xE56F95AFDE9FCD6E},
    {"certainty_factor", 0x85876ACBD1E13BA5},
    {"coverage", 0x33E6B5921411E3A8},
    {"rhs_support", 0xBBE63BE2DB48DEA0},
    {"confidence_low", 0x7B9A7E6232207F96},
    {"confidence_high", 0xF3543A7135860642},
    {"added_value", 0x1C46FC418724768B},
    {"cosine", 0xD65E7D9C98FAD9F0},
    {"jaccard", 0xC78095D8F6A89AF9},
    {"kulczynski", 0xB9F782BB6349B96F},
    {"imbalance", 0xB1E03CB282B372CD},
    {"maxconfidence", 0x01CDF0E968DB7A28},
    {"phi", 0x54CF442669CA4731},
    {"chi_squared", 0x7EBE6919B8847E84},
    {"odds_ratio", 0x54D0ADE6CE828647},
    {"relative_risk", 0x46BE805A9C793660},
    {"yule_q", 0x9F3FB9849FDF57A5},
    {"yule_y", 0x8595A4398BD0E0AA},
    {"gini", 0xB2965875906EE58E},
    {"collective_strength", 0xF3330F6D76808DCD},
    {"zhang", 0x84F6870E1FF00E21},
    {"laplace", 0xA2FFC7A132D0D065},
    {"sebag", 0x195A34977CF1882B},
    {"counterexample", 0x1BA99F079F4C2D47},
    {"confirmed_confidence", 0xE77F1D733EA61680},
    {"casual_support", 0x08CB84313638F936},
    {"casual_confidence", 0xB55CE270DAE9AADD},
    {"least_contradiction", 0xAE973C7B82713563},
    {"varying_liaison", 0x01952C5554CCDEDB},
    {"lerman", 0x1757CF6117A48BEC},
    {"implication_index", 0x6D06F1E8BBF87DCB},
    {"doc", 0x2293AAD7473A689A},
    {"kappa", 0xD4CABE33B08BB9D4},
    {"rld", 0x3411A41773B19036},
    {"ralambondrainy", 0x77FC3817A53EF48B},
    {"rule_power_factor", 0x9880E8993A3CC02F},
    {"lambda", 0x89A2577A9EE1A4BB},
    {"contrast", 0x60E2DC7087CB70BE},
    {"mean", 0xA22B983D5ADD5440},
    {"mean_rest", 0x9F330E9631B7D4DE},
    {"mean_difference", 0x28DB168705133DC1},
    {"deviation", 0xCA5C93995FF0DD0A},
    {"effect_size", 0xDE97235CD36462AF},
    {"z_score", 0x0A91D415C795C616},
    {"impact", 0x0BB7D8991B49AA85},
};

TEST(MeasureBits, AreThoseOfTheFirstRelease) {
  std::vector<ContingencyTable> tables = extreme_tables();
  for (const ContingencyTable& table : random_tables(1, 4000)) tables.push_back(table);
  for (const auto& [name, bits] : pinned) {
    Hasher hasher;
    for (const ContingencyTable& table : tables) {
      const double value = evaluate(measure_named(name), table);
      hasher.update_u64(std::bit_cast<std::uint64_t>(
          std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value));
    }
    EXPECT_EQ(hasher.digest().low, bits) << name;
  }
}

}  // namespace
}  // namespace atl::test
