#include "io/hdf5/dataset_file.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <utility>

#include "io/hdf5/content_check.hpp"
#include "io/hdf5/dataset_tables.hpp"
#include "io/hdf5/h5_reader.hpp"
#include "io/hdf5/load_plan.hpp"
#include "io/hdf5/trailer.hpp"
#include "src/core/agreement.hpp"
#include "src/core/cpus.hpp"
#include "src/core/error.hpp"
#include "src/core/thread_pool.hpp"

namespace atl::io {
namespace {

constexpr std::uint64_t words_per_message = std::uint64_t{1} << 23;

/// The file as rank 0 has it open.
struct OpenDataset {
  OpenDataset(InputFile input, unsigned threads)
      : file(std::move(input), dataset_names()),
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

/// Rank 0 reads, all receive.
void receive_words(const OpenDataset* source, std::uint64_t first, std::span<std::uint64_t> words,
                   Communicator& communicator) {
  while (!words.empty()) {
    const auto part = words.first(std::min<std::size_t>(words.size(), words_per_message));
    const Bytes bytes = bytes_of_root(communicator, [&] {
      Bytes read(part.size_bytes());
      source->file.read_words("planes", first, read);
      return read;
    });
    std::memcpy(part.data(), bytes.data(), bytes.size());
    first += part.size();
    words = words.subspan(part.size());
  }
}

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
  return read_tables(Hdf5Reader(open_input(path, folder), dataset_names()));
}

Dataset read_dataset(const std::string& path, const LoadOptions& options,
                     Communicator& communicator) {
  std::optional<OpenDataset> source;  // of rank 0
  const Bytes bytes = bytes_of_root(communicator, [&] {
    source.emplace(open_input(path, options.folder), options.threads);
    return encode(make_load_plan(source->summary, options));
  });
  LoadPlan plan = decode_load_plan(bytes);

  std::optional<DatasetBuilder> builder;
  std::vector<std::uint64_t> words;
  on_all(communicator, [&] {
    builder.emplace(std::move(plan.attributes), plan.partition_rows);
    words.resize(plan.extent[1] * plan.extent[2]);
  });
  for (std::uint64_t partition = 0; partition < plan.extent[0]; ++partition) {
    const std::uint64_t rows =
        std::min<std::uint64_t>(plan.partition_rows, plan.rows - partition * plan.partition_rows);
    receive_words(source ? &*source : nullptr, partition * words.size(), words, communicator);
    on_all(communicator,
           [&] { naming_file(path, [&] { builder->append_planes(rows, words, plan.bin_ends); }); });
    on_root(communicator,
            [&] { naming_file(path, [&] { source->check.add(rows, words, source->pool); }); });
  }
  on_root(communicator, [&] { naming_file(path, [&] { source->check.finish(); }); });
  return builder->finish(plan.fingerprint);
}

}  // namespace atl::io
