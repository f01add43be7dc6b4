#include <stdexcept>

#include <gtest/gtest.h>

#include "io/hdf5/h5_layout.hpp"

namespace atl::test {
namespace {

using io::Hdf5Dataset;
using io::Hdf5Layout;
using io::Hdf5Type;

Hdf5Layout layout_of(std::map<std::string, Hdf5Dataset> datasets) {
  Hdf5Layout layout;
  layout.datasets = std::move(datasets);
  return layout;
}

TEST(Hdf5LayoutTest, places_within_the_file_and_apart_are_fit) {
  const auto layout = layout_of({{"a", {"", Hdf5Type::uint64, {3}, 0}},
                                 {"b", {"", Hdf5Type::uint8, {2, 4, 1}, 24}},
                                 {"none", {"", Hdf5Type::float64, {7, 0}, 5}},
                                 {"unfit", {"is no dataset", Hdf5Type::uint64, {99}, 0}}});
  EXPECT_NO_THROW(check_places(layout, 32));
  EXPECT_THROW(check_places(layout, 31), std::invalid_argument);
}

TEST(Hdf5LayoutTest, what_lies_over_another_is_found) {
  EXPECT_THROW(check_places(layout_of({{"a", {"", Hdf5Type::uint64, {3}, 8}},
                                       {"b", {"", Hdf5Type::uint8, {1}, 31}}}),
                            100),
               std::invalid_argument);
}

TEST(Hdf5LayoutTest, sizes_that_overflow_are_found) {
  const std::uint64_t half = std::uint64_t{1} << 32;
  for (const auto& extent : std::vector<std::vector<std::uint64_t>>{
           {half, half}, {~std::uint64_t{0}}, {half, half, half}, {std::uint64_t{1} << 61}}) {
    EXPECT_THROW(check_places(layout_of({{"a", {"", Hdf5Type::uint64, extent, 0}}}), 1 << 20),
                 std::invalid_argument);
  }
  EXPECT_THROW(
      check_places(layout_of({{"a", {"", Hdf5Type::uint8, {1}, ~std::uint64_t{0}}}}), 1 << 20),
      std::invalid_argument);
}

TEST(Hdf5LayoutTest, comes_back_from_bytes) {
  auto layout =
      layout_of({{"a", {"", Hdf5Type::float64, {1, 2, 3}, 17}}, {"b", {"why", {}, {}, 0}}});
  layout.attributes["rows"].number = 5;
  layout.attributes["format"].text = "atoll";
  layout.attributes["bad"].problem = "no";
  const Hdf5Layout back = io::decode_hdf5_layout(encode(layout));
  EXPECT_EQ(back.datasets.at("a").extent, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(back.datasets.at("a").type, Hdf5Type::float64);
  EXPECT_EQ(back.datasets.at("a").offset, 17U);
  EXPECT_EQ(back.datasets.at("b").problem, "why");
  EXPECT_EQ(back.attributes.at("rows").number, 5U);
  EXPECT_EQ(back.attributes.at("format").text, "atoll");
  EXPECT_FALSE(back.attributes.at("bad").number || back.attributes.at("bad").text);
  Bytes cut = encode(layout);
  for (cut.pop_back(); !cut.empty(); cut.pop_back()) {
    EXPECT_THROW(io::decode_hdf5_layout(cut), BadBytes);
  }
}

}  // namespace
}  // namespace atl::test
