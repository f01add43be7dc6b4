// Bytes as a file of transactions. The first byte chooses the pieces in which it is read.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "io/transactions/fimi_reader.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/error.hpp"
#include "tests/fuzz/bytes_source.hpp"
#include "tests/fuzz/transaction_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    const TransactionSet set = io::collected([&](io::TransactionSink& sink) {
      return io::read_fimi(
          std::make_unique<io::BytesSource>(text, 1 + data[0] % 7), "fuzz",
          [](Severity, const std::string&) {}, sink);
    });
    expect_sound(set);
    if (text.find("@ITEM=") != std::string::npos) return 0;  // names in the place of numbers
    for (std::uint32_t i = 1; i < set.item_count(); ++i) {
      if (std::stoul(set.name(i - 1)) >= std::stoul(set.name(i))) std::abort();
    }
  } catch (const BadData&) {
  }
  return 0;
}
