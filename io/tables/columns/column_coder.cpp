#include "io/tables/columns/column_coder.hpp"

#include <algorithm>
#include <optional>

#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/data/dataset.hpp"

namespace atl::io {

void ColumnCoder::code(const RowBlock& block, std::size_t column, std::size_t columns,
                       std::size_t first, std::size_t count, std::uint32_t* out,
                       const std::string& file) const {
  const std::string_view* field = block.fields.data() + first * columns + column;
  for (std::size_t row = 0; row < count; ++row, field += columns) {
    const std::uint32_t id = tokens.find(*field);
    out[row] = id != TokenMap::none ? codes[id] : code_of_new(*field, file);
  }
}

std::uint32_t ColumnCoder::code_of_new(std::string_view token, const std::string& file) const {
  if (!missing_numbers.empty()) {
    const std::optional<double> number = values.empty() ? parse_number(token) : reader.value(token);
    if (number && std::find(missing_numbers.begin(), missing_numbers.end(), *number) !=
                      missing_numbers.end()) {
      return missing_code;
    }
  }
  if (other != TokenMap::none) return other;
  if (!values.empty()) {
    const std::optional<double> value = reader.value(token);
    if (value) {
      const auto place = std::lower_bound(values.begin(), values.end(), *value);
      if (place != values.end() && *place == *value) {
        return static_cast<std::uint32_t>(place - values.begin());
      }
    }
  }
  throw IoError(file, "changed while it was read");
}

}  // namespace atl::io
