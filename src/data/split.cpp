#include "src/data/split.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "src/data/storage.hpp"

namespace atl {
namespace {

/// Collects rows until a partition is full. Counts their values.
class Part {
 public:
  Part(const std::vector<Attribute>& attributes, std::uint32_t partition_rows)
      : attributes_(attributes),
        partition_rows_(partition_rows),
        builder_(attributes, partition_rows),
        codes_(attributes.size()) {
    for (Attribute& attribute : attributes_) {
      attribute.missing = 0;
      attribute.counts.assign(attribute.distinct(), 0);
    }
  }

  /// @param codes  [attributes][rows of a partition]
  /// @param rows  positions of the rows to take, ascending
  void add(const std::vector<std::vector<std::uint32_t>>& codes,
           const std::vector<std::uint32_t>& rows) {
    for (auto row = rows.begin(); row != rows.end();) {
      const auto room = static_cast<std::ptrdiff_t>(partition_rows_ - pending_);
      const auto end = row + std::min(room, rows.end() - row);
      for (std::size_t a = 0; a < codes.size(); ++a) {
        for (auto r = row; r != end; ++r) take(a, codes[a][*r]);
      }
      pending_ += static_cast<std::uint32_t>(end - row);
      if (pending_ == partition_rows_) flush();
      row = end;
    }
  }

  Dataset finish(Fingerprint fingerprint) {
    if (pending_ > 0) flush();
    return builder_.finish(fingerprint);
  }

  /// The attributes with the counts of the rows taken.
  std::vector<Attribute> attributes() && { return std::move(attributes_); }

 private:
  void take(std::size_t attribute, std::uint32_t code) {
    codes_[attribute].push_back(code);
    Attribute& counted = attributes_[attribute];
    ++(code == missing_code ? counted.missing : counted.counts[code]);
  }

  void flush() {
    const std::vector<std::span<const std::uint32_t>> columns(codes_.begin(), codes_.end());
    builder_.append(pending_, columns);
    for (auto& column : codes_) column.clear();
    pending_ = 0;
  }

  std::vector<Attribute> attributes_;
  std::uint32_t partition_rows_;
  DatasetBuilder builder_;
  std::vector<std::vector<std::uint32_t>> codes_;  // [attributes][pending]
  std::uint32_t pending_ = 0;
};

}  // namespace

SplitDataset split(Dataset&& whole, const std::function<bool(std::uint64_t row)>& draws) {
  const std::unique_ptr<Dataset::Storage> storage = std::move(whole.storage_);
  const std::vector<Attribute>& attributes = storage->attributes;
  Part rest(attributes, storage->partition_rows);
  Part drawn(attributes, storage->partition_rows);
  std::vector<std::vector<std::uint32_t>> codes(attributes.size());
  std::vector<std::uint32_t> rest_rows, drawn_rows;
  for (Dataset::Storage::Partition& partition : storage->partitions) {
    for (std::size_t a = 0; a < attributes.size(); ++a) {
      const PlaneLayout layout{attributes[a].planes(), attributes[a].has_missing, partition.stride};
      codes[a].resize(partition.rows);
      planes_to_codes(
          partition.planes.subspan(storage->first_plane[a] * partition.stride, layout.size()),
          layout, codes[a]);
    }
    partition.replace({});
    rest_rows.clear();
    drawn_rows.clear();
    for (std::uint32_t row = 0; row < partition.rows; ++row) {
      const bool is_drawn = draws(storage->first_row + partition.first_row + row);
      (is_drawn ? drawn_rows : rest_rows).push_back(row);
    }
    rest.add(codes, rest_rows);
    drawn.add(codes, drawn_rows);
  }
  SplitDataset parts{rest.finish(storage->fingerprint), drawn.finish(storage->fingerprint)};
  parts.rest.storage_->attributes = std::move(rest).attributes();
  parts.drawn.storage_->attributes = std::move(drawn).attributes();
  return parts;
}

}  // namespace atl
