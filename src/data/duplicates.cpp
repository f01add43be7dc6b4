#include "src/data/duplicates.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "src/core/hash.hpp"

namespace atl {
namespace {

/// Codes of a run of rows, decoded from the planes.
class RowBlock {
 public:
  explicit RowBlock(std::size_t attributes)
      : attributes_(attributes),
        rows_(std::max<std::size_t>(
            64, codes_at_once / std::max<std::size_t>(1, attributes) / 64 * 64)),
        codes_(attributes_ * rows_) {}

  std::size_t capacity() const noexcept { return rows_; }
  /// Row after row. @pre first is a multiple of 64
  void decode(const Dataset& data, std::size_t partition, std::size_t first, std::size_t count) {
    count_ = count;
    for (std::uint32_t attribute = 0; attribute < attributes_; ++attribute) {
      decode_column(data, partition, attribute, first);
    }
  }
  std::span<const std::uint32_t> row(std::size_t r) const {
    return std::span(codes_).subspan(r * attributes_, attributes_);
  }

 private:
  static constexpr std::size_t codes_at_once = std::size_t{1} << 20;

  void decode_column(const Dataset& data, std::size_t partition, std::uint32_t attribute,
                     std::size_t first) {
    const std::uint32_t planes = data.attributes()[attribute].planes();
    const auto present = data.present(partition, attribute);
    for (std::size_t r = 0; r < count_; r += 64) {
      const std::size_t word = (first + r) / 64;
      const std::size_t rows = std::min<std::size_t>(64, count_ - r);
      for (std::size_t i = 0; i < rows; ++i) codes_[(r + i) * attributes_ + attribute] = 0;
      for (std::uint32_t bit = 0; bit < planes; ++bit) {
        const std::uint64_t bits = data.plane(partition, attribute, bit)[word];
        for (std::size_t i = 0; i < rows; ++i) {
          codes_[(r + i) * attributes_ + attribute] |= static_cast<std::uint32_t>(bits >> i & 1)
                                                       << bit;
        }
      }
      if (present.empty()) continue;
      for (std::size_t i = 0; i < rows; ++i) {
        if ((present[word] >> i & 1) == 0) codes_[(r + i) * attributes_ + attribute] = missing_code;
      }
    }
  }

  std::size_t attributes_;
  std::size_t rows_;
  std::size_t count_ = 0;
  std::vector<std::uint32_t> codes_;
};

template <typename Use>
void for_each_row(const Dataset& data, Use use) {
  RowBlock block(data.attributes().size());
  for (std::size_t p = 0; p < data.partitions(); ++p) {
    const auto rows = static_cast<std::size_t>(data.partition_rows(p));
    for (std::size_t first = 0; first < rows; first += block.capacity()) {
      const std::size_t count = std::min(block.capacity(), rows - first);
      block.decode(data, p, first, count);
      for (std::size_t r = 0; r < count; ++r) use(block.row(r));
    }
  }
}

bool is_hash_before(const Hash128& a, const Hash128& b) {
  return std::tie(a.high, a.low) < std::tie(b.high, b.low);
}

bool same_dictionary(const Attribute& a, const Attribute& b) {
  return a.kind == b.kind && a.low == b.low && a.labels == b.labels;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> duplicate_columns(const Dataset& data) {
  // Planes are a function of the codes, so equal columns have equal planes.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint32_t>> seen;
  const auto attributes = data.attributes();
  for (std::uint32_t a = 0; a < attributes.size(); ++a) {
    Hasher hasher;
    for (std::size_t p = 0; p < data.partitions(); ++p) {
      for (std::uint32_t bit = 0; bit < attributes[a].planes(); ++bit) {
        hasher.update(std::as_bytes(data.plane(p, a, bit)));
      }
      hasher.update(std::as_bytes(data.present(p, a)));
    }
    const Hash128 hash = hasher.digest();
    auto& same_codes = seen[{hash.high, hash.low}];
    const auto first = std::find_if(same_codes.begin(), same_codes.end(), [&](std::uint32_t b) {
      return same_dictionary(attributes[a], attributes[b]);
    });
    if (first != same_codes.end()) {
      found.emplace_back(a, *first);
    } else {
      same_codes.push_back(a);
    }
  }
  return found;
}

}  // namespace

Duplicates find_duplicates(const Dataset& exact, std::uint64_t hash_bytes) {
  Duplicates found;
  found.columns = duplicate_columns(exact);
  // Hashes are spread evenly; a quarter is left for the unevenness.
  const std::uint64_t at_once = std::max<std::uint64_t>(1, hash_bytes / sizeof(Hash128) / 4 * 3);
  const std::uint64_t passes = (exact.rows() + at_once - 1) / at_once;
  std::vector<Hash128> hashes;
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    hashes.clear();
    hashes.reserve(static_cast<std::size_t>(std::min(exact.rows(), hash_bytes / sizeof(Hash128))));
    for_each_row(exact, [&](std::span<const std::uint32_t> row) {
      const Hash128 hash = atl::hash_bytes(std::as_bytes(row));
      if (hash.high % passes == pass) hashes.push_back(hash);
    });
    std::sort(hashes.begin(), hashes.end(), is_hash_before);
    const auto distinct = std::unique(hashes.begin(), hashes.end()) - hashes.begin();
    found.rows += hashes.size() - static_cast<std::uint64_t>(distinct);
  }
  return found;
}

}  // namespace atl
