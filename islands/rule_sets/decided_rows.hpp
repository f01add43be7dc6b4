#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/core/bytes.hpp"

namespace atl {

/// Rows of each fold and class that each rule of a list decides, those of the default class last.
/// Only counts that are not 0 are kept, of which there are no more than rows: a long list of many
/// classes has very many others.
class DecidedRows {
 public:
  struct Cell {
    std::uint32_t place;  ///< class * folds + fold
    std::uint32_t rows;   ///< not 0; more than these are several cells of a place
  };

  DecidedRows() = default;
  /// @param counts  [rules + 1][folds][classes]
  DecidedRows(std::span<const std::uint64_t> counts, std::uint32_t folds, std::uint32_t classes);

  /// Adds rows to the rule that comes last. @param place  no lower than those that it has
  void add(std::uint32_t place, std::uint64_t rows);
  /// Ends the rule that comes last, and begins another.
  void end_rule() { ends_.push_back(static_cast<std::uint32_t>(cells_.size())); }

  std::size_t size() const noexcept { return ends_.size(); }  ///< rules and the default
  /// Cells of a rule, by place.
  std::span<const Cell> of(std::size_t rule) const noexcept {
    return std::span(cells_).subspan(begin(rule), ends_[rule] - begin(rule));
  }
  std::uint64_t rows() const noexcept;  ///< of all rules
  /// Takes out a rule that decides nothing.
  void erase(std::size_t rule) { ends_.erase(ends_.begin() + static_cast<std::ptrdiff_t>(rule)); }
  void join_last();  ///< of the two last rules one is made
  void shrink();     ///< to the memory that it needs

  void save(ByteWriter& out) const;
  /// @throws BadBytes unless places are in order and below `places`
  void load(ByteReader& in, std::uint32_t places);
  friend bool operator==(const DecidedRows& a, const DecidedRows& b) noexcept;

 private:
  std::size_t begin(std::size_t rule) const noexcept { return rule == 0 ? 0 : ends_[rule - 1]; }

  std::vector<Cell> cells_;
  std::vector<std::uint32_t> ends_;  // of each rule, in cells_
};

}  // namespace atl
