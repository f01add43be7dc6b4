// Parts that the tables of our files are made of.
#pragma once

#include <string>
#include <vector>

#include "io/hdf5/h5_reader.hpp"
#include "io/hdf5/h5_writer.hpp"
#include "src/core/hash.hpp"

namespace atl::io {

/// Says what is wrong with the tables of a file, to be told as the file's BadData.
struct TableProblem {
  std::string text;
};

/// @throws TableProblem unless the condition holds
void require(bool condition, const std::string& problem);

// A list of texts is their bytes in a row and, for each, the offset at which it ends.

void write_texts(Hdf5Writer& file, const std::string& name, const std::vector<std::string>& texts);
/// @throws TableProblem; BadData, IoError
std::vector<std::string> read_texts(const Hdf5Reader& file, const std::string& name);

bool all_distinct(const std::vector<std::string>& texts);

/// Reads 32 hexadecimal digits. @throws TableProblem
Fingerprint parse_fingerprint(const std::string& hex);

}  // namespace atl::io
