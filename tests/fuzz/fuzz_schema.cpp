// Bytes as a schema; what can be read must be written and read again to the same text.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "io/tables/columns/schema.hpp"
#include "io/tables/values/date_format.hpp"
#include "src/core/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace atl::io;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Schema schema = parse_schema(text, "fuzz");
    for (const Column& column : schema.columns) {
      if (column.format.empty()) continue;
      const auto moment = DateFormat(column.format).read(column.name);
      if (moment && moment->flaw == nullptr && !is_date_value(moment->microseconds, moment->kind))
        std::abort();
    }
    const std::string written = to_toml(schema);
    if (to_toml(parse_schema(written, "written")) != written) std::abort();
  } catch (const atl::BadCell& error) {
    if (error.file == "written") std::abort();
  } catch (const atl::BadData&) {
  }
  return 0;
}
