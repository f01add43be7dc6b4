#include "io/transactions/basket_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>
#include <vector>

#include "io/transactions/line_reader.hpp"
#include "io/transactions/other_texts.hpp"
#include "io/transactions/transaction_builder.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/data/attribute.hpp"
#include "src/rules/item_text.hpp"

namespace atl::io {
namespace {

constexpr std::string_view basket_delimiters = "\t;|,";

class BasketReader {
 public:
  BasketReader(char delimiter, const std::string& name, TransactionSink& sink)
      : delimiter_(delimiter), name_(name), builder_(name, sink) {}

  void read_line(std::string_view line, std::uint64_t number) {
    line_ = line;
    at_ = 0;
    number_ = number;
    if (!comments_.begun()) {
      if (is_comment(line)) return comments_.pass_over(number);
      if (std::all_of(line.begin(), line.end(), is_blank)) return comments_.hold_back();
      begin();
    }
    note_mark();
    while (true) {
      skip_blanks();
      if (at_ == line_.size()) break;
      const std::size_t begin = at_;
      const std::string_view item = line_[at_] == '"' ? quoted() : plain();
      if (item.size() > longest_text) {
        throw BadCell(name_, number_, begin + 1, "a name of more than 64 KiB", "a name of an item");
      }
      if (!item.empty()) builder_.add(items_.of(item));
      if (at_ < line_.size() && line_[at_] == delimiter_) ++at_;
    }
    builder_.end_transaction(number);
  }

  ItemNames finish(const Report& report) {
    if (!comments_.begun()) begin();
    comments_.tell(name_, report);
    if (marked_ > 0 && (like_comments_ || 2 * marked_ < lines_)) {
      report(Severity::warning,
             name_ + ": " + counted(marked_, "transaction") + " begin" + (marked_ == 1 ? "s" : "") +
                 " with # or % (" + (marked_ == 1 ? "" : "first ") + "line " +
                 std::to_string(first_marked_) + "): comments are passed over before the first " +
                 "transaction alone; take out what is none");
    }
    std::vector<std::string> names = items_.names();
    const std::vector<std::uint32_t> order = order_of_bytes(names);
    for (std::string& item : names) item = item_text(item);
    return builder_.finish(std::move(names), order, report);
  }

 private:
  void begin() {
    for (std::uint64_t empty = comments_.begin(); empty > 0; --empty) builder_.end_transaction(0);
  }

  /// It may be an item's name, or a comment.
  void note_mark() {
    ++lines_;
    if (line_.empty() || (line_[0] != '#' && line_[0] != '%')) return;
    if (marked_++ == 0) first_marked_ = number_;
    like_comments_ = like_comments_ || is_comment(line_);
  }

  /// A tab is none where it is the delimiter.
  void skip_blanks() noexcept {
    while (at_ < line_.size() && is_blank(line_[at_]) &&
           (line_[at_] != delimiter_ || delimiter_ == blanks)) {
      ++at_;
    }
  }
  bool ends_item(char c) const noexcept {
    return delimiter_ == blanks ? is_blank(c) : c == delimiter_;
  }

  std::string_view plain() noexcept {
    const std::size_t begin = at_;
    while (at_ < line_.size() && !ends_item(line_[at_])) ++at_;
    std::size_t end = at_;
    while (end > begin && is_blank(line_[end - 1])) --end;
    return line_.substr(begin, end - begin);
  }

  std::string_view quoted() {
    const std::size_t begin = at_++;
    text_.clear();
    while (true) {
      const std::size_t quote = line_.find('"', at_);
      if (quote == std::string_view::npos) {
        throw BadCell(name_, number_, begin + 1, std::string(line_.substr(begin)),
                      "a closing quote in the same line");
      }
      text_ += line_.substr(at_, quote - at_);
      at_ = quote + 1;
      if (at_ == line_.size() || line_[at_] != '"') break;
      text_ += '"';
      ++at_;
    }
    const std::size_t behind = at_;
    skip_blanks();
    const bool apart =
        delimiter_ == blanks ? at_ > behind : at_ < line_.size() && ends_item(line_[at_]);
    if (at_ < line_.size() && !apart) {
      throw BadCell(name_, number_, at_ + 1, std::string(line_.substr(at_)),
                    "the delimiter behind a closing quote");
    }
    return text_;
  }

