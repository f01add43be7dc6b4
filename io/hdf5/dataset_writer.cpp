#include <algorithm>
#include <cassert>
#include <cstring>
#include <filesystem>

#include "io/hdf5/dataset_file.hpp"
#include "io/hdf5/dataset_tables.hpp"
#include "io/hdf5/h5_writer.hpp"
#include "io/hdf5/trailer.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"
#include "src/core/files/folder.hpp"
#include "src/data/bit_planes.hpp"
#include "src/data/fingerprint.hpp"

namespace atl::io {
namespace {

constexpr std::size_t buffer_words = std::size_t{1} << 19;  // planes are written 4 MiB at a time

void check_codes(const Attribute& attribute, std::span<const std::uint32_t> codes) {
  // Of missing_code, 2^32 - 1, the successor is 0; compilers vectorise a maximum.
  const std::uint32_t shift = attribute.has_missing ? 1 : 0;
  std::uint32_t greatest = 0;
  for (const std::uint32_t code : codes) greatest = std::max(greatest, code + shift);
  if (greatest < attribute.distinct() + shift) return;
  throw InternalError("attribute " + printable(attribute.name) + " has no code " +
                      std::to_string(greatest - shift));
}

}  // namespace

struct DatasetFileWriter::State {
  State(const std::string& file, std::vector<Attribute> columns, const Folder* folder)
      : path(file),
        attributes(std::move(columns)),
        output(folder != nullptr
                   ? AtomicFile(*folder, std::filesystem::path(path).filename().string())
                   : AtomicFile(path)),
        fingerprint(attributes.size()) {}

  std::string path;
  std::vector<Attribute> attributes;
  AtomicFile output;
  Hdf5Writer tables;
  FingerprintBuilder fingerprint;
  std::uint64_t rows = 0;
  std::uint32_t partition_rows = 0;
  std::uint64_t words = 0;  // of a plane
  std::uint64_t next = 0;   // offset in the file of the next plane
  std::uint64_t appended = 0;
  std::vector<std::uint64_t> buffer;

  void flush() {
    output.write(next, std::as_bytes(std::span(buffer)));
    next += buffer.size() * sizeof(std::uint64_t);
    buffer.clear();
  }
};

DatasetFileWriter::DatasetFileWriter(const std::string& path, std::vector<Attribute> attributes,
                                     std::uint64_t rows, std::uint32_t partition_rows,
                                     std::vector<IgnoredColumn> ignored, const Folder* folder)
    : state_(making(path,
                    [&] { return std::make_unique<State>(path, std::move(attributes), folder); })) {
  assert(partition_rows > 0 && partition_rows % partition_granule == 0);
  if (rows == 0 || state_->attributes.empty()) {
    throw InternalError("a dataset without rows or attributes");
  }
  state_->rows = rows;
  state_->partition_rows = partition_rows;
  for (Attribute& attribute : state_->attributes) attribute.exact_distinct = attribute.distinct();
  const Hdf5Index extent = planes_extent(rows, partition_rows, state_->attributes);
  state_->words = extent[2];
  making(path, [&] {
    Hdf5Writer& tables = state_->tables;
    tables.put("format", dataset_format);
    tables.put("version", dataset_version);
    tables.put("rows", rows);
    tables.put("partition_rows", partition_rows);
    write_tables(tables, state_->attributes, ignored);
    state_->next = tables.set_aside("planes", extent);
  });
}

DatasetFileWriter::~DatasetFileWriter() = default;

void DatasetFileWriter::append(std::uint64_t rows,
                               std::span<const std::span<const std::uint32_t>> codes) {
  State& state = *state_;
  const std::uint64_t expected =
      std::min<std::uint64_t>(state.partition_rows, state.rows - state.appended);
  if (rows != expected || rows == 0 || codes.size() != state.attributes.size()) {
    throw InternalError("a partition of " + std::to_string(rows) + " rows where " +
                        std::to_string(expected) + " were expected");
  }
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Attribute& attribute = state.attributes[i];
    check_codes(attribute, codes[i]);
    state.fingerprint.add(i, codes[i]);
    const PlaneLayout layout{attribute.planes(), attribute.has_missing, state.words};
    const std::size_t filled = state.buffer.size();
    state.buffer.resize(filled + layout.size());
    codes_to_planes(codes[i], layout, std::span(state.buffer).subspan(filled));
    if (state.buffer.size() >= buffer_words) state.flush();
  }
  state.flush();
  state.appended += rows;
}

void DatasetFileWriter::append_planes(std::span<const std::byte> planes, ThreadPool& pool) {
  State& state = *state_;
  const std::uint64_t rows =
      std::min<std::uint64_t>(state.partition_rows, state.rows - state.appended);
  std::vector<std::span<const std::byte>> of_attribute;
  std::size_t begin = 0;
  for (const Attribute& attribute : state.attributes) {
    const std::size_t bytes = stored_planes(attribute) * state.words * sizeof(std::uint64_t);
    if (rows == 0 || bytes > planes.size() - begin) break;
    of_attribute.push_back(planes.subspan(begin, bytes));
    begin += bytes;
  }
  if (of_attribute.size() != state.attributes.size() || begin != planes.size()) {
    throw InternalError("planes of another number of rows or attributes");
  }
  state.output.write(state.next, planes);
  state.next += planes.size();
  state.appended += rows;
  pool.wait(pool.submit(of_attribute.size(), [&](std::size_t i, unsigned) {
    const Attribute& attribute = state.attributes[i];
    const PlaneLayout layout{attribute.planes(), attribute.has_missing, state.words};
    std::vector<std::uint64_t> words(layout.size());
    std::memcpy(words.data(), of_attribute[i].data(), of_attribute[i].size());
    std::vector<std::uint32_t> codes(rows);
    planes_to_codes(words, layout, codes);
    check_codes(attribute, codes);
    state.fingerprint.add(i, codes);
  }));
}

void DatasetFileWriter::finish(const std::function<void()>& before_output) {
  State& state = *state_;
  if (state.appended != state.rows) throw InternalError("rows are left to be appended");
  const Fingerprint fingerprint = state.fingerprint.finish(state.rows, state.attributes);
  making(state.path, [&] {
    state.tables.put("fingerprint", to_hex(fingerprint));
    state.tables.finish(state.output);
  });
  append_trailer(state.output);
  if (before_output) before_output();
  state.output.commit();
}

}  // namespace atl::io
