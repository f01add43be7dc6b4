#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/table_reader.hpp"

namespace atl::io {

/// The declarations of an ARFF or KEEL file, taken in line by line.
class ArffHeader {
 public:
  explicit ArffHeader(std::string file) : file_(std::move(file)) {}

  /// False if the line was @data, which ends the header.
  /// @throws BadCell
  bool add(std::string_view line, std::uint64_t number);
  /// Once the header has ended: the columns, outputs marked as targets.
  std::vector<DeclaredColumn> take_columns();

 private:
  void add_attribute(class ArffScanner& scanner);
  void add_outputs(ArffScanner& scanner);

  std::string file_;
  std::vector<DeclaredColumn> columns_;
  bool has_outputs_ = false;
};

}  // namespace atl::io
