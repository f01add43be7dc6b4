// A column may be numbers in one file and labels that are numbers in another.
#pragma once

#include <string>
#include <vector>

#include "src/data/attribute.hpp"
#include "src/data/dataset.hpp"

namespace atl {

/// A column as the rules of a run have it.
struct ColumnOfRules {
  std::string name;
  AttributeKind kind = AttributeKind::nominal;
  std::vector<std::string> labels = {};  ///< that they name
};

/// Where the rules have numbers, labels that are all numbers become numbers; where they name labels
/// that are all numbers, numbers become labels. Other columns stay as they are.
/// @param data  exact
/// @param wanted  all columns that matter: if some are made anew, there are no others afterwards
Dataset with_kinds(Dataset data, const std::vector<ColumnOfRules>& wanted);

}  // namespace atl
