// Text tables as rows of fields, whatever their syntax.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/core/report.hpp"
#include "src/data/attribute.hpp"

namespace atl::io {

/// A column as the table itself declares it.
struct DeclaredColumn {
  std::string name;                   ///< as in the text: may be empty or occur twice
  std::optional<AttributeKind> kind;  ///< ARFF and KEEL declare it
  std::vector<std::string> labels;    ///< declared nominal: all that may occur
  std::string format = {};            ///< declared a date: as DateFormat takes it
  bool target = false;                ///< declared as an output
};

/// Leaves new elements of a growing vector unset: they are about to be written.
template <typename T>
struct UnsetAllocator : std::allocator<T> {
  void construct(T*) noexcept {}
  template <typename... From>
  void construct(T* place, From&&... from) {
    ::new (static_cast<void*>(place)) T(std::forward<From>(from)...);
  }
};

/// Some whole rows. Fields have lost their quotes and the blanks around unquoted text.
struct RowBlock {
  std::size_t rows = 0;
  /// [rows][columns]; 8 bytes are readable from each field's start, however short it is
  std::vector<std::string_view, UnsetAllocator<std::string_view>> fields;
  std::vector<std::uint64_t> lines;  ///< [rows] where each row begins, from 1

  void clear() noexcept {
    rows = 0;
    fields.clear();
    lines.clear();
  }
};

/// Fields after which a reader ends a block: enough to loop over columns, little enough for the
/// cache.
inline constexpr std::size_t block_fields = 16384;

/// Fields after which a reader ends a block of so many columns. A block of many has rows enough
/// that what is known of a column is fetched for all of them at once: of 10,000 columns that is
/// more than the caches hold. Its fields and their text take 16 MiB at most.
constexpr std::size_t fields_of_block(std::size_t columns) noexcept {
  constexpr std::size_t least_rows = 32, most_fields = std::size_t{1} << 19;
  return std::max(block_fields, std::min(least_rows * columns, most_fields));
}
/// Bytes of text for each field of a block that a reader's window holds, or fewer rows are read.
inline constexpr std::size_t window_bytes_per_field = 16;
/// Greatest length of a row in bytes; a longer one is refused, so that no input exhausts memory.
inline constexpr std::size_t max_row_bytes = std::size_t{64} << 20;

/// Bytes that a column takes at import, whatever it holds, beside its name: its declaration, plan,
/// profile and dictionary, and its state of the fingerprint. Measured: peak of 200,000 columns less
/// that of 100,000.
inline constexpr std::uint64_t column_bytes = 3200;
/// Copies of a label that a file declares, at the same time: header, reader, plan and coder.
inline constexpr std::uint64_t label_copies = 4;

/// @throws BadData for a table with columns that take more than `memory` bytes
[[noreturn]] void throw_too_many_columns(const std::string& file, std::uint64_t memory);

class TableReader {
 public:
  virtual ~TableReader() = default;
  /// The declared columns, fixed from construction on.
  virtual const std::vector<DeclaredColumn>& columns() const noexcept = 0;
  /// The next rows, at least one; false at the end. Fields are valid until the next call.
  /// @throws BadCell, BadData, IoError
  virtual bool next(RowBlock& block) = 0;
  /// Lines read so far that are no rows, since they repeat the names of the columns.
  virtual std::vector<std::uint64_t> lines_of_repeated_names() const { return {}; }
};

/// Warns of lines_of_repeated_names(), if there are some.
/// @param file  that was read
void report_repeated_names(const TableReader& reader, const std::string& file,
                           const Report& report);

}  // namespace atl::io
