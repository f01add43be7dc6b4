#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/tables/columns/table_reader.hpp"

namespace atl::io {

/// The declarations of an ARFF or KEEL file, taken in line by line.
class ArffHeader {
 public:
  /// @param memory  bytes for all columns and their labels
  ArffHeader(std::string file, std::uint64_t memory) : file_(std::move(file)), memory_(memory) {}

  /// False if the line was @data, which ends the header.
  /// @throws BadCell; BadData for too many columns or labels
  bool add(std::string_view line, std::uint64_t number);
  /// Once the header has ended: the columns, outputs marked as targets.
  std::vector<DeclaredColumn> take_columns();

 private:
  void add_attribute(class ArffScanner& scanner);
  void add_outputs(ArffScanner& scanner);

  std::string file_;
  std::uint64_t memory_;
  std::uint64_t memory_taken_ = 0;
  std::vector<DeclaredColumn> columns_;
  bool has_outputs_ = false;
};

}  // namespace atl::io
