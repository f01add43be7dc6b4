// Finished folds of a cross-validation in a folder, a file each, so that it can go on after a stop.
#pragma once

#include <optional>
#include <string>

#include "src/run/lists/cross_validation.hpp"

namespace atl {

/// A fold as JSON: what the file has, and what ranks tell each other.
std::string to_json(const FoldResult& result);
/// @param file  what messages call the text
/// @throws BadData, also if the matrix has another number of classes
FoldResult parse_fold(const std::string& json, const std::string& file, std::size_t classes);

/// What folds are of: results of the same can be put together.
struct FoldsOf {
  std::string experiment, dataset;  ///< hashes
  std::uint32_t folds = 0;
  std::uint32_t version = 0;  ///< of the search
};

/// Makes the folder, or finds one of the same cross-validation. For rank 0 alone.
/// @throws UsageError if the folder holds something else; CannotCreate, IoError
void prepare_folds(const std::string& folder, const FoldsOf& of);

/// Nothing if the fold is not there yet. @throws BadData
std::optional<FoldResult> read_fold(const std::string& folder, std::uint32_t repeat,
                                    std::uint32_t fold, std::size_t classes);
/// @throws CannotCreate, IoError
void write_fold(const std::string& folder, const FoldResult& result);

}  // namespace atl
