// Small tables for the tests of reading and importing text.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/tables/columns/table_reader.hpp"
#include "io/tables/text/text_source.hpp"
#include "src/core/error.hpp"
#include "src/core/report.hpp"

namespace atl::io::test {

/// A text in memory, handed out in pieces of a given size.
class StringSource : public TextSource {
 public:
  explicit StringSource(std::string text, std::size_t piece = 1 << 20)
      : text_(std::move(text)), piece_(piece) {}
  std::size_t read(char* into, std::size_t capacity) override {
    const std::size_t got = std::min({capacity, piece_, text_.size() - at_});
    text_.copy(into, got, at_);
    at_ += got;
    return got;
  }

 private:
  std::string text_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

using Rows = std::vector<std::vector<std::string>>;

inline Rows read_all(TableReader& reader, std::vector<std::uint64_t>* lines = nullptr) {
  Rows rows;
  RowBlock block;
  const std::size_t columns = reader.columns().size();
  while (reader.next(block)) {
    EXPECT_EQ(block.fields.size(), block.rows * columns);
    for (std::size_t row = 0; row < block.rows; ++row) {
      const auto first = block.fields.begin() + static_cast<std::ptrdiff_t>(row * columns);
      rows.emplace_back(first, first + static_cast<std::ptrdiff_t>(columns));
      if (lines != nullptr) lines->push_back(block.lines[row]);
    }
  }
  return rows;
}

/// The message of the Error that `action` throws.
template <typename Thrown, typename Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Thrown& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

/// A folder of its own for each test, removed afterwards.
class FolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "atoll-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string path(const std::string& name) const { return folder + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  /// Collects what is reported, "warning: ..." or "info: ...".
  Report report() {
    return [this](Severity severity, const std::string& text) {
      static const char* const names[] = {"info: ", "warning: "};
      reports.push_back(names[static_cast<int>(severity)] + text);
    };
  }

  std::string folder;
  std::vector<std::string> reports;
};

}  // namespace atl::io::test
