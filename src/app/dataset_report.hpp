#pragma once

#include <string>

namespace atl {

/// What `info` says of a dataset file, as text or JSON, with a newline at the end. Reads all of it.
/// @throws as io::read_dataset
std::string dataset_report(const std::string& path, bool json);

}  // namespace atl
