#include "io/transactions/fimi_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/tables/table_reader.hpp"
#include "io/tables/text_buffer.hpp"
#include "src/core/error.hpp"
#include "src/core/near_names.hpp"

namespace atl::io {
namespace {

constexpr std::uint32_t no_item = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_entries = no_item - 1;

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

/// Items by the numbers that a file calls them, in the order of their first appearance.
class ItemNumbers {
 public:
  std::uint32_t item(std::uint32_t number) {
    if (number >= small_numbers)
      return found(large_.try_emplace(number, no_item).first->second, number);
    if (number >= small_.size()) {
      const std::size_t room = std::max<std::size_t>(number + std::size_t{1}, 2 * small_.size());
      small_.resize(std::min<std::size_t>(room, small_numbers), no_item);
    }
    return found(small_[number], number);
  }
  const std::vector<std::uint32_t>& numbers() const noexcept { return numbers_; }

 private:
  static constexpr std::uint32_t small_numbers = 1U << 18;

  std::uint32_t found(std::uint32_t& item, std::uint32_t number) {
    if (item == no_item) {
      item = static_cast<std::uint32_t>(numbers_.size());
      numbers_.push_back(number);
    }
    return item;
  }

  std::vector<std::uint32_t> small_;
  std::unordered_map<std::uint32_t, std::uint32_t> large_;
  std::vector<std::uint32_t> numbers_;
};

class FimiReader {
 public:
  FimiReader(std::unique_ptr<TextSource> source, const std::string& name)
      : text_(std::move(source), max_row_bytes), name_(name) {}

  TransactionSet read(const Report& report) {
    for (;;) {
      read_lines();
      if (ended_) break;
      read_more();
    }
    return finish(report);
  }

 private:
  /// The whole lines of the window.
  void read_lines() {
    for (const char* line = text_.begin();;) {
      const auto left = static_cast<std::size_t>(text_.end() - line);
      const auto* const end =
          left == 0 ? nullptr : static_cast<const char*>(std::memchr(line, '\n', left));
      if (end == nullptr) return text_.consume(line);
      read_line({line, static_cast<std::size_t>(end - line)});
      line = end + 1;
    }
  }

  void read_more() {
    switch (text_.more()) {
      case MoreText::grown:
        return;
      case MoreText::end:
        if (text_.begin() != text_.end()) {
          text_.end_line();
          read_lines();
        }
        ended_ = true;
        return;
      case MoreText::fault: {
        read_lines();
        const auto column = static_cast<std::uint64_t>(text_.end() - text_.begin()) + 1;
        throw BadCell(name_, line_, column, std::string(1, text_.faulty_byte()),
                      text_.expected_text());
      }
      case MoreText::full:
        throw BadCell(name_, line_, 1, "a line of more than 64 MiB", "one of at most 64 MiB");
    }
  }

  void read_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t first = items_.size();
    const char* at = line.data();
    const char* const end = at + line.size();
    bool sorted = true;
    while (true) {
      while (at < end && is_blank(*at)) ++at;
      if (at == end) break;
      std::uint32_t number = 0;
      const auto [stop, error] = std::from_chars(at, end, number);
      if (error != std::errc() || (stop < end && !is_blank(*stop))) {
        const char* const token_end = std::find_if(at, end, is_blank);
        throw BadCell(name_, line_, static_cast<std::uint64_t>(at - line.data()) + 1,
                      {at, static_cast<std::size_t>(token_end - at)},
                      "the number of an item, from 0 to 4294967295");
      }
      const std::uint32_t item = numbers_.item(number);
      sorted = sorted && (items_.size() == first || items_.back() < item);
      items_.push_back(item);
      at = stop;
    }
    if (!sorted) join_equal(first);
    if (items_.size() == first) ++empty_;
    if (items_.size() > most_entries || starts_.size() > most_entries) {
      throw BadData(name_, "has more than 4294967294 transactions or items in them");
    }
    starts_.push_back(items_.size());
    ++line_;
  }

  void join_equal(std::size_t first) {
    const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, items_.end());
    const auto end = std::unique(begin, items_.end());
    if (end == items_.end()) return;
    if (repeated_ == 0) first_repeated_ = line_;
    repeated_ += static_cast<std::uint64_t>(items_.end() - end);
    items_.erase(end, items_.end());
  }

  TransactionSet finish(const Report& report) {
    const std::vector<std::uint32_t>& numbers = numbers_.numbers();
    std::vector<std::uint32_t> order(numbers.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t item) { return numbers[item]; });
    std::vector<std::uint32_t> place(order.size());
    std::vector<std::string> names(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
      names[i] = std::to_string(numbers[order[i]]);
    }
    for (std::uint32_t& item : items_) item = place[item];
    for (std::size_t t = 0; t + 1 < starts_.size(); ++t) {
      std::sort(items_.begin() + static_cast<std::ptrdiff_t>(starts_[t]),
                items_.begin() + static_cast<std::ptrdiff_t>(starts_[t + 1]));
    }
    if (repeated_ > 0) {
      report(Severity::warning,
             name_ + ": " + counted(repeated_, "item") +
                 " too many: they stand in their transaction before (first in line " +
                 std::to_string(first_repeated_) + "); each counts once");
    }
    if (empty_ > 0) {
      report(Severity::info,
             name_ + ": " + counted(empty_, "empty line") + ", each a transaction without items");
    }
    return {std::move(names), std::move(starts_), std::move(items_)};
  }

  TextBuffer text_;
  std::string name_;
  std::uint64_t line_ = 1;
  bool ended_ = false;
  ItemNumbers numbers_;
  std::vector<std::uint64_t> starts_{0};
  std::vector<std::uint32_t> items_;
  std::uint64_t repeated_ = 0, first_repeated_ = 0, empty_ = 0;
};

}  // namespace

TransactionSet read_fimi(std::unique_ptr<TextSource> source, const std::string& name,
                         const Report& report) {
  return FimiReader(std::move(source), name).read(report);
}

}  // namespace atl::io
