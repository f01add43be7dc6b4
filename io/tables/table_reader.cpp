#include "io/tables/table_reader.hpp"

#include "src/core/error.hpp"

namespace atl::io {

void throw_too_many_columns(const std::string& file, std::uint64_t memory) {
  throw BadData(file,
                "has so many columns, or labels declared for them, that they take more than " +
                    std::to_string(memory >> 20) +
                    " MiB of memory, whatever the rows hold; is the delimiter right? If so: "
                    "atoll import --memory-limit");
}

}  // namespace atl::io
