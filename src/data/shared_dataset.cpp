#include "src/data/shared_dataset.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "src/core/agreement.hpp"
#include "src/core/bytes.hpp"
#include "src/data/attribute.hpp"
#include "src/data/row_codes.hpp"
#include "src/data/storage.hpp"

namespace atl {
namespace {

void put_texts(ByteWriter& out, const std::vector<std::string>& texts) {
  out.put(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) out.put_text(text);
}

std::vector<std::string> get_texts(ByteReader& in) {
  std::vector<std::string> texts(in.get_count(sizeof(std::uint64_t)));
  for (std::string& text : texts) text = in.get_text();
  return texts;
}

/// All of an attribute, for another rank.
void put(ByteWriter& out, const Attribute& attribute) {
  out.put_text(attribute.name);
  out.put(attribute.kind);
  out.put(attribute.role);
  out.put(attribute.has_missing);
  out.put(attribute.missing);
  out.put_all(std::span<const double>(attribute.low));
  out.put_all(std::span<const double>(attribute.high));
  put_texts(out, attribute.labels);
  out.put_all(std::span<const std::uint64_t>(attribute.counts));
  out.put(attribute.exact_distinct);
  out.put(attribute.as_labels);
  out.put(attribute.item);
  out.put_text(attribute.other);
  out.put(attribute.missing_tokens.has_value());
  if (attribute.missing_tokens) put_texts(out, *attribute.missing_tokens);
  out.put_text(attribute.number_form);
}

Attribute get_attribute(ByteReader& in) {
  Attribute attribute;
  attribute.name = in.get_text();
  attribute.kind = in.get<AttributeKind>();
  attribute.role = in.get<AttributeRole>();
  attribute.has_missing = in.get<bool>();
  attribute.missing = in.get<std::uint64_t>();
  attribute.low = in.get_all<double>();
  attribute.high = in.get_all<double>();
  attribute.labels = get_texts(in);
  attribute.counts = in.get_all<std::uint64_t>();
  attribute.exact_distinct = in.get<std::uint64_t>();
  attribute.as_labels = in.get<bool>();
  attribute.item = in.get<bool>();
  attribute.other = in.get_text();
  if (in.get<bool>()) attribute.missing_tokens = get_texts(in);
  attribute.number_form = in.get_text();
  return attribute;
}

using Storage = Dataset::Storage;

constexpr std::size_t words_per_message = std::size_t{1} << 23;
constexpr std::uint32_t kept_partition_rows = 65'536;  // of rows that are kept by themselves

Bytes encoded_tables(const Storage& storage) {
  ByteWriter out;
  out.put(storage.partition_rows);
  out.put(storage.first_row);
  out.put(storage.rows);
  put(out, storage.fingerprint);
  out.put_all(std::span<const std::uint32_t>(storage.first_plane));
  for (const Attribute& attribute : storage.attributes) put(out, attribute);
  return std::move(out).take();
}

/// All but the planes.
std::unique_ptr<Storage> decoded_tables(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  auto storage = std::make_unique<Storage>();
  storage->partition_rows = in.get<std::uint32_t>();
  storage->first_row = in.get<std::uint64_t>();
  storage->rows = in.get<std::uint64_t>();
  storage->fingerprint = get_hash(in);
  storage->first_plane = in.get_all<std::uint32_t>();
  for (std::size_t a = 0; a + 1 < storage->first_plane.size(); ++a) {
    storage->attributes.push_back(get_attribute(in));
  }
  in.expect_end();
  for (std::uint64_t first = 0; first < storage->rows; first += storage->partition_rows) {
    const auto rows = std::min<std::uint64_t>(storage->partition_rows, storage->rows - first);
    storage->partitions.emplace_back(first, rows, storage->first_plane.back());
  }
  return storage;
}

/// Partitions that there are somewhere.
using Marks = std::vector<std::uint8_t>;  // [partition] 1: it is there, 0: not

/// Marks the partitions in which there are rows that a rank needs.
Marks needed_partitions(const Storage& storage, const RowShare& needed) {
  const ShardRows shard = shard_rows(storage.rows, storage.partition_rows, needed);
  Marks marks;
  for (const Storage::Partition& partition : storage.partitions) {
    const std::uint64_t begin = std::max(shard.begin, partition.first_row);
    const std::uint64_t end = std::min(shard.end, partition.first_row + partition.rows);
    marks.push_back(begin < end ? 1 : 0);
  }
  return marks;
}

/// Marks those of any rank. Collective.
Marks united(const Marks& mine, Communicator& ranks) {
  std::vector<std::uint64_t> sums(mine.begin(), mine.end());
  ranks.all_reduce_sum(sums);
  Marks marks;
  for (const std::uint64_t sum : sums) marks.push_back(sum > 0 ? 1 : 0);
  return marks;
}

std::size_t words_of(const Storage& storage, const Marks& marks) {
  std::size_t words = 0;
  for (std::size_t p = 0; p < marks.size(); ++p) words += marks[p] * storage.partitions[p].size;
  return words;
}

/// The copies of the planes: where they are, and which partitions each has.
class Copies {
 public:
  /// Collective.
  Copies(const Storage& storage, const RowShare& needed, Communicator& ranks, Communicator& host)
      : ranks_(ranks), has_(needed_partitions(storage, is_root() ? RowShare{} : needed)) {
    Marks on_host = united(has_, host);
    memory_ = HostMemory::make(words_of(storage, on_host) * sizeof(std::uint64_t), host);
    if (memory_ != nullptr) has_ = std::move(on_host);
    const bool any = words_of(storage, has_) > 0;
    has_own_ = is_root() || (any && (memory_ == nullptr || host.rank() == 0));
    owners_ = ranks.split(has_own_ ? 0 : 1);
    if (has_own_) owned_ = owners_->all_gather(std::as_bytes(std::span(has_)));
  }