  const char delimiter_;
  const std::string name_;
  TransactionBuilder builder_;
  NameNumbers items_;
  std::string_view line_;  // being read
  std::size_t at_ = 0;     // in it
  std::uint64_t number_ = 0;
  std::string text_;
  Comments comments_;
  std::uint64_t lines_ = 0, marked_ = 0, first_marked_ = 0;  // behind the comments
  bool like_comments_ = false;
};

bool is_number_line(std::string_view line) noexcept {
  return std::all_of(line.begin(), line.end(),
                     [](char c) { return (c >= '0' && c <= '9') || is_blank(c) || c == '\r'; });
}

bool has_digit(std::string_view line) noexcept {
  return line.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace

ItemNames read_baskets(std::unique_ptr<TextSource> source, char delimiter, const std::string& name,
                       const Report& report, TransactionSink& sink) {
  BasketReader reader(delimiter, name, sink);
  for_each_line(std::move(source), name, [&](std::string_view line, std::uint64_t number) {
    reader.read_line(line, number);
  });
  return reader.finish(report);
}

char basket_delimiter(std::string_view start) noexcept {
  std::array<std::size_t, basket_delimiters.size()> lines{};
  while (!start.empty()) {
    const std::string_view line = start.substr(0, start.find('\n'));
    for (std::size_t d = 0; d < basket_delimiters.size(); ++d) {
      lines[d] += line.find(basket_delimiters[d]) != std::string_view::npos ? 1U : 0U;
    }
    start.remove_prefix(std::min(line.size() + 1, start.size()));
  }
  const auto most = std::max_element(lines.begin(), lines.end());
  return *most == 0 ? blanks : basket_delimiters[static_cast<std::size_t>(most - lines.begin())];
}

bool looks_like_table(std::string_view start, char delimiter) noexcept {
  std::size_t lines = 0;
  std::ptrdiff_t columns = 0;  // less one
  for (std::size_t end = 0; (end = start.find('\n')) != std::string_view::npos; ++lines) {
    const std::ptrdiff_t here =
        std::count(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(end), delimiter);
    if (here == 0 || (lines > 0 && here != columns)) return false;
    columns = here;
    start.remove_prefix(end + 1);
  }
  return lines >= 3;
}

bool looks_like_lists(std::string_view start, char delimiter) {
  std::set<std::ptrdiff_t> numbers;
  for (std::size_t end = 0; (end = start.find('\n')) != std::string_view::npos;) {
    numbers.insert(
        std::count(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(end), delimiter));
    if (numbers.size() == 3) return true;
    start.remove_prefix(end + 1);
  }
  return false;
}

bool looks_like_fimi(std::string_view start) noexcept {
  bool begun = false;
  bool comments = false;
  bool tabs = false;           // between numbers
  bool names_columns = false;  // a comment with tabs may do so
  while (!start.empty()) {
    const std::string_view line = start.substr(0, start.find('\n'));
    start.remove_prefix(std::min(line.size() + 1, start.size()));
    const bool tab = line.find('\t') != std::string_view::npos;
    if (is_number_line(line)) {
      begun = begun || has_digit(line);
      tabs = tabs || tab;
    } else if (is_comment_of_numbers(line, begun)) {
      comments = true;
      names_columns = names_columns || tab;
    } else {
      return false;
    }
  }
  return (begun || !comments) && !(tabs && names_columns);
}

bool lists_numbers(std::string_view start) noexcept {
  if (!looks_like_fimi(start) || begins_as_arff(start)) return false;
  bool ascending = true;
  bool even = true;
  std::size_t most = 0;
  for (bool first = true; !start.empty();) {
    const bool cut = start.find('\n') == std::string_view::npos;
    std::string_view line = start.substr(0, start.find('\n'));
    start.remove_prefix(std::min(line.size() + 1, start.size()));
    if (cut && !first) break;
    if (!is_number_line(line)) continue;
    std::size_t numbers = 0;
    for (std::uint64_t before = 0;; ++numbers) {
      line.remove_prefix(std::min(line.find_first_of("0123456789"), line.size()));
      if (line.empty()) break;
      std::uint64_t number = 0;
      const auto end = std::from_chars(line.data(), line.data() + line.size(), number).ptr;
      line.remove_prefix(static_cast<std::size_t>(end - line.data()));
      ascending = ascending && (numbers == 0 || before < number);
      before = number;
    }
    even = even && (first || numbers == most);
    most = std::max(most, numbers);
    first = false;
  }
  return most > 1 && (ascending || !even);
}

std::size_t lists_of_numbers(std::string_view start) noexcept {
  std::size_t lines = 0;
  std::size_t size = 0;  // of these lines
  bool begun = false;
  while (size < start.size()) {
    const std::string_view line = start.substr(size, start.find('\n', size) - size);
    if (!is_number_line(line) && !is_comment_of_numbers(line, begun)) break;
    begun = begun || (is_number_line(line) && has_digit(line));
    size = std::min(size + line.size() + 1, start.size());
    ++lines;
  }
  return lists_numbers(start.substr(0, size)) ? lines : 0;
}

std::string start_of(TextSource& source) {
  std::string start(start_bytes, '\0');
  std::size_t size = 0;
  while (size < start.size()) {
    const std::size_t more = source.read(start.data() + size, start.size() - size);
    if (more == 0) break;
    size += more;
  }
  start.resize(size);
  if (start.starts_with(byte_order_mark)) start.erase(0, byte_order_mark.size());
  return start;
}

}  // namespace atl::io
