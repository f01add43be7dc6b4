// Bytes as an ARFF or KEEL file, read to the end.
#include <cstdint>
#include <memory>
#include <string>

#include "io/tables/arff/arff_reader.hpp"
#include "src/core/error.hpp"
#include "tests/fuzz/bytes_source.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl::io;
  const std::string text(reinterpret_cast<const char*>(data), size);
  BytesSource sniffed(text, 64);
  looks_like_arff(sniffed);
  try {
    ArffReader reader(std::make_unique<BytesSource>(text, 1 + size % 7), "fuzz");
    consume(reader);
  } catch (const atl::BadData&) {
  }
  return 0;
}
