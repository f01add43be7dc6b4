#include "src/generate/lines.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "src/core/agreement.hpp"
#include "src/core/files/atomic_file.hpp"

namespace atl {
namespace {

constexpr std::size_t most_block_bytes = std::size_t{32} << 20;  // but at least one slice
/// Blocks of a piece, at most, and pieces of a rank, at least, if there are so many blocks: what
/// comes before a piece is likely made beside it, so that its text does not wait for long.
constexpr std::uint64_t blocks_of_piece = 8;
constexpr std::uint64_t pieces_of_rank = 8;
/// More pieces than that would make checkpoints large.
constexpr std::uint64_t most_pieces = 1 << 16;

class LinesForm final : public TableForm {
 public:
  explicit LinesForm(const Lines& lines) : lines_(lines) {}

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

 private:
  const Lines& lines_;
};

struct BlockRange {
  std::uint64_t first = 0, end = 0;
};

Bytes to_bytes(const BlockRange& range) {
  ByteWriter out;
  out.put(range.first);
  out.put(range.end);
  return std::move(out).take();
}

BlockRange blocks_from(const Piece& piece) {
  ByteReader in(piece);
  const auto first = in.get<std::uint64_t>();
  const auto end = in.get<std::uint64_t>();
  in.expect_end();
  return {first, end};
}

std::uint64_t rows_of(const BlockRange& range, const BlockCut& cut) {
  return cut.range(range.end - 1).last - cut.range(range.first).first;
}

std::string_view text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

LinesTask::LinesTask(Identity identity, Lines lines, std::uint64_t rows, LineCounts counts)
    : identity_(std::move(identity)),
      lines_(std::move(lines)),
      counts_(std::move(counts)),
      cut_{rows, LinesForm(lines_).rows_of_block()},
      sums_(counts_.size) {}

void LinesTask::prepare(Worker& worker) {
  if (counts_.begin) counts_.begin(worker.pool.threads());
}

std::vector<Piece> LinesTask::pieces(int ranks) {
  const std::uint64_t blocks = cut_.count();
  if (ranks == 1) return {to_bytes({0, blocks})};
  const std::uint64_t of_all = pieces_of_rank * static_cast<std::uint64_t>(ranks);
  const std::uint64_t size = std::max(
      std::clamp<std::uint64_t>(blocks / of_all, 1, blocks_of_piece), blocks / most_pieces);
  std::vector<Piece> pieces;
  for (std::uint64_t first = 0; first < blocks; first += size) {
    pieces.push_back(to_bytes({first, std::min(first + size, blocks)}));
  }
  return pieces;
}

void LinesTask::expect(const Piece& piece) const {
  const BlockRange range = blocks_from(piece);
  require_bytes(range.first < range.end && range.end <= cut_.count(), "no range of blocks");
}

std::uint64_t LinesTask::amount(const std::vector<Piece>& pieces) const {
  std::uint64_t rows = 0;
  for (const Piece& piece : pieces) rows += rows_of(blocks_from(piece), cut_);
  return rows;
}

void LinesTask::merge(std::span<const std::byte> found) {
  ByteReader in(found);
  for (std::uint64_t& sum : sums_) sum += in.get<std::uint64_t>();
}

void LinesTask::save(ByteWriter& out) {
  out.put_all(std::span<const std::uint64_t>(sums_));
}

void LinesTask::load(ByteReader& in) {
  auto sums = in.get_all<std::uint64_t>();
  require_bytes(sums.size() == counts_.size, "no counts of these rows");
  sums_ = std::move(sums);
}

std::string LinesTask::finish(const WriteText&) {
  return std::to_string(cut_.rows) + (cut_.rows == 1 ? " row" : " rows");
}

/// When it is told to stop, blocks that threads have begun are still written: what is counted of
/// rows is then what their lines were written of.
Done LinesTask::work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
                     const std::stop_token& stop) {
  rows_left_ = amount({pieces.begin(), pieces.end()});
  const LinesForm form(lines_);
  std::vector<Piece> left;
  for (const Piece& piece : pieces) {
    const BlockRange range = blocks_from(piece);
    if (stop.stop_requested()) {
      left.push_back(piece);
      continue;
    }
    BlocksAhead blocks(cut_, form, worker.pool, range.first, 1, range.end);
    for (std::uint64_t at = range.first; auto block = blocks.next_below(range.end); ++at) {
      if (at == 0 && !lines_.header.empty()) write(lines_.header);
      write(text_of(*block));
      rows_left_ -= cut_.range(at).size();
      if (stop.stop_requested()) blocks.stop();
    }
    if (blocks.next() < range.end) left.push_back(to_bytes({blocks.next(), range.end}));
  }
  ByteWriter found;
  if (counts_.size > 0) {
    for (const std::uint64_t count : counts_.take()) found.put(count);
  }
  Done done{std::move(found).take(), {}};
  if (!left.empty()) done.rest.push_back({std::move(left), {}});
  return done;
}

void write_lines(const Lines& lines, std::uint64_t rows, const std::string& path,
                 const Makers& makers) {
  const LinesForm form(lines);
  std::optional<io::AtomicFile> file;  // of rank 0
  on_root(makers.communicator, [&] {
    file.emplace(path);
    file->append(std::as_bytes(std::span(lines.header)));
  });
  stream_blocks(
      rows, form, [&](const Bytes& block, ThreadPool&) { file->append(block); }, makers);
  on_root(makers.communicator, [&] { file->commit(); });
}

}  // namespace atl
