// Bytes as a one-hot table. The first byte chooses the pieces in which they are read, the second
// the delimiter and whether there is a header.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "io/tables/csv/csv_reader.hpp"
#include "io/transactions/onehot_reader.hpp"
#include "io/transactions/sure_header.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/error.hpp"
#include "src/rules/item_text.hpp"
#include "tests/fuzz/bytes_source.hpp"
#include "tests/fuzz/transaction_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl;
  if (size < 2) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto open = [&] {
    return io::CsvReader(
        std::make_unique<io::BytesSource>(text, 1 + data[0] % 7), "fuzz",
        io::CsvDialect{.delimiter = "\t;|, "[data[1] / 2 % 5], .header = data[1] % 2 == 1});
  };
  try {
    io::CsvReader sure = open();
    (void)io::has_sure_header(sure);
    io::CsvReader asked = open();
    (void)io::is_one_hot(asked);
    io::CsvReader table = open();
    const TransactionSet set = io::collected([&](io::TransactionSink& sink) {
      return io::read_one_hot(
          table, "fuzz", [](Severity, const std::string&) {}, sink);
    });
    expect_sound(set);
    if (set.item_count() > table.columns().size()) std::abort();
    for (std::uint32_t i = 1; i < set.item_count(); ++i) {
      if (item_name(set.name(i - 1)) >= item_name(set.name(i))) std::abort();
    }
  } catch (const BadData&) {
  }
  return 0;
}
