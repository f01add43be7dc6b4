#pragma once

#include "io/tables/columns/table_reader.hpp"

namespace atl::io {

/// Has a text that could be baskets, all of the same length, surely a header, so that it is a
/// table? A word stands above a column of three numbers or dates, or more. Or the names are
/// distinct words that occur nowhere below, while the labels there occur twice on average; each of
/// these is in one column alone, of five rows or more, or hardly one of them occurs once, of twenty
/// or more.
/// @param table  opened as one with a header
/// @throws as TableReader::next
bool has_sure_header(TableReader& table);

}  // namespace atl::io
