// Bytes as a long table of transactions and items. The first byte chooses the pieces in which they
// are read, the second the delimiter and whether there is a header.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "io/tables/csv/csv_reader.hpp"
#include "io/transactions/long_reader.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/error.hpp"
#include "src/rules/item_text.hpp"
#include "tests/fuzz/bytes_source.hpp"
#include "tests/fuzz/transaction_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl;
  if (size < 2) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  try {
    io::CsvReader table(std::make_unique<io::BytesSource>(text, 1 + data[0] % 7), "fuzz",
                        io::CsvDialect{"\t;|, "[data[1] / 2 % 5], data[1] % 2 == 1});
    const TransactionSet set = io::collected([&](io::TransactionSink& sink) {
      return io::read_long_table(
          table, "fuzz", [](Severity, const std::string&) {}, sink);
    });
    expect_sound(set);
    for (std::uint32_t t = 0; t < set.size(); ++t) {
      if (set.transaction(t).empty()) std::abort();
    }
    for (std::uint32_t i = 0; i < set.item_count(); ++i) {
      const std::string name = item_name(set.name(i));
      if (name.empty() || item_text(name) != set.name(i)) std::abort();
      if (i > 0 && item_name(set.name(i - 1)) >= name) std::abort();
    }
  } catch (const BadData&) {
  }
  return 0;
}
