#include "src/data/shared_dataset.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "src/core/agreement.hpp"
#include "src/data/attribute_bytes.hpp"
#include "src/data/storage.hpp"

namespace atl {

namespace {

using Storage = Dataset::Storage;

constexpr std::size_t words_per_message = std::size_t{1} << 23;

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

/// Where the copies of the planes are.
class Copies {
 public:
  /// Collective.
  /// @param words  of the planes
  Copies(std::size_t words, Communicator& ranks, Communicator& host)
      : ranks_(ranks),
        memory_(HostMemory::make(words * sizeof(std::uint64_t), host)),
        has_own_(memory_ == nullptr || host.rank() == 0),
        owners_(ranks.split(has_own_ ? 0 : 1)) {}

  const std::shared_ptr<HostMemory>& memory() const noexcept { return memory_; }

  /// Collective.
  std::uint64_t count() {
    std::uint64_t copies = has_own_ ? 1 : 0;
    ranks_.all_reduce_sum(std::span(&copies, 1));
    return copies;
  }

  /// Collective.
  /// @param begin  of its planes, in words of the memory
  void hand_on(Storage::Partition& partition, std::size_t begin) {
    for (std::size_t first = 0; first < partition.size; first += words_per_message) {
      const std::size_t count = std::min(words_per_message, partition.size - first);
      Bytes message;
      std::span<const std::byte> words;
      if (is_root()) words = std::as_bytes(partition.planes.subspan(first, count));
      if (has_own_ && owners_->size() > 1) {
        message = owners_->broadcast(Bytes(words.begin(), words.end()), 0);
        words = message;
      }
      on_all(ranks_, [&] {
        if (has_own_) place(words, partition, begin, first);
      });
    }
    if (memory_ == nullptr) return;
    const auto* const shared = reinterpret_cast<const std::uint64_t*>(memory_->bytes().data());
    partition.replace({shared + begin, partition.size});
  }

 private:
  bool is_root() const noexcept { return ranks_.rank() == 0; }

  void place(std::span<const std::byte> words, Storage::Partition& partition, std::size_t begin,
             std::size_t first) {
    if (memory_ != nullptr) {
      memory_->write((begin + first) * sizeof(std::uint64_t), words);
    } else if (!is_root()) {
      if (first == 0) partition.allocate();
      std::memcpy(partition.own.data() + first, words.data(), words.size());
    }
  }

  Communicator& ranks_;
  std::shared_ptr<HostMemory> memory_;    // of this host; null: each rank's copy is its own
  bool has_own_;                          // this rank writes a copy
  std::unique_ptr<Communicator> owners_;  // of copies, rank 0 among them
};

}  // namespace

SharedDataset share(std::optional<Dataset> of_root, Communicator& ranks, int host) {
  if (ranks.size() == 1) return {std::move(*of_root), 1};
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
  std::size_t words = 0;
  for (const Storage::Partition& partition : storage->partitions) words += partition.size;
  const auto neighbours = ranks.split(host);
  Copies copies(words, ranks, *neighbours);
  std::size_t begin = 0;
  for (Storage::Partition& partition : storage->partitions) {
    copies.hand_on(partition, begin);
    begin += partition.size;
  }
  storage->shared = copies.memory();
  return {Dataset(std::move(storage)), copies.count()};
}

}  // namespace atl
