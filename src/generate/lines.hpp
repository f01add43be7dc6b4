#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/generate/block_stream.hpp"
#include "src/work/task.hpp"

namespace atl {

/// Text of which every row is a line.
struct Lines {
  std::string header = {};    ///< with its line break; may be empty
  std::size_t row_bytes = 0;  ///< of a row, roughly
  /// Appends the lines of a slice, while other threads make others. The worker's number is below
  /// the threads of this rank; two calls at once have different ones.
  std::function<void(RowRange slice, unsigned worker, std::string& text)> make;
};

/// Numbers that are summed over all rows while their lines are made.
struct LineCounts {
  std::size_t size = 0;
  /// Before the first slice, with the threads of this rank.
  std::function<void(unsigned threads)> begin;
  /// What all workers have counted since the last call.
  std::function<std::vector<std::uint64_t>()> take;
};

/// Makes lines on all ranks. Its pieces are ranges of blocks.
class LinesTask final : public Task {
 public:
  /// @param identity  says what the lines are of
  LinesTask(Identity identity, Lines lines, std::uint64_t rows, LineCounts counts = {});

  PieceTraits traits() const override { return {.unit = "rows", .one_by_one = true}; }
  void prepare(Worker& worker) override;
  Identity identity() const override { return identity_; }
  std::vector<Piece> pieces(int ranks) override;
  void expect(const Piece& piece) const override;
  std::uint64_t amount(const std::vector<Piece>& pieces) const override;
  void merge(std::span<const std::byte> found) override;
  void save(ByteWriter& out) override;
  void load(ByteReader& in) override;
  std::string finish(const WriteText& write) override;
  Done work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
            const std::stop_token& stop) override;
  std::optional<std::uint64_t> amount_left() override { return rows_left_; }

  /// Of all rows, once all is merged. On the root.
  const std::vector<std::uint64_t>& counts() const noexcept { return sums_; }

 private:
  const Identity identity_;
  const Lines lines_;
  const LineCounts counts_;
  const BlockCut cut_;
  std::vector<std::uint64_t> sums_;  // of the root
  std::atomic<std::uint64_t> rows_left_ = 0;
};

/// Makes the lines on all ranks. Rank 0 writes the file, which exists only once complete. The same
/// bytes for any number of ranks and threads. Collective.
/// @throws CannotCreate, IoError
void write_lines(const Lines& lines, std::uint64_t rows, const std::string& path,
                 const Makers& makers);

}  // namespace atl
