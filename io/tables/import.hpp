// From text tables to a dataset file, in two streaming passes with bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "io/tables/columns/import_options.hpp"
#include "src/core/report.hpp"

namespace atl::io {

struct ImportSummary {
  std::uint64_t rows = 0;
  Schema schema;                                    ///< as used
  std::map<AttributeKind, std::size_t> attributes;  ///< how many
  std::size_t left_out = 0;                         ///< columns
};

/// "494021 rows, 40 attributes (33 numeric, 7 nominal), 2 columns left out"
std::string to_text(const ImportSummary& summary);

/// Columns that are constant, all missing or identifier-like are reported as warnings and ignored
/// unless the schema gives them a role; columns of labels that are mostly numbers are reported,
/// too. One-hot columns are folded as io/tables/one_hot.hpp says, which takes a pass more.
/// @throws MissingInput, BadCell, BadData, CannotCreate, IoError; leaves no output then
ImportSummary import_tables(const ImportOptions& options, const Report& report);

/// First pass only: what --print-schema shows.
Schema infer_schema(const ImportOptions& options, const Report& report);

}  // namespace atl::io
