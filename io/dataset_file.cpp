#include "io/dataset_file.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "io/agreement.hpp"
#include "io/content_check.hpp"
#include "io/dataset_tables.hpp"
#include "io/h5_reader.hpp"
#include "io/load_plan.hpp"
#include "io/trailer.hpp"
#include "src/core/cpus.hpp"
#include "src/core/error.hpp"
#include "src/core/thread_pool.hpp"

namespace atl::io {
namespace {

constexpr std::uint64_t words_per_message = std::uint64_t{1} << 23;

/// The file as rank 0 has it open.
struct OpenDataset {
  explicit OpenDataset(const std::string& path)
      : file(path, dataset_names()), summary(read_tables(file)), check(summary) {}
  OpenDataset(const OpenDataset&) = delete;
  OpenDataset& operator=(const OpenDataset&) = delete;

  Hdf5Reader file;
  DatasetSummary summary;
  ContentCheck check;
  ThreadPool pool{available_cpus()};
};

/// Rank 0 reads, all receive. An empty message says that rank 0 could not.
/// @return what went wrong on this rank
std::exception_ptr receive_words(const OpenDataset* source, std::uint64_t first,
                                 std::span<std::uint64_t> words, Communicator& communicator) {
  std::exception_ptr failure;
  while (!words.empty()) {
    const auto part = words.first(std::min<std::size_t>(words.size(), words_per_message));
    Bytes bytes;
    if (source != nullptr) {
      failure = failure_of([&] {
        Bytes read(part.size_bytes());
        source->file.read_words("planes", first, read);
        bytes = std::move(read);
      });
    }
    bytes = communicator.broadcast(std::move(bytes), 0);
    if (bytes.empty()) return failure;
    std::memcpy(part.data(), bytes.data(), bytes.size());
    first += part.size();
    words = words.subspan(part.size());
  }
  return nullptr;
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

bool is_dataset_file(const std::string& path) {
  return has_hdf5_signature(path);
}

DatasetSummary read_summary(const std::string& path) {
  return read_tables(Hdf5Reader(path, dataset_names()));
}

Dataset read_dataset(const std::string& path, const LoadOptions& options,
                     Communicator& communicator) {
  std::optional<OpenDataset> source;  // of rank 0
  Bytes bytes;
  agree(communicator, failure_of([&] {
          if (communicator.rank() != 0) return;
          source.emplace(path);
          bytes = encode(make_load_plan(source->summary, options));
        }));
  LoadPlan plan = decode_load_plan(communicator.broadcast(std::move(bytes), 0));

  std::optional<DatasetBuilder> builder;
  std::vector<std::uint64_t> words;
  agree(communicator, failure_of([&] {
          builder.emplace(std::move(plan.attributes), plan.partition_rows);
          words.resize(plan.extent[1] * plan.extent[2]);
        }));
  for (std::uint64_t partition = 0; partition < plan.extent[0]; ++partition) {
    const std::uint64_t rows =
        std::min<std::uint64_t>(plan.partition_rows, plan.rows - partition * plan.partition_rows);
    auto failure =
        receive_words(source ? &*source : nullptr, partition * words.size(), words, communicator);
    if (failure == nullptr) {
      failure = failure_of([&] {
        naming_file(path, [&] {
          builder->append_planes(rows, words, plan.bin_ends);
          if (source) source->check.add(rows, words, source->pool);
        });
      });
    }
    agree(communicator, failure);
  }
  agree(communicator, failure_of([&] {
          if (source) naming_file(path, [&] { source->check.finish(); });
        }));
  return builder->finish(plan.fingerprint);
}

}  // namespace atl::io
