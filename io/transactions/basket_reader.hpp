#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "io/tables/text/text_source.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// What is between the names of a basket if nothing but blanks is: runs of blanks and tabs.
inline constexpr char blanks = ' ';

/// Reads baskets: a transaction a line, of names of items with a delimiter between them. Blanks and
/// tabs around a name do not belong to it. A name with the delimiter in it is in double quotes, a
/// quote in it is doubled. Empty names are passed over, so that lines may be filled up with
/// delimiters. Items are in the order of their names' bytes. An empty line is a transaction without
/// items. An item that stands twice in a line counts once, with a warning. Lines that is_comment()
/// before the first transaction are none, which is reported, and neither are empty ones among them;
/// later lines that begin so are, with a warning.
/// @param name  the file's, for messages
/// @throws BadCell, with line and column (in bytes), for a quote without an end and what follows
///         one; BadData as read_fimi; IoError
ItemNames read_baskets(std::unique_ptr<TextSource> source, char delimiter, const std::string& name,
                       const Report& report, TransactionSink& sink);

/// Of tab ; | , that which is in most lines, and of two the one named first; blanks if none is.
/// @param start  of the text
char basket_delimiter(std::string_view start) noexcept;

/// Do all lines, of three or more, have the same number of delimiters, and have they any? So do the
/// rows of a table.
/// @param start  of the text, whose last line may be cut off
bool looks_like_table(std::string_view start, char delimiter) noexcept;

/// Do the lines have three different numbers of delimiters or more? So do lists, and hardly the
/// rows of a table in which some are damaged.
/// @param start  of the text, whose last line may be cut off
bool looks_like_lists(std::string_view start, char delimiter);

/// Is it as FIMI files are: nothing but digits and blanks in its lines, beside comments
/// (is_comment_of_numbers)? Tabs between numbers and in a comment are those of a table.
/// @param start  of the text
bool looks_like_fimi(std::string_view start) noexcept;

/// Is it, and can it hardly be a table of numbers, or ARFF? Some line has two numbers or more, and
/// either not all have as many, or the numbers of each ascend.
/// @param start  of the text, whose last line may be cut off
bool lists_numbers(std::string_view start) noexcept;

/// How many lines there are before the first that is no list of numbers, if these lists_numbers(),
/// else 0.
std::size_t lists_of_numbers(std::string_view start) noexcept;

/// What start_of() reads, at most.
inline constexpr std::size_t start_bytes = std::size_t{64} << 10;
/// The first block of a text, without a byte order mark. @throws as TextSource::read
std::string start_of(TextSource& source);

}  // namespace atl::io
