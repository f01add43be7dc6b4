#include "src/generate/write_lines.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "src/core/agreement.hpp"
#include "src/core/files/atomic_file.hpp"

namespace atl {
namespace {

constexpr std::size_t most_block_bytes = std::size_t{32} << 20;  // but at least one slice

class LinesForm final : public TableForm {
 public:
  explicit LinesForm(const Lines& lines) : lines_(lines) {}

  /// On rank 0, before anything is written.
  void open(const std::string& path) {
    file_.emplace(path);
    file_->append(std::as_bytes(std::span(lines_.header)));
  }

  std::uint32_t rows_of_block() const override {
    const std::size_t slices = most_block_bytes / (lines_.row_bytes * slice_rows);
    return slice_rows *
           static_cast<std::uint32_t>(std::clamp<std::size_t>(slices, 1, block_rows / slice_rows));
  }
  std::size_t block_bytes() const override { return rows_of_block() * lines_.row_bytes; }
  std::vector<Bytes> empty_parts(std::uint64_t rows) const override {
    return std::vector<Bytes>(rows / slice_rows + 1);
  }
  void make(RowRange slice, unsigned worker, Block& block) const override {
    std::string text;
    lines_.make(slice, worker, text);
    const auto bytes = std::as_bytes(std::span(text));
    block.parts[(slice.first - block.rows.first) / slice_rows].assign(bytes.begin(), bytes.end());
  }
  void write(const Bytes& block, ThreadPool&) override { file_->append(block); }
  void finish() { file_->commit(); }

 private:
  const Lines& lines_;
  std::optional<io::AtomicFile> file_;  // of rank 0
};

}  // namespace

void write_lines(const Lines& lines, std::uint64_t rows, const std::string& path,
                 const Makers& makers) {
  LinesForm form(lines);
  on_root(makers.communicator, [&] { form.open(path); });
  stream_blocks(rows, form, makers);
  on_root(makers.communicator, [&] { form.finish(); });
}

}  // namespace atl
