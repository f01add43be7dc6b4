// The dataset file (HDF5, io/FORMAT.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/core/files/input_file.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/attribute.hpp"
#include "src/data/dataset.hpp"

namespace atl::io {

class Folder;
class Hdf5Reader;

/// A column of the source that was left out, kept by name so that `info` can tell.
struct IgnoredColumn {
  std::string name;
  std::string reason;  ///< "constant", "identifier-like", "all missing", "by request"
};

/// Writes a dataset file in one go, with the serial driver. Nothing is at `path` until finish()
/// has succeeded: a temporary file beside it is written, synced and renamed.
class DatasetFileWriter {
 public:
  /// @param attributes  exact dictionaries, counts and missing numbers complete
  /// @param folder  of `path`, if it is held open: no link is followed then
  /// @throws CannotCreate, IoError
  DatasetFileWriter(const std::string& path, std::vector<Attribute> attributes, std::uint64_t rows,
                    std::uint32_t partition_rows, std::vector<IgnoredColumn> ignored,
                    const Folder* folder = nullptr);
  ~DatasetFileWriter();  ///< removes the temporary file if finish() was not reached

  /// The next partition, partition_rows rows long but for the last.
  /// @param codes  [attributes][rows], exact codes or missing_code
  void append(std::uint64_t rows, std::span<const std::span<const std::uint32_t>> codes);
  /// Appends rows as planes that somebody else has made; the pool takes them apart for the
  /// fingerprint.
  /// @param planes  [stored planes of all attributes][words], words as planes_extent() has them,
  ///                zero beyond the rows
  void append_planes(std::span<const std::byte> planes, ThreadPool& pool);
  /// @param before_output  called once it is complete, before it takes its name; may throw
  void finish(const std::function<void()>& before_output = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The content of a dataset file without its planes.
struct DatasetSummary {
  std::uint64_t rows = 0;
  std::uint32_t partition_rows = 0;
  Fingerprint fingerprint;
  std::vector<Attribute> attributes;  ///< exact dictionaries
  std::vector<IgnoredColumn> ignored;
  bool of_transactions = false;  ///< the attributes are items; else a table's
};

/// Does the file begin like HDF5? Whether it is a whole dataset of ours, read_summary says.
bool is_dataset_file(const InputFile& file);
/// The same; false if it cannot be read.
bool is_dataset_file(const std::string& path);

/// @param folder  held open, in which the file may be (open_input)
/// @throws MissingInput, BadData (damaged, foreign, newer version), IoError
DatasetSummary read_summary(const std::string& path, const Folder* folder = nullptr);

struct LoadOptions {
  std::uint32_t max_bins = 256;  ///< 0 = exact
  std::map<std::string, std::uint32_t> attribute_bins;
  std::vector<std::string> exact = {};  ///< attributes that keep every value; need not exist
  /// Attributes whose values are taken as labels where they can be, and then are not binned unless
  /// attribute_bins says so; need not exist.
  std::vector<std::string> labels = {};
  /// Threads that compare the content with what the file says of it; 0: as many as there are CPUs.
  unsigned threads = 0;
  const Folder* folder = nullptr;  ///< held open, in which the file may be (open_input)
  /// If set, it sees what is in the file before the rows are read; may throw.
  std::function<void(const DatasetSummary&)> before_rows = {};
};

/// Reads all partitions, binned. What the planes hold is compared with the counts and the
/// fingerprint that the file gives.
/// @throws UsageError for attribute_bins of an attribute that is not there, else as read_summary
Dataset read_dataset(const std::string& path, const LoadOptions& options);
/// Reads a file that is open. @param file  by open_data() (io/hdf5/data_file.hpp)
Dataset read_dataset(Hdf5Reader file, const LoadOptions& options);

}  // namespace atl::io
