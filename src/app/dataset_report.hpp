#pragma once

#include <string>

namespace atl {

/// What `info` says of a dataset file, as text or JSON, with a newline at the end. Reads all of it.
/// @param name  what the text calls it
/// @throws as io::read_dataset
std::string dataset_report(const std::string& path, const std::string& name, bool json);

}  // namespace atl
