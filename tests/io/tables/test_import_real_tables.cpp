// Every table of ATOLL_DATA, imported and compared cell for cell with a plain reading of its text.
#include <cstdlib>
#include <map>
#include <sstream>

#include <lzma.h>

#include "io/hdf5/dataset_file.hpp"
#include "io/tables/import.hpp"
#include "src/core/communicator.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream content;
  content << in.rdbuf();
  const std::string bytes = content.str();
  if (file.extension() != ".xz") return bytes;
  std::string text(std::size_t{80} << 20, '\0');
  std::uint64_t memory = UINT64_MAX;
  std::size_t read = 0, written = 0;
  EXPECT_EQ(lzma_stream_buffer_decode(
                &memory, 0, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()), &read,
                bytes.size(), reinterpret_cast<std::uint8_t*>(text.data()), &written, text.size()),
            LZMA_OK);
  text.resize(written);
  return text;
}

/// These tables have neither quotes nor blanks.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

class RealTables : public FolderTest {};

/// The value that a field of text stands for is the attribute's of this code.
void expect_value(const Attribute& attribute, std::uint32_t code, const std::string& field) {
  if (field.empty()) {
    EXPECT_EQ(code, missing_code);
  } else if (attribute.kind == AttributeKind::numeric) {
    EXPECT_EQ(attribute.low.at(code), std::strtod(field.c_str(), nullptr));
  } else {
    EXPECT_EQ(attribute.labels.at(code), field);
  }
}

TEST_F(RealTables, ComeThroughValueForValue) {
  const char* const data = std::getenv("ATOLL_DATA");
  if (data == nullptr || *data == '\0')
    GTEST_SKIP() << "ATOLL_DATA is not set: no real table was imported";
  int tables = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    const std::string name = entry.path().filename().string();
    if (name.find(".csv") == std::string::npos) continue;
    SCOPED_TRACE(name);
    ++tables;
    ImportOptions options;
    options.inputs = {entry.path().string()};
    options.output = path(name + ".h5");
    const ImportSummary summary = import_tables(options, report());
    LoadOptions exact;
    exact.max_bins = 0;
    const Dataset dataset = read_dataset(options.output, exact);

    std::istringstream lines(text_of(entry.path()));
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> header = split(line);
    std::vector<std::optional<std::uint32_t>> attribute_of;
    for (const std::string& column : header) attribute_of.push_back(dataset.find(column));
    std::vector<std::map<std::string, std::uint32_t>> code_of(header.size());
    std::uint64_t row = 0;
    std::uint64_t wrong = 0;
    for (; std::getline(lines, line); ++row) {
      const std::vector<std::string> fields = split(line);
      ASSERT_EQ(fields.size(), header.size()) << row;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (!attribute_of[i]) continue;
        const std::uint32_t code = dataset.code(row, *attribute_of[i]);
        const auto [known, fresh] = code_of[i].emplace(fields[i], code);
        if (!fresh) {
          wrong += known->second != code ? 1 : 0;
          continue;
        }
        expect_value(dataset.attributes()[*attribute_of[i]], code, fields[i]);
      }
    }
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(row, dataset.rows());
    EXPECT_EQ(row, summary.rows);
    for (std::size_t i = 0; i < header.size(); ++i) {
      const bool ignored = summary.schema.columns[i].role == ColumnRole::ignore;
      EXPECT_EQ(ignored, !attribute_of[i].has_value()) << header[i];
      const std::string& reason = summary.schema.columns[i].reason;
      EXPECT_EQ(ignored, reason.rfind("ignored: constant", 0) == 0) << reason;
    }
  }
  EXPECT_GE(tables, 15);
}

}  // namespace
}  // namespace atl::io::test
