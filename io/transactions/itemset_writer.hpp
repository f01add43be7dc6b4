#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/data/transactions/itemset_sink.hpp"

namespace atl::io {

/// Writes itemsets in the form of the FIMI repository, a line each: the names of the items, then
/// the support in parentheses. Takes less than 1 MiB, whatever the number of sets.
class ItemsetWriter final : public ItemsetText {
 public:
  /// @param names  [items]; must outlive it
  /// @param write  takes the text, in pieces
  ItemsetWriter(const std::vector<std::string>& names, std::function<void(std::string_view)> write);

  void add(std::uint32_t item) override;
  void remove() override;
  void found(std::uint32_t support) override;
  void found(const ItemsetBlock& block) override;
  std::uint64_t finish() override;

 private:
  // Texts are copied by pieces of this size, so there is room for one behind each.
  static constexpr std::size_t piece = 16;

  struct Support {
    std::uint32_t support = 0;
    std::uint32_t size = 0;  // 0: not yet made
    std::array<char, 16> text;
  };
  /// The texts of all sets of four items.
  struct Texts {
    std::array<std::uint32_t, 4> items{};
    std::size_t count = 0;
    std::vector<char> text;  // [16][text_room_]
    std::array<std::size_t, 16> size{};
  };

  static void copy(char* to, const char* from, std::size_t size) noexcept;
  void append_name(std::uint32_t item);
  void make_texts(Texts& texts, std::span<const std::uint32_t> items) const;
  static void make(Support& made, std::uint32_t support);
  const Support& support_text(std::uint32_t support);
  void write_line(const char* text, std::size_t size, std::uint32_t support);
  void flush();

  const std::vector<std::string>& names_;
  std::function<void(std::string_view)> write_;
  std::size_t text_room_;  // for the names of four items, and a piece
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  std::uint64_t sets_ = 0;
  std::vector<char> prefix_;           // and a piece
  std::vector<std::size_t> sizes_{0};  // of the prefix, by its length
  std::vector<Support> supports_;      // the last made, by their lowest bits
  Texts low_, high_;
};

}  // namespace atl::io
