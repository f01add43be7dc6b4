#include "io/hdf5/dataset_file.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "io/hdf5/data_file.hpp"
#include "io/hdf5/dataset_tables.hpp"
#include "io/hdf5/h5_reader.hpp"
#include "io/hdf5/trailer.hpp"
#include "src/core/cpus.hpp"
#include "src/core/error.hpp"
#include "src/data/bit_planes.hpp"
#include "src/data/fingerprint.hpp"

namespace atl::io {
namespace {

/// Compares what the planes of a dataset file hold with what its tables say: the rows of each
/// value, those without one, and the fingerprint.
class ContentCheck {
 public:
  /// @param summary  outlives it
  explicit ContentCheck(const DatasetSummary& summary);

  /// The next partitions, all full but perhaps the last of the table. Threads share out the
  /// attributes.
  /// @param rows   of all of them
  /// @param words  [partitions][stored planes of all attributes][stride]
  /// @throws std::invalid_argument if a code is out of range
  void add(std::uint64_t rows, std::span<const std::uint64_t> words, ThreadPool& pool);
  /// Ends the check, after the last partition.
  /// @throws std::invalid_argument saying what contradicts what
  void finish() const;

 private:
  void add(std::size_t attribute, std::span<const std::uint32_t> codes);

  const DatasetSummary& summary_;
  FingerprintBuilder fingerprint_;
  std::vector<std::vector<std::uint64_t>> counts_;  // [attributes][codes], then the missing
  std::vector<std::vector<std::uint32_t>> codes_;   // [worker] of one attribute in a partition
};

std::invalid_argument contradiction(const Attribute& attribute, const std::string& problem) {
  return std::invalid_argument("attribute " + printable(attribute.name) + ": " + problem);
}

ContentCheck::ContentCheck(const DatasetSummary& summary)
    : summary_(summary), fingerprint_(summary.attributes.size()) {
  for (const Attribute& attribute : summary.attributes) {
    counts_.emplace_back(attribute.exact_distinct + 1, 0);
  }
}

void ContentCheck::add(std::uint64_t rows, std::span<const std::uint64_t> words, ThreadPool& pool) {
  const auto& attributes = summary_.attributes;
  const std::uint64_t partitions = (rows + summary_.partition_rows - 1) / summary_.partition_rows;
  const std::size_t size = words.size() / partitions;
  std::vector<std::uint64_t> first_plane;
  std::uint64_t planes = 0;
  for (const Attribute& attribute : attributes) {
    first_plane.push_back(planes);
    planes += stored_planes(attribute);
  }
  const std::size_t stride = size / planes;
  codes_.resize(pool.threads());
  pool.wait(pool.submit(attributes.size(), [&](std::size_t a, unsigned worker) {
    const PlaneLayout layout{planes_for(attributes[a].exact_distinct), attributes[a].has_missing,
                             stride};
    auto& codes = codes_[worker];
    std::uint64_t left = rows;
    for (std::size_t p = 0; p < partitions; ++p) {
      codes.resize(std::min<std::uint64_t>(left, summary_.partition_rows));
      left -= codes.size();
      planes_to_codes(words.subspan(p * size + first_plane[a] * stride, layout.size()), layout,
                      codes);
      add(a, codes);
    }
  }));
}

void ContentCheck::add(std::size_t a, std::span<const std::uint32_t> codes) {
  const Attribute& attribute = summary_.attributes[a];
  auto& counts = counts_[a];
  const std::uint32_t distinct = attribute.distinct();
  for (const std::uint32_t code : codes) {
    if (code >= distinct && code != missing_code) {
      throw contradiction(attribute, "a code that its dictionary does not have");
    }
    ++counts[std::min(code, distinct)];
  }
  fingerprint_.add(a, codes);
}

void ContentCheck::finish() const {
  for (std::size_t a = 0; a < counts_.size(); ++a) {
    const Attribute& attribute = summary_.attributes[a];
    const bool as_told =
        std::equal(attribute.counts.begin(), attribute.counts.end(), counts_[a].begin()) &&
        attribute.missing == counts_[a].back();
    if (!as_told) throw contradiction(attribute, "its planes do not have the rows of its counts");
  }
  if (fingerprint_.finish(summary_.rows, summary_.attributes) != summary_.fingerprint) {
    throw std::invalid_argument("the fingerprint is not that of the content");
  }
}

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
