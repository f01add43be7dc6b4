#include "io/tables/columns/column_profile.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <queue>

#include "io/tables/values/written_number.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

constexpr std::size_t write_bytes = std::size_t{1} << 20;
constexpr std::size_t read_bytes = std::size_t{1} << 14;

// A record is the token's length (u32), its rows (u64) and its bytes.
constexpr std::size_t header_bytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);

class RunReader {
 public:
  RunReader(const TemporaryFile& file, std::uint64_t begin, std::uint64_t end)
      : file_(&file), next_(begin), end_(end) {}

  /// Goes to the next token. False at the end of the run.
  bool advance() {
    if (started_) at_ += header_bytes + token_size_;
    started_ = true;
    token_size_ = 0;
    if (!fill(header_bytes)) return false;
    std::uint32_t length;
    std::memcpy(&length, buffer_.data() + at_, sizeof length);
    std::memcpy(&rows_, buffer_.data() + at_ + sizeof length, sizeof rows_);
    fill(header_bytes + length);
    token_size_ = length;
    return true;
  }
  std::string_view token() const { return {buffer_.data() + at_ + header_bytes, token_size_}; }
  std::uint64_t rows() const { return rows_; }

 private:
  /// Has `count` bytes from at_ on in the buffer; false if the run has none left.
  bool fill(std::size_t count) {
    if (buffer_.size() - at_ >= count) return true;
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = 0;
    if (next_ == end_ && buffer_.empty()) return false;
    const std::size_t kept = buffer_.size();
    const std::size_t wanted = std::max(count - kept, read_bytes);
    const std::size_t got = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, end_ - next_));
    buffer_.resize(kept + got);
    file_->read(next_, buffer_.data() + kept, got);
    next_ += got;
    return true;
  }

  const TemporaryFile* file_;
  std::uint64_t next_, end_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t token_size_ = 0;
  std::uint64_t rows_ = 0;
  bool started_ = false;
};

void put(std::string& block, std::string_view token, std::uint64_t rows) {
  const auto length = static_cast<std::uint32_t>(token.size());
  block.append(reinterpret_cast<const char*>(&length), sizeof length);
  block.append(reinterpret_cast<const char*>(&rows), sizeof rows);
  block.append(token);
}

const char* one_kind(AttributeKind kind) noexcept {
  if (kind == AttributeKind::date) return "a date without a time";
  return kind == AttributeKind::date_time ? "a date with a time, no zone"
                                          : "a date with a time and its zone";
}

bool is_integer(std::string_view token) noexcept {
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) token.remove_prefix(1);
  return are_digits(token);
}

/// Does an integer have a leading zero, as codes and identifiers do and numbers do not?
bool has_leading_zero(std::string_view token) noexcept {
  if (!is_integer(token)) return false;
  if (token.front() == '-' || token.front() == '+') token.remove_prefix(1);
  return token.size() > 1 && token.front() == '0';
}

/// Is it beyond 2^53, up to where every integer is a double? @pre is_integer(token)
bool is_inexact(std::string_view token) noexcept {
  if (token.front() == '-' || token.front() == '+') token.remove_prefix(1);
  std::uint64_t value = 0;
  const auto result = std::from_chars(token.data(), token.data() + token.size(), value);
  return result.ec != std::errc() || value > (std::uint64_t{1} << 53);
}

}  // namespace

void TokenRuns::spill(TokenMap& map, TemporaryFile& file) {
  const std::uint64_t begin = file.size();
  std::string block;
  for (const std::uint32_t id : map.sorted()) {
    put(block, map.text(id), map.rows(id));
    if (block.size() >= write_bytes) {
      file.append(block.data(), block.size());
      block.clear();
    }
  }
  file.append(block.data(), block.size());
  runs_.push_back({begin, file.size()});
  map.clear();
}

