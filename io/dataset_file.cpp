#include "io/dataset_file.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "io/agreement.hpp"
#include "io/dataset_tables.hpp"
#include "io/h5_reader.hpp"
#include "io/load_plan.hpp"
#include "io/same_file.hpp"
#include "io/trailer.hpp"
#include "src/core/error.hpp"

namespace atl::io {
namespace {

// A collective read is kept well below 2^31 bytes, which not every MPI-IO gets right.
constexpr std::uint64_t words_per_read = std::uint64_t{1} << 23;

/// Runs what takes the input file's content, and turns what goes wrong into our errors.
template <typename Work>
auto reading(const std::string& path, Work&& work) {
  try {
    return work();
  } catch (const Hdf5Error& error) {
    if (error.error_number != 0) throw IoError(path, std::strerror(error.error_number));
    throw BadData(path, error.what());
  } catch (const std::invalid_argument& error) {
    throw BadData(path, error.what());  // DatasetBuilder on planes that are no codes
  }
}

void read_partition(const Hdf5Reader& file, const Hdf5Index& extent, std::uint64_t partition,
                    std::span<std::uint64_t> words) {
  const std::uint64_t step = std::max<std::uint64_t>(1, words_per_read / extent[2]);
  for (std::uint64_t plane = 0; plane < extent[1]; plane += step) {
    const std::uint64_t planes = std::min(step, extent[1] - plane);
    file.read_block("planes", {partition, plane, 0}, {1, planes, extent[2]},
                    words.subspan(plane * extent[2], planes * extent[2]));
  }
}

}  // namespace

bool is_dataset_file(const std::string& path) {
  return has_hdf5_signature(path);
}

DatasetSummary read_summary(const std::string& path) {
  verify_trailer(path);
  return reading(path, [&] { return read_tables(Hdf5Reader(path), path); });
}

Dataset read_dataset(const std::string& path, const LoadOptions& options,
                     Communicator& communicator) {
  Bytes bytes;
  agree(communicator, failure_of([&] {
          if (communicator.rank() == 0) bytes = encode(make_load_plan(read_summary(path), options));
        }));
  LoadPlan plan = decode_load_plan(communicator.broadcast(std::move(bytes), 0));
  require_same_file(path, communicator);

  std::optional<Hdf5Reader> file;
  agree(communicator,
        failure_of([&] { reading(path, [&] { file.emplace(path, communicator); }); }));
  DatasetBuilder builder(std::move(plan.attributes), plan.partition_rows);
  std::vector<std::uint64_t> words(plan.extent[1] * plan.extent[2]);
  std::exception_ptr failure;
  for (std::uint64_t partition = 0; partition < plan.extent[0]; ++partition) {
    const std::uint64_t rows =
        std::min<std::uint64_t>(plan.partition_rows, plan.rows - partition * plan.partition_rows);
    // A rank that has failed goes on reading, since the others wait for it in every read.
    const auto unread = failure_of(
        [&] { reading(path, [&] { read_partition(*file, plan.extent, partition, words); }); });
    if (failure == nullptr) failure = unread;
    if (failure == nullptr) {
      failure = failure_of(
          [&] { reading(path, [&] { builder.append_planes(rows, words, plan.bin_ends); }); });
    }
  }
  agree(communicator, failure);
  return builder.finish(plan.fingerprint);
}

}  // namespace atl::io
