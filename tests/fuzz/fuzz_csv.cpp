// Bytes as a CSV file, read to the end as detected or with each delimiter. The first byte chooses.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "io/tables/csv/csv_dialect.hpp"
#include "io/tables/csv/csv_reader.hpp"
#include "src/core/error.hpp"
#include "tests/fuzz/bytes_source.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl::io;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto silent = [](atl::Severity, const std::string&) {};
  try {
    CsvDialect dialect{",;\t| "[data[0] % 5], (data[0] & 8) != 0};
    if (data[0] % 2 == 0) dialect = detect_dialect({text, (data[0] & 16) != 0}, "fuzz", {}, silent);
    CsvReader reader(std::make_unique<BytesSource>(text, 1 + data[0] % 7), "fuzz", dialect);
    consume(reader);
  } catch (const atl::BadData&) {
  }
  return 0;
}
