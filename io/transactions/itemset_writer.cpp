#include "io/transactions/itemset_writer.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <utility>

namespace atl::io {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 17;
constexpr std::size_t kept_supports = std::size_t{1} << 13;
constexpr std::size_t low_items = 4;

}  // namespace

ItemsetWriter::ItemsetWriter(const std::vector<std::string>& names,
                             std::function<void(std::string_view)> write)
    : names_(names),
      write_(std::move(write)),
      buffer_(std::make_unique_for_overwrite<char[]>(buffer_bytes)),
      prefix_(piece),
      supports_(kept_supports) {
  std::size_t longest = 0;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  text_room_ = low_items * (longest + 1) + piece;
  low_.text.resize(16 * text_room_);
  high_.text.resize(16 * text_room_);
}

inline void ItemsetWriter::copy(char* to, const char* from, std::size_t size) noexcept {
  for (std::size_t at = 0; at < size; at += piece) std::memcpy(to + at, from + at, piece);
}

void ItemsetWriter::append_name(std::uint32_t item) {
  const std::string& name = names_[item];
  const std::size_t size = sizes_.back();
  prefix_.resize(size + name.size() + 1 + piece);
  char* const end = std::copy(name.begin(), name.end(), prefix_.data() + size);
  *end = ' ';
  sizes_.push_back(size + name.size() + 1);
}

void ItemsetWriter::add(std::uint32_t item) {
  append_name(item);
}

void ItemsetWriter::remove() {
  sizes_.pop_back();
}

void ItemsetWriter::found(std::uint32_t support) {
  write_line(nullptr, 0, support);
}

/// The items of a set stand from its highest bit to its lowest.
void ItemsetWriter::make_texts(Texts& texts, std::span<const std::uint32_t> items) const {
  if (texts.count == items.size() &&
      std::ranges::equal(items, std::span(texts.items).first(items.size()))) {
    return;
  }
  texts.count = items.size();
  std::ranges::copy(items, texts.items.begin());
  for (std::size_t set = 1; set < std::size_t{1} << items.size(); ++set) {
    const auto top = static_cast<std::size_t>(std::bit_width(set)) - 1;
    const std::size_t rest = set ^ std::size_t{1} << top;
    const std::string& name = names_[items[top]];
    char* const text = texts.text.data() + set * text_room_;
    char* const end = std::copy(name.begin(), name.end(), text);
    *end = ' ';
    std::copy_n(texts.text.data() + rest * text_room_, texts.size[rest], end + 1);
    texts.size[set] = name.size() + 1 + texts.size[rest];
  }
}

void ItemsetWriter::make(Support& made, std::uint32_t support) {
  made.support = support;
  made.text[0] = '(';
  char* const end =
      std::to_chars(made.text.data() + 1, made.text.data() + made.text.size(), support).ptr;
  end[0] = ')';
  end[1] = '\n';
  made.size = static_cast<std::uint32_t>(end + 2 - made.text.data());
}

inline const ItemsetWriter::Support& ItemsetWriter::support_text(std::uint32_t support) {
  Support& made = supports_[support % kept_supports];
  if (made.support != support || made.size == 0) make(made, support);
  return made;
}

/// The prefix, a text of low_, and the support.
inline void ItemsetWriter::write_line(const char* text, std::size_t size, std::uint32_t support) {
  const std::size_t prefix = sizes_.back();
  if (used_ + prefix + size + 3 * piece > buffer_bytes) {
    flush();
    if (prefix + size + 3 * piece > buffer_bytes) {  // longer than any buffer
      write_({prefix_.data(), prefix});
      write_({text, size});
      const Support& number = support_text(support);
      write_({number.text.data(), number.size});
      ++sets_;
      return;
    }
  }
  char* const to = buffer_.get() + used_;
  copy(to, prefix_.data(), prefix);
  copy(to + prefix, text, size);
  const Support& number = support_text(support);
  std::memcpy(to + prefix + size, number.text.data(), number.text.size());
  used_ += prefix + size + number.size;
  ++sets_;
}

void ItemsetWriter::found(const ItemsetBlock& block) {
  const std::size_t low = std::min(block.items.size(), low_items);
  make_texts(low_, block.items.first(low));
  make_texts(high_, block.items.subspan(low));
  const std::size_t prefix = sizes_.back();
  const std::size_t high_sets = std::size_t{1} << (block.items.size() - low);
  for (std::size_t high = 0; high < high_sets; ++high) {
    std::uint64_t sets = block.frequent[high / 4] >> high % 4 * 16 & 0xFFFF;
    if (sets == 0) continue;
    const std::size_t size = high == 0 ? 0 : high_.size[high];
    prefix_.resize(std::max(prefix_.size(), prefix + size + piece));
    std::copy_n(high_.text.data() + high * text_room_, size, prefix_.data() + prefix);
    sizes_.back() = prefix + size;
    for (; sets != 0; sets &= sets - 1) {
      const auto set = static_cast<std::size_t>(std::countr_zero(sets));
      write_line(low_.text.data() + set * text_room_, set == 0 ? 0 : low_.size[set],
                 block.supports[high * 16 + set]);
    }
  }
  sizes_.back() = prefix;
}

void ItemsetWriter::flush() {
  if (used_ > 0) write_({buffer_.get(), used_});
  used_ = 0;
}

std::uint64_t ItemsetWriter::finish() {
  flush();
  return std::exchange(sets_, 0);
}

}  // namespace atl::io
