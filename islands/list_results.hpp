#pragma once

#include "islands/island.hpp"
#include "src/results/list_front.hpp"

namespace atl {

/// The results of a search for decision lists.
class ListResults : public Results {
 public:
  /// @pre a list has been found
  virtual ListFront front() const = 0;
};

}  // namespace atl
