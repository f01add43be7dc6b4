#include "io/tables/csv/csv_sample.hpp"

#include <algorithm>

namespace atl::io {
namespace {

constexpr std::size_t most_rows = 100;
constexpr std::size_t usual_bytes = std::size_t{1} << 18;
constexpr std::size_t most_bytes = std::size_t{1} << 22;
constexpr std::ptrdiff_t enough_lines = 20;

bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}

class Splitter {
 public:
  Splitter(std::string_view text, std::uint64_t line, char delimiter, char quote)
      : text_(text), line_(line), delimiter_(delimiter), quote_(quote) {}

  SampleRows split(bool whole) {
    while (at_ < text_.size() && out_.rows.size() < most_rows) read_row();
    if (!ended_ && !whole && out_.rows.size() > 1) out_.rows.pop_back();
    return std::move(out_);
  }

 private:
  void read_row() {
    if (text_.substr(at_).starts_with(byte_order_mark)) at_ += byte_order_mark.size();
    SampleRow row;
    row.line = line_;
    ended_ = false;
    const std::size_t quoted_before = out_.quoted;
    while (!ended_) {
      const bool first = row.fields.empty();
      const std::size_t quoted = out_.quoted;
      row.fields.push_back(read_field());
      if (first) row.first_quoted = out_.quoted > quoted;
      if (at_ == text_.size()) break;
      ended_ = text_[at_++] == '\n';
    }
    if (ended_) ++line_;
    row.quoted = out_.quoted - quoted_before;
    const bool blank = row.fields.size() == 1 && row.fields.front().empty() && row.quoted == 0;
    if (!blank) out_.rows.push_back(std::move(row));
  }

  /// Up to the delimiter, the line's end or that of the text.
  std::string_view read_field() {
    while (at_ < text_.size() && is_blank(text_[at_]) && text_[at_] != delimiter_) ++at_;
    if (at_ < text_.size() && text_[at_] == quote_) return read_quoted();
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') ++at_;
    return trimmed(begin, at_);
  }

  std::string_view read_quoted() {
    const std::size_t begin = ++at_;
    for (;; ++at_) {
      at_ = std::min(text_.find(quote_, at_), text_.size());
      if (text_.substr(at_, 2) != std::string{quote_, quote_}) break;
      ++at_;
    }
    const std::string_view field = text_.substr(begin, at_ - begin);
    line_ += static_cast<std::uint64_t>(std::count(field.begin(), field.end(), '\n'));
    ++out_.quoted;
    if (at_ < text_.size()) ++at_;
    const std::size_t behind = at_;
    while (at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '\n') ++at_;
    out_.well_quoted = out_.well_quoted && trimmed(behind, at_).empty();
    return field;
  }

  std::string_view trimmed(std::size_t begin, std::size_t end) const {
    if (end > begin && text_[end - 1] == '\r') --end;
    while (end > begin && is_blank(text_[end - 1])) --end;
    while (begin < end && is_blank(text_[begin])) ++begin;
    return text_.substr(begin, end - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_;
  char delimiter_, quote_;
  bool ended_ = true;  ///< the row read last has its line end
  SampleRows out_;
};

}  // namespace

TextSample sample_of(TextSource& source) {
  TextSample sample;
  std::string& text = sample.text;
  std::ptrdiff_t lines = 0;
  while (text.size() < most_bytes && (text.size() < usual_bytes || lines < enough_lines)) {
    const std::size_t before = text.size();
    text.resize(before + usual_bytes);
    const std::size_t got = source.read(text.data() + before, usual_bytes);
    text.resize(before + got);
    sample.whole = got == 0;
    if (sample.whole) break;
    lines += std::count(text.begin() + static_cast<std::ptrdiff_t>(before), text.end(), '\n');
  }
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return sample;
}

SampleRows sample_rows(std::string_view text, bool whole, std::uint64_t line, char delimiter,
                       char quote) {
  return Splitter(text, line, delimiter, quote).split(whole);
}

}  // namespace atl::io
