#include "io/hdf5/dataset_file.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <utility>

#include "io/hdf5/content_check.hpp"
#include "io/hdf5/data_file.hpp"
#include "io/hdf5/dataset_tables.hpp"
#include "io/hdf5/h5_reader.hpp"
#include "io/hdf5/load_plan.hpp"
#include "io/hdf5/trailer.hpp"
#include "src/core/cpus.hpp"
#include "src/core/error.hpp"
#include "src/core/thread_pool.hpp"

namespace atl::io {
namespace {

struct OpenDataset {
  OpenDataset(Hdf5Reader reader, unsigned threads)
      : file(std::move(reader)),
        summary(read_tables(file)),
        check(summary),
        pool(threads != 0 ? threads : available_cpus()) {}
  OpenDataset(const OpenDataset&) = delete;
  OpenDataset& operator=(const OpenDataset&) = delete;

  Hdf5Reader file;
  DatasetSummary summary;
  ContentCheck check;
  ThreadPool pool;
};

/// Partitions that are read at a time: enough of them to keep all threads busy, as these meet after
/// each block.
class Blocks {
 public:
  /// @param size  words of a partition
  Blocks(std::uint64_t partitions, std::uint64_t size, unsigned threads)
      : all_(partitions),
        most_(std::clamp<std::uint64_t>(threads * words_of_thread / size, 1, partitions)) {}

  std::uint64_t count() const noexcept { return (all_ + most_ - 1) / most_; }
  std::uint64_t first(std::uint64_t block) const noexcept { return block * most_; }
  std::uint64_t partitions(std::uint64_t block) const noexcept {
    return std::min(most_, all_ - first(block));
  }

 private:
  static constexpr std::uint64_t words_of_thread = std::uint64_t{1} << 17;  // 1 MiB

  std::uint64_t all_;
  std::uint64_t most_;
};

/// Turns what is wrong with planes into an error of the file.
template <typename Work>
void naming_file(const std::string& path, Work&& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    throw BadData(path, error.what());
  }
}

}  // namespace

bool is_dataset_file(const InputFile& file) {
  return begins_like_hdf5(file);
}

bool is_dataset_file(const std::string& path) {
  try {
    return begins_like_hdf5(InputFile(path));
  } catch (const Error&) {
    return false;  // whoever goes on to read it says why
  }
}

DatasetSummary read_summary(const std::string& path, const Folder* folder) {
  return read_tables(open_data(path, folder));
}

Dataset read_dataset(const std::string& path, const LoadOptions& options) {
  return read_dataset(open_data(path, options.folder), options);
}

Dataset read_dataset(Hdf5Reader file, const LoadOptions& options) {
  OpenDataset source(std::move(file), options.threads);
  const std::string& path = source.file.path();
  if (options.before_rows) options.before_rows(source.summary);
  LoadPlan plan = make_load_plan(source.summary, options);
  DatasetBuilder builder(std::move(plan.attributes), plan.partition_rows);
  const std::uint64_t size = plan.extent[1] * plan.extent[2];  // words of a partition
  const Blocks blocks(plan.extent[0], size, source.pool.threads());
  std::vector<std::uint64_t> words, next;
  const auto read = [&](std::uint64_t block) {
    next.resize(blocks.partitions(block) * size);
    source.file.read_words("planes", blocks.first(block) * size,
                           std::as_writable_bytes(std::span(next)));
  };
  read(0);
  for (std::uint64_t block = 0; block < blocks.count(); ++block) {
    std::swap(words, next);
    const std::uint64_t first_row = blocks.first(block) * plan.partition_rows;
    const std::uint64_t rows = std::min<std::uint64_t>(
        blocks.partitions(block) * plan.partition_rows, plan.rows - first_row);
    const std::array<std::function<void()>, 3> steps = {
        [&] { builder.append_planes(rows, words, plan.bin_ends, &source.pool); },
        [&] { source.check.add(rows, words, source.pool); },
        [&] {
          if (block + 1 < blocks.count()) read(block + 1);
        }};
    naming_file(path, [&] {
      source.pool.wait(
          source.pool.submit(steps.size(), [&](std::size_t i, unsigned) { steps[i](); }));
    });
  }
  naming_file(path, [&] { source.check.finish(); });
  return builder.finish(plan.fingerprint);
}

}  // namespace atl::io