void TokenRuns::merge(const TemporaryFile& file, const TokenVisitor& visit) const {
  std::vector<RunReader> readers;
  for (const Run& run : runs_) readers.emplace_back(file, run.begin, run.end);
  const auto later = [&](std::size_t a, std::size_t b) {
    return readers[a].token() > readers[b].token();
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> queue(later);
  for (std::size_t i = 0; i < readers.size(); ++i) {
    if (readers[i].advance()) queue.push(i);
  }
  std::string token;
  while (!queue.empty()) {
    token.assign(readers[queue.top()].token());
    std::uint64_t rows = 0;
    while (!queue.empty() && readers[queue.top()].token() == token) {
      const std::size_t i = queue.top();
      queue.pop();
      rows += readers[i].rows();
      if (readers[i].advance()) queue.push(i);
    }
    visit(token, rows);
  }
}

void DateEvidence::observe(std::string_view token, const std::string& file, std::uint64_t line,
                           std::size_t column) {
  if (!all_) return;
  const std::optional<Moment> moment = parse_date(token);
  if (!moment && take_word(token)) return;
  if (!moment) {
    all_ = false;
    no_date_ = token;
    no_date_line_ = line;
    return;
  }
  if (!kind_) {
    kind_ = moment->kind;
    first_ = token;
    first_line_ = line;
  }
  if (misfit_ || (moment->kind == *kind_ && moment->flaw == nullptr)) return;
  const std::string expected = moment->kind == *kind_
                                   ? moment->flaw
                                   : std::string(one_kind(*kind_)) + ", as " + in_quotes(first_) +
                                         " in line " + std::to_string(first_line_);
  misfit_.emplace(file, line, column + 1, std::string(token), expected);
}

bool DateEvidence::take_word(std::string_view token) {
  if (!usual_words_ || !is_usual_no_value(token)) return false;
  if (std::find(words_.begin(), words_.end(), token) != words_.end()) return true;
  if (words_.size() == most_words) return false;
  words_.emplace_back(token);
  return true;
}

std::optional<AttributeKind> DateEvidence::kind(const std::string& options) const {
  if (!all_ || !kind_) return std::nullopt;
  if (misfit_) {
    throw BadCell(misfit_->file, misfit_->line, misfit_->column, misfit_->found,
                  misfit_->expected + " (" + options + "nominal takes dates as labels)");
  }
  return kind_;
}

void ColumnProfile::add(const RowBlock& block, std::size_t columns, const std::string& file) {
  file_ = &file;
  const std::uint64_t* line = block.lines.data();
  visit_keys(tokens, block.fields.data() + column_, columns, block.rows,
             [&](std::uint64_t key, std::string_view token) {
               std::uint32_t id = tokens.find(key, token);
               if (id == TokenMap::none) {
                 observe(token, *line, file);
                 id = tokens.add(key, token);
               }
               tokens.count(id);
               ++line;
             });
}

void ColumnProfile::observe(std::string_view token, std::uint64_t line, const std::string& file) {
  if (plan_->is_missing(token)) return;
  if (!plan_->allowed.empty() && plan_->allowed.count(token) == 0 &&
      plan_->same_number(token) == nullptr) {
    const std::vector<std::string> labels(plan_->allowed.begin(), plan_->allowed.end());
    throw BadCell(file, line, column_ + 1, std::string(token),
                  "one of " + listed(labels) + ", as " + plan_->source + " says");
  }
  if (!plan_->kind) dates.observe(token, file, line, column_);
  if (is_date(reader_.kind) && !reader_.value(token)) {
    if (dates.take_word(token)) return;
    throw BadCell(file, line, column_ + 1, std::string(token),
                  reader_.expected(token) + ", as " + plan_->source + " says");
  }
  const bool may_be_numeric =
      plan_->kind.value_or(AttributeKind::numeric) == AttributeKind::numeric;
  if (may_be_numeric) {
    const std::optional<double> value = parse_number(token);
    if (value && leading_zero.empty() && has_leading_zero(token)) {
      leading_zero = token;
      leading_zero_line = line;
    }
    if (value && !numbers.ended()) observe_number(token, *value);
    if (value && integers) {
      numbers.observe_integer();
    } else {
      numbers.observe(token, value.has_value(), line);
    }
    if (plan_->kind && numbers.ended()) {
      throw BadCell(
          file, line, column_ + 1, std::string(token),
          "a number, as " + plan_->source + " says" +
              (plan_->needed ? "; " + plan_->option_prefix + "missing names what means \"no value\""
                             : ""));
    }
  }
  any = true;
}

std::vector<std::string> ColumnProfile::words_without_value(AttributeKind kind) const {
  std::vector<std::string> words;
  if (kind == AttributeKind::numeric) {
    for (const NumberEvidence::Place& word : numbers.words()) words.push_back(word.token);
  } else if (is_date(kind)) {
    words = dates.words();
  }
  return words;
}

void ColumnProfile::expect_numbers() const {
  if (numbers.numbers() || !any) return;
  const NumberEvidence::Place& place = numbers.doubtful();
  throw BadCell(
      *file_, place.line, column_ + 1, place.token,
      "a number, as " + plan_->source + " says" +
          (numbers.doubt() == NumberEvidence::Doubt::either_mark
               ? "; " + plan_->option_prefix + "decimal says whether a comma is the decimal mark"
               : ""));
}

void ColumnProfile::observe_number(std::string_view token, double value) {
  integers = integers && is_integer(token);
  inexact = inexact || (integers && is_inexact(token));
  low = any_number_ ? std::min(low, value) : value;
  high = any_number_ ? std::max(high, value) : value;
  ascending = ascending && (!any_number_ || value > previous_);
  descending = descending && (!any_number_ || value < previous_);
  any_number_ = true;
  previous_ = value;
}

}  // namespace atl::io
