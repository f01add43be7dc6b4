#include <filesystem>

#include <gtest/gtest.h>

#include "src/work/temporary_folder.hpp"
#include "tests/io/temporary_folder.hpp"

namespace atl::test {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFolder, GoesWithItsFilesAndNothingElse) {
  const TemporaryFolder outer;
  std::string path;
  {
    const atl::TemporaryFolder folder;
    path = folder.folder().path();
    spill(path + "/a", "x");
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
  }
  EXPECT_FALSE(fs::exists(path));
  {
    const atl::TemporaryFolder folder;
    path = folder.folder().path();
    // Somebody puts another in its place.
    fs::rename(path, outer / "moved");
    fs::create_directory(path);
    spill(path + "/precious", "x");
    spill(outer / "moved/own", "x");
  }
  EXPECT_TRUE(fs::exists(path + "/precious"));
  EXPECT_FALSE(fs::exists(outer / "moved/own"));
  fs::remove_all(path);
}

}  // namespace
}  // namespace atl::test
