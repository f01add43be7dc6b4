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
  LoadPlan plan = make_load_plan(source.summary, options);
  DatasetBuilder builder(std::move(plan.attributes), plan.partition_rows);
  const std::uint64_t partitions = plan.extent[0];
  const std::uint64_t size = plan.extent[1] * plan.extent[2];
  std::vector<std::uint64_t> words(size), next(size);
  const auto read = [&](std::uint64_t partition) {
    source.file.read_words("planes", partition * size, std::as_writable_bytes(std::span(next)));
  };
  read(0);
  for (std::uint64_t partition = 0; partition < partitions; ++partition) {
    std::swap(words, next);
    const std::uint64_t rows =
        std::min<std::uint64_t>(plan.partition_rows, plan.rows - partition * plan.partition_rows);
    const std::array<std::function<void()>, 3> steps = {
        [&] { builder.append_planes(rows, words, plan.bin_ends, &source.pool); },
        [&] { source.check.add(rows, words, source.pool); },
        [&] {
          if (partition + 1 < partitions) read(partition + 1);
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
