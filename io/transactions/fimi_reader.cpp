#include "io/transactions/fimi_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "io/transactions/line_reader.hpp"
#include "io/transactions/transaction_builder.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/data/attribute.hpp"
#include "src/rules/item_text.hpp"

namespace atl::io {
namespace {

constexpr std::uint32_t no_item = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view naming = "@ITEM=";

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
  // Looked up at once, in at most 16 MB; the others by their hashes, for six times as long.
  static constexpr std::uint32_t small_numbers = 1U << 22;

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
  FimiReader(const std::string& name, TransactionSink& sink) : name_(name), builder_(name, sink) {}

  void read_line(std::string_view line, std::uint64_t number) {
    const char* at = line.data();
    const char* const end = at + line.size();
    while (at < end && is_blank(*at)) ++at;
    if (at < end && is_comment_mark(*at)) {
      return comment(line.substr(static_cast<std::size_t>(at - line.data())), number);
    }
    if (!comments_.begun()) {
      if (at == end) return comments_.hold_back();
      begin();
    }
    while (true) {
      while (at < end && is_blank(*at)) ++at;
      if (at == end) break;
      std::uint32_t item = 0;
      const auto [stop, error] = std::from_chars(at, end, item);
      if (error != std::errc() || (stop < end && !is_blank(*stop))) {
        const char* const token_end = std::find_if(at, end, is_blank);
        throw BadCell(name_, number, static_cast<std::uint64_t>(at - line.data()) + 1,
                      {at, static_cast<std::size_t>(token_end - at)},
                      "the number of an item, from 0 to 4294967295");
      }
      builder_.add(numbers_.item(item));
      at = stop;
    }
    builder_.end_transaction(number);
  }

  ItemNames finish(const Report& report) {
    if (!comments_.begun()) begin();
    comments_.tell(name_, report);
    if (!named_.empty()) {
      report(Severity::info,
             name_ + ": " + counted(named_.size(), "item") + " named by lines of @ITEM=");
    }
    const std::vector<std::uint32_t>& numbers = numbers_.numbers();
    std::vector<std::string> names;
    names.reserve(numbers.size());
    for (const std::uint32_t number : numbers) names.push_back(name_of(number));
    if (!named_.empty()) expect_distinct(names);
    std::vector<std::uint32_t> order(numbers.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t item) { return numbers[item]; });
    return builder_.finish(std::move(names), order, report);
  }

 private:
  void begin() {
    for (std::uint64_t empty = comments_.begin(); empty > 0; --empty) builder_.end_transaction(0);
  }

  /// SPMF's @ITEM=1=milk, which names an item, is no comment.
  void comment(std::string_view line, std::uint64_t number) {
    if (!line.starts_with(naming)) return comments_.pass_over(number);
    comments_.note_header();
    const std::string_view rest = line.substr(naming.size());
    // Items are read with another width: the compiler inlines what has one use alone.
    std::uint64_t item = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), item);
    const auto digits = static_cast<std::size_t>(stop - rest.data());
    const bool is_named = error == std::errc() &&
                          item <= std::numeric_limits<std::uint32_t>::max() &&
                          digits + 1 < rest.size() && rest[digits] == '=';
    const std::string_view name = is_named ? rest.substr(digits + 1) : std::string_view();
    if (!is_named || name.size() > longest_text ||
        !named_.try_emplace(static_cast<std::uint32_t>(item), name).second) {
      throw BadCell(name_, number, 1, std::string(line.substr(0, 100)),
                    "@ITEM=NUMBER=NAME, once for each number");
    }
  }

  std::string name_of(std::uint32_t number) const {
    const auto named = named_.find(number);
    return named == named_.end() ? std::to_string(number) : item_text(named->second);
  }

  void expect_distinct(const std::vector<std::string>& names) const {
    std::set<std::string_view> distinct;
    for (const std::string& name : names) {
      if (!distinct.insert(name).second) {
        throw BadData(name_, "two items have the name " + in_quotes(name) + " by lines of @ITEM=");
      }
    }
  }

  const std::string name_;
  ItemNumbers numbers_;
  std::map<std::uint32_t, std::string> named_;  // by lines of @ITEM=
  Comments comments_;
  TransactionBuilder builder_;
};

}  // namespace

ItemNames read_fimi(std::unique_ptr<TextSource> source, const std::string& name,
                    const Report& report, TransactionSink& sink) {
  FimiReader reader(name, sink);
  for_each_line(std::move(source), name, [&](std::string_view line, std::uint64_t number) {
    reader.read_line(line, number);
  });
  return reader.finish(report);
}

}  // namespace atl::io
