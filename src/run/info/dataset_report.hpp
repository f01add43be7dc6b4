#pragma once

#include <string>

#include "src/core/files/folder.hpp"

namespace atl {

/// What `info` says of a dataset file or one of transactions, as text or JSON, with a newline at
/// the end. Reads all of it.
/// @param name  what the text calls it
/// @param folder  held open, in which the file may be; may be null
/// @throws as io::read_dataset
std::string data_report(const std::string& path, const std::string& name, bool json,
                        const io::Folder* folder);

}  // namespace atl
