#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/tables/csv/csv_dialect.hpp"
#include "io/tables/csv/csv_sample.hpp"

namespace atl::io {

/// Where in the first rows of a text the table begins, if they are split in one way.
struct CsvLayout {
  enum class Fit : std::uint8_t {
    even,    ///< all rows have the same number of fields, and two columns or more have a value
    framed,  ///< all but lines above the table, or the names, which are one more or fewer
    narrow,  ///< all rows have the same number, and one column has values at most
    ragged,  ///< neither, or one column only
  };
  Fit fit = Fit::ragged;
  std::size_t first = 0;  ///< of the rows: where the table begins
  NamesShape names = NamesShape::fitting;
};

/// @param rows  not empty
CsvLayout layout_of(std::span<const SampleRow> rows, char delimiter,
                    const std::vector<std::string>& known);

}  // namespace atl::io
