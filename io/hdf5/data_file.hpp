// A file of data of any kind.
#pragma once

#include <string>

#include "io/hdf5/dataset_file.hpp"
#include "io/hdf5/transaction_file.hpp"

namespace atl::io {

/// What a file of data may hold. This is the one list of kinds: a further one makes the compiler
/// name each place that tells kinds apart.
enum class DataKind { table, transactions };

/// @param file  by open_data()
DataKind kind_of(const Hdf5Reader& file);

/// Opens and verifies the file, whatever kind it is.
/// @param folder  held open, in which the file may be (open_input)
/// @throws MissingInput, BadData, IoError
Hdf5Reader open_data(const std::string& path, const Folder* folder = nullptr);

/// Reads all but the rows of a file of data. Transactions are told as if they were a table, with an
/// attribute for each item.
/// @param folder  as above
/// @throws MissingInput, BadData (damaged, foreign, newer version), IoError
DatasetSummary read_data_summary(const std::string& path, const Folder* folder = nullptr);

}  // namespace atl::io
