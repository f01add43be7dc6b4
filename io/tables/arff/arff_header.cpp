#include "io/tables/arff/arff_header.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "io/tables/arff/arff_scanner.hpp"
#include "io/tables/values/date_format.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 25> meanings = {{
    {"yyyy", "%Y"}, {"yy", "%y"}, {"M", "%m"},   {"MM", "%m"},  {"MMM", "%b"},
    {"MMMM", "%b"}, {"d", "%d"},  {"dd", "%d"},  {"H", "%H"},   {"HH", "%H"},
    {"h", "%I"},    {"hh", "%I"}, {"a", "%p"},   {"m", "%M"},   {"mm", "%M"},
    {"s", "%S"},    {"ss", "%S"}, {"SSS", "%f"}, {"XXX", "%z"}, {"Z", "%z"},
    {"X", "%z"},    {"XX", "%z"}, {"E", "%a"},   {"EEE", "%a"}, {"EEEE", "%a"},
}};

/// Empty if they mean nothing.
std::string_view meaning_of(std::string_view letters) {
  const auto* const found = std::find_if(meanings.begin(), meanings.end(),
                                         [&](const auto& entry) { return entry.first == letters; });
  return found == meanings.end() ? std::string_view() : found->second;
}

constexpr char single_quote = '\'';
constexpr std::string_view two_quotes = "''";  // are one, within quotes, too

/// Length of what begins with a quote, up to the closing one; 0 if there is none.
std::size_t quoted_length(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != single_quote) continue;
    if (text.substr(i, 2) != two_quotes) return i + 1;
    ++i;
  }
  return 0;
}

void append_literal(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == two_quotes) ++i;
    out.append(text[i] == '%' ? 2 : 1, text[i]);
  }
}

/// The format of an ARFF date, which is that of Java's SimpleDateFormat, as DateFormat takes it:
/// yyyy, yy, M, MM, MMM, MMMM, d, dd, H, HH, h, hh, a, m, mm, s, ss, SSS, X, XX, XXX, Z, E, EEE,
/// EEEE, and text in single quotes.
/// @return nothing for other letters and an unclosed quote
std::optional<std::string> date_format_of(std::string_view arff) {
  std::string out;
  while (!arff.empty()) {
    std::size_t length = 1;
    if (arff.substr(0, 2) == two_quotes) {
      out += single_quote;
      length = 2;
    } else if (arff.front() == single_quote) {
      length = quoted_length(arff);
      if (length == 0) return std::nullopt;
      append_literal(out, arff.substr(1, length - 2));
    } else if (is_letter(arff.front())) {
      length = std::min(arff.find_first_not_of(arff.front()), arff.size());
      const std::string_view meaning = meaning_of(arff.substr(0, length));
      if (meaning.empty()) return std::nullopt;
      out += meaning;
    } else {
      append_literal(out, arff.substr(0, 1));
    }
    arff.remove_prefix(length);
  }
  return out;
}

/// Are there commas between the labels?
bool has_commas(ArffScanner scanner) {
  while (!scanner.at_end() && !scanner.at('}')) {
    if (scanner.accept(',')) return true;
    scanner.word(",}");
  }
  return false;
}

/// Labels are separated by commas, between which blanks belong to a label, or else by blanks.
/// @param taken  bytes of all columns, grows by those of the labels; at most `memory`
std::vector<std::string> label_list(ArffScanner& scanner, std::uint64_t& taken,
                                    std::uint64_t memory, const std::string& file) {
  std::vector<std::string> labels;
  std::set<std::string> seen;
  const bool commas = has_commas(scanner);
  while (!scanner.at_end() && !scanner.at('}')) {
    const bool quoted = scanner.at_quote();
    std::string label = commas ? scanner.value(",}") : scanner.word("}");
    if (quoted || !label.empty()) {
      labels.push_back(std::move(label));
      taken += label_copies * (sizeof(std::string) + labels.back().size());
      if (taken > memory) throw_too_many_columns(file, memory);
      if (!seen.insert(labels.back()).second) scanner.fail("labels that differ");
    }
    if (commas && !scanner.accept(',')) break;
  }
  scanner.expect('}', "after the labels, on the same line");
  return labels;
}

