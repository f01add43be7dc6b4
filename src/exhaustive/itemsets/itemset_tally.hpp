// Numbers of frequent itemsets, as the miner adds them up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace atl {

/// Sets counted by their length. Perfect extensions, items that all transactions of a set have, are
/// not spelt out: a set with p of them stands for the 2^p sets that have some of them, too.
class ItemsetTally {
 public:
  /// @param perfect  extensions of each of the sets  @param length  without them
  void add(std::size_t perfect, std::size_t length, std::uint64_t sets) {
    row(sets_, perfect, length)[length] += sets;
  }

  /// Adds to counts, one in each lane of a vector of 16-, 32- or 64-bit numbers: lane l counts sets
  /// of length + popcount(l). To join lanes only at the end saves the time that this takes.
  /// @param most  the greatest number that the vector may have in a lane, below 100
  /// @return where the lanes are, for the caller to add to; aligned to 64 bytes
  template <typename T>
  T* lanes(std::size_t perfect, std::size_t length, std::uint32_t most) {
    Lanes& found = row(lanes_[sizeof(T) / 4], perfect, length)[length];
    if (found.load + most > most_load) empty<T>(found, perfect, length);
    found.load += most;
    return reinterpret_cast<T*>(found.bytes.data());
  }

  /// Adds what another counted.
  void add(ItemsetTally& other);

  struct Entry {
    std::uint64_t perfect, length, sets;
  };
  /// All that was counted, as add() takes it.
  std::vector<Entry> entries();

  /// [lengths + 1] numbers of sets by length, from 0 to the longest; at most 2^64 - 1 each.
  std::vector<std::uint64_t> by_length();

 private:
  struct Lanes {
    alignas(64) std::array<unsigned char, 64> bytes{};
    std::uint32_t load = 0;  ///< no lane has more
  };
  static constexpr std::uint32_t most_load = 65535;

  template <typename Cell>
  static std::vector<Cell>& row(std::vector<std::vector<Cell>>& table, std::size_t perfect,
                                std::size_t length) {
    if (table.size() <= perfect) table.resize(perfect + 1);
    std::vector<Cell>& row = table[perfect];
    if (row.size() <= length) row.resize(length + 8);
    return row;
  }
  template <typename T>
  void empty(Lanes& lanes, std::size_t perfect, std::size_t length);
  template <typename T>
  void empty_all();
  void empty_all_lanes();

  std::vector<std::vector<std::uint64_t>> sets_;          // [perfect][length]
  std::array<std::vector<std::vector<Lanes>>, 3> lanes_;  // by bytes of a lane / 4
};

}  // namespace atl
