#pragma once

#include <memory>
#include <string>

#include "io/tables/text/text_source.hpp"
#include "io/transactions/transaction_sink.hpp"
#include "src/core/report.hpp"

namespace atl::io {

/// Reads transactions in the form of the FIMI repository: a line each, of item numbers with blanks
/// between them. Items are in the order of their numbers. An empty line is a transaction without
/// items. An item that stands twice in a line counts once, with a warning. Lines that begin with #,
/// % or @ are comments, which is reported, and so are empty ones between them and the first
/// transaction. SPMF's @ITEM=1=milk names an item.
/// @param name  the file's, for messages
/// @throws BadCell for what is no number from 0 to 4294967295, with line and column (in bytes), and
/// for a damaged @ITEM=; BadData for two items of one name, and for more transactions or entries
/// than 2^32 - 2; IoError
ItemNames read_fimi(std::unique_ptr<TextSource> source, const std::string& name,
                    const Report& report, TransactionSink& sink);

}  // namespace atl::io
