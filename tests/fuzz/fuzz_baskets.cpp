// Bytes as baskets of names. The first byte chooses the pieces in which they are read, the second
// the delimiter.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "io/transactions/basket_reader.hpp"
#include "io/transactions/line_reader.hpp"
#include "io/transactions/other_texts.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/error.hpp"
#include "tests/fuzz/bytes_source.hpp"
#include "tests/fuzz/transaction_checks.hpp"

namespace {

/// As it is written, a name ends where a blank or comma outside quotes comes.
bool ends_alone(const std::string& name) {
  bool quoted = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\' && quoted)
      ++i;
    else if (name[i] == '"')
      quoted = !quoted;
    else if (!quoted && (name[i] == ' ' || name[i] == ',' || name[i] == '\n'))
      return false;
  }
  return !quoted;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl;
  if (size < 2) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 2, size - 2);
  if (io::lists_numbers(text) && io::lists_of_numbers(text) == 0) std::abort();
  if (io::lists_numbers(text) && io::begins_as_arff(text)) std::abort();
  if (io::other_than_transactions(text) && io::without_comments(text).empty()) std::abort();
  const char delimiter = data[1] % 2 == 0 ? io::basket_delimiter(text) : "\t;|, "[data[1] / 2 % 5];
  try {
    const TransactionSet set = io::collected([&](io::TransactionSink& sink) {
      return io::read_baskets(
          std::make_unique<io::BytesSource>(text, 1 + data[0] % 7), delimiter, "fuzz",
          [](Severity, const std::string&) {}, sink);
    });
    expect_sound(set);
    for (std::uint32_t i = 0; i < set.item_count(); ++i) {
      if (set.name(i).empty() || !ends_alone(set.name(i))) std::abort();
      if (i > 0 && set.name(i) == set.name(i - 1)) std::abort();
    }
  } catch (const BadData&) {
  }
  return 0;
}
