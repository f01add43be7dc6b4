#pragma once

#include <string>

#include "io/hdf5/transaction_file.hpp"

namespace atl {

/// What `info` says of transactions, as text or JSON, with a newline at the end.
/// @param name  what the text calls their file
std::string transaction_report(const io::StoredTransactions& stored, const std::string& name,
                               bool json);

}  // namespace atl