  const std::shared_ptr<HostMemory>& memory() const noexcept { return memory_; }

  /// Rows of each. Collective.
  /// @param held  by this rank
  std::vector<std::uint64_t> rows(std::uint64_t held) {
    const std::uint64_t mine = has_own_ ? held : 0;
    std::vector<std::uint64_t> all;
    for (const Bytes& bytes : ranks_.all_gather(std::as_bytes(std::span(&mine, 1)))) {
      const auto of_rank = ByteReader(bytes).get<std::uint64_t>();
      if (of_rank != 0) all.push_back(of_rank);
    }
    return all;
  }

  /// The next partition. Collective.
  void hand_on(Storage::Partition& partition) {
    const std::size_t number = next_++;
    if (has_own_) meet_receivers(number);
    const bool is_here = has_[number] != 0;
    for (std::size_t first = 0; first < partition.size; first += words_per_message) {
      const std::size_t count = std::min(words_per_message, partition.size - first);
      Bytes message;
      std::span<const std::byte> words;
      if (is_root()) words = std::as_bytes(partition.planes.subspan(first, count));
      if (has_own_ && is_here && receivers_->size() > 1) {
        message = receivers_->broadcast(Bytes(words.begin(), words.end()), 0);
        words = message;
      }
      on_all(ranks_, [&] {
        if (has_own_ && is_here) place(words, partition, first);
      });
    }
    if (memory_ == nullptr || !is_here) return;
    const auto* const shared = reinterpret_cast<const std::uint64_t*>(memory_->bytes().data());
    partition.replace({shared + begin_, partition.size});
    begin_ += partition.size;
  }

 private:
  bool is_root() const noexcept { return ranks_.rank() == 0; }

  /// Collective over the owners.
  void meet_receivers(std::size_t partition) {
    const bool as_before =
        partition > 0 && std::all_of(owned_.begin(), owned_.end(), [&](const Bytes& marks) {
          return marks[partition] == marks[partition - 1];
        });
    if (!as_before) receivers_ = owners_->split(has_[partition] != 0 ? 0 : 1);
  }

  void place(std::span<const std::byte> words, Storage::Partition& partition, std::size_t first) {
    if (memory_ != nullptr) {
      memory_->write((begin_ + first) * sizeof(std::uint64_t), words);
    } else if (!is_root()) {
      if (first == 0) partition.allocate();
      std::memcpy(partition.own.data() + first, words.data(), words.size());
    }
  }

  Communicator& ranks_;
  Marks has_;                                // of the copy that this rank uses
  std::shared_ptr<HostMemory> memory_;       // of this host; null: each rank's copy is its own
  bool has_own_;                             // this rank writes a copy
  std::unique_ptr<Communicator> owners_;     // of copies, rank 0 among them
  std::vector<Bytes> owned_;                 // [owner] its Marks
  std::unique_ptr<Communicator> receivers_;  // of the partition that is next, rank 0 among them
  std::size_t next_ = 0;                     // partition
  std::size_t begin_ = 0;                    // of its planes, in words of the memory
};

}  // namespace

SharedDataset share(std::optional<Dataset> of_root, Communicator& ranks, const RowShare& needed,
                    int host) {
  if (ranks.size() == 1) {
    const std::uint64_t rows = of_root->rows();
    return {std::move(*of_root), {rows}};
  }
  std::unique_ptr<Storage> storage;
  Bytes tables;
  on_root(ranks, [&] {
    storage = std::move(of_root->storage_);
    tables = encoded_tables(*storage);
  });
  tables = ranks.broadcast(std::move(tables), 0);
  on_all(ranks, [&] {
    if (storage == nullptr) storage = decoded_tables(tables);
  });
  const auto neighbours = ranks.split(host);
  Copies copies(*storage, needed, ranks, *neighbours);
  for (Storage::Partition& partition : storage->partitions) copies.hand_on(partition);
  storage->shared = copies.memory();
  Dataset dataset(std::move(storage));
  std::vector<std::uint64_t> rows = copies.rows(dataset.rows_held());
  return {std::move(dataset), std::move(rows)};
}

namespace {

/// Makes a table of these rows with the attributes of the whole.
Dataset rows_alone(const Dataset& dataset, std::span<const std::uint64_t> rows) {
  const auto attributes = dataset.attributes();
  DatasetBuilder builder({attributes.begin(), attributes.end()}, kept_partition_rows);
  while (!rows.empty()) {
    const auto some = rows.first(std::min<std::size_t>(rows.size(), kept_partition_rows));
    rows = rows.subspan(some.size());
    std::vector<std::vector<std::uint32_t>> columns;
    for (std::uint32_t a = 0; a < attributes.size(); ++a)
      columns.push_back(codes_of(dataset, a, some));
    const std::vector<std::span<const std::uint32_t>> codes(columns.begin(), columns.end());
    builder.append(some.size(), codes);
  }
  return builder.finish(dataset.fingerprint());
}

}  // namespace

void keep_rows(Dataset& dataset, std::vector<std::uint64_t> rows, Communicator& ranks, int host) {
  std::optional<Dataset> of_root;
  on_root(ranks, [&] { of_root = rows_alone(dataset, rows); });
  SharedDataset shared = share(std::move(of_root), ranks, {}, host);
  if (dataset.rows_held() == dataset.rows()) return;
  dataset.storage_->kept =
      std::make_unique<KeptRows>(KeptRows{std::move(rows), std::move(shared.dataset)});
}

}  // namespace atl