/// [low, high], which KEEL writes and which binds nobody: test parts exceed it.
void range(ArffScanner& scanner) {
  const auto bound = [&] {
    if (!parse_number(scanner.word(",]"))) scanner.fail("a number before this");
  };
  bound();
  scanner.expect(',', "between the bounds");
  bound();
  scanner.expect(']', "after the bounds");
}

/// date, or date "yyyy-MM-dd" and the like; the default is the time of ISO 8601.
void declare_date(ArffScanner& scanner, DeclaredColumn& column) {
  column.kind = AttributeKind::date_time;
  if (scanner.at_end()) return;
  const ArffScanner reread = scanner;
  try {
    const DateFormat format(date_format_of(scanner.word("")).value_or(""));
    column.kind = format.kind();
    column.format = format.text();
  } catch (const std::invalid_argument&) {
    reread.fail("a date's format such as \"yyyy-MM-dd HH:mm:ss\"");
  }
}

}  // namespace

bool ArffHeader::add(std::string_view line, std::uint64_t number) {
  ArffScanner scanner(line, file_, number);
  if (scanner.at_end()) return true;
  ArffScanner reread = scanner;
  const std::string keyword = lower(scanner.word(""));
  if (keyword == "@relation" || keyword == "@inputs" || keyword == "@input") return true;
  if (keyword == "@attribute") {
    add_attribute(scanner);
  } else if (keyword == "@outputs" || keyword == "@output") {
    add_outputs(scanner);
  } else if (keyword == "@data") {
    scanner.expect_end();
    if (columns_.empty()) reread.fail("an @attribute before @data");
    return false;
  } else {
    reread.fail("@relation, @attribute, @inputs, @outputs or @data");
  }
  return true;
}

void ArffHeader::add_attribute(ArffScanner& scanner) {
  DeclaredColumn column;
  column.name = scanner.word("{");
  if (column.name.empty()) scanner.fail("a name after @attribute");
  if (scanner.accept('{')) {
    column.kind = AttributeKind::nominal;
    column.labels = label_list(scanner, memory_taken_, memory_, file_);
  } else {
    scanner.skip_blanks();
    const ArffScanner reread = scanner;
    const std::string type = lower(scanner.word("["));
    if (type == "numeric" || type == "real" || type == "integer") {
      column.kind = AttributeKind::numeric;
      if (scanner.accept('[')) range(scanner);
    } else if (type == "string") {
      column.kind = AttributeKind::nominal;
    } else if (type == "date") {
      declare_date(scanner, column);
    } else {
      reread.fail("numeric, real, integer, date, string or {labels}; relations are not read");
    }
  }
  scanner.expect_end();
  memory_taken_ += column_bytes + column.name.size();
  if (memory_taken_ > memory_) throw_too_many_columns(file_, memory_);
  columns_.push_back(std::move(column));
}

void ArffHeader::add_outputs(ArffScanner& scanner) {
  has_outputs_ = true;
  std::unordered_map<std::string_view, std::size_t> places;  // the first of each name
  for (std::size_t i = 0; i < columns_.size(); ++i) places.emplace(columns_[i].name, i);
  do {
    scanner.skip_blanks();
    const ArffScanner reread = scanner;
    const std::string name = scanner.word(",");
    const auto found = places.find(name);
    if (found == places.end()) {
      std::vector<std::string> names;
      for (const DeclaredColumn& column : columns_) names.push_back(column.name);
      reread.fail("the name of an attribute" + suggestion(name, names));
    }
    columns_[found->second].target = true;
  } while (scanner.accept(','));
  scanner.expect_end();
}

std::vector<DeclaredColumn> ArffHeader::take_columns() {
  if (!has_outputs_) {
    for (DeclaredColumn& column : columns_) column.target = lower(column.name) == "class";
  }
  return std::move(columns_);
}

}  // namespace atl::io
