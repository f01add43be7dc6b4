#include "io/tables/text/foreign_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

#include "io/tables/text/text_source.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

constexpr const char* from_json_lines =
    "in pandas: pd.read_json(FILE, lines=True).to_csv('data.csv', index=False)";
constexpr const char* from_json = "in pandas: pd.read_json(FILE).to_csv('data.csv', index=False)";
constexpr const char* from_html =
    "in pandas: pd.read_html(FILE)[0].to_csv('data.csv', index=False), or save the table as CSV";
constexpr const char* from_xml = "in pandas: pd.read_xml(FILE).to_csv('data.csv', index=False)";
constexpr const char* from_sheet = "open it in a spreadsheet and save the sheet as CSV";

bool is_space(char c) noexcept {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::string_view without_space(std::string_view text) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

/// In any case of letters. @param word  in lower case
bool begins(std::string_view text, std::string_view word) noexcept {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(),
                    [](char expected, char c) { return expected == lower(c); });
}

std::string_view first_line(std::string_view text) noexcept {
  std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line;
}

/// Follows the beginning of a text as JSON.
class JsonStart : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return value(); }
  bool boolean(bool /*value*/) override { return value(); }
  bool number_integer(number_integer_t /*value*/) override { return value(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return value(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return value(); }
  bool string(string_t& /*value*/) override { return value(); }
  bool binary(binary_t& /*value*/) override { return value(); }
  bool start_object(std::size_t /*elements*/) override { return begin(); }
  bool key(string_t& /*name*/) override { return value(); }
  bool end_object() override { return end(); }
  bool start_array(std::size_t /*elements*/) override { return begin(); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    stopped_at_ = position;
    return false;
  }

  bool whole() const noexcept { return whole_; }    ///< one object or array
  bool filled() const noexcept { return filled_; }  ///< has a key or a value
  std::size_t stopped_at() const noexcept { return stopped_at_; }

 private:
  bool value() noexcept {
    filled_ = true;
    return true;
  }
  bool begin() noexcept {
    ++depth_;
    return true;
  }
  bool end() noexcept {
    whole_ = --depth_ == 0;
    return true;
  }

  std::size_t depth_ = 0;
  std::size_t stopped_at_ = 0;
  bool whole_ = false;
  bool filled_ = false;
};

enum class JsonKind : unsigned char { no, one, lines };

/// A label may begin with a brace or a bracket, too, so all of the line, or of the text, must be
/// JSON.
JsonKind json_of(std::string_view text) {
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return JsonKind::no;
  const auto parse = [](std::string_view part, JsonStart& start) {
    return nlohmann::json::sax_parse(part.begin(), part.end(), &start);
  };
  const auto is_json = [&](std::string_view part) {
    JsonStart start;
    return parse(part, start) && start.whole() && start.filled();
  };
  const std::string_view first = first_line(text);
  if (is_json(first)) {
    const std::string_view rest = without_space(text.substr(first.size()));
    if (rest.empty()) return JsonKind::one;
    const std::string_view second = first_line(rest);
    // A column may hold [1], too.
    const bool column = text.front() == '[' && second.size() < rest.size() && !is_json(second);
    return column ? JsonKind::no : JsonKind::lines;
  }
  JsonStart all;
  if (parse(text, all)) return all.filled() ? JsonKind::one : JsonKind::no;
  if (!all.filled() || all.stopped_at() == 0) return JsonKind::no;
  if (all.stopped_at() > text.size()) return JsonKind::one;  // it is cut off
  const char next = text[all.stopped_at() - 1];
  return all.whole() && (next == '{' || next == '[') ? JsonKind::lines : JsonKind::no;
}

/// {'a': 1, ...}, as Python prints a dictionary.
bool is_python_dictionary(std::string_view text) noexcept {
  text = first_line(text);
  if (!text.starts_with("{'") || !text.ends_with('}')) return false;
  const std::size_t quote = text.find('\'', 2);
  return quote != std::string_view::npos && text.substr(quote + 1).starts_with(": ");
}

/// A name may be in angle brackets, too, but no other tag follows it.
bool begins_with_tag(std::string_view text, std::string_view tag) noexcept {
  if (!begins(text, tag) || text.size() == tag.size()) return false;
  const char next = text[tag.size()];
  const std::size_t end = text.find('>');
  if ((next != '>' && !is_space(next)) || end == std::string_view::npos) return false;
  return without_space(text.substr(end + 1)).starts_with('<');
}

bool is_html(std::string_view text) noexcept {
  while (text.starts_with("<!--")) {
    const std::size_t end = text.find("-->");
    if (end == std::string_view::npos) return false;
    text = without_space(text.substr(end + 3));
  }
  return begins(text, "<!doctype html") || begins_with_tag(text, "<html") ||
         begins_with_tag(text, "<head") || begins_with_tag(text, "<body") ||
         begins_with_tag(text, "<table");
}

/// An element within another one: a cell may be in angle brackets, too.
bool is_xml(std::string_view text) noexcept {
  if (text.starts_with("<?xml ") || text.starts_with("<!DOCTYPE ")) return true;
  const std::size_t end = text.find('>');
  if (text.size() < 2 || text.front() != '<' || end == std::string_view::npos) return false;
  const char letter = lower(text[1]);
  if (letter < 'a' || letter > 'z') return false;
  return without_space(text.substr(end + 1)).starts_with('<') &&
         text.find("</") != std::string_view::npos;
}

bool is_workbook_in_xml(std::string_view text) noexcept {
  return text.find("progid=\"Excel.Sheet\"") != std::string_view::npos ||
         text.find("urn:schemas-microsoft-com:office:spreadsheet") != std::string_view::npos;
}

/// Protocol 0: a function by module and name, or a list or dictionary; each in a line of its own.
bool is_pickle(std::string_view text) noexcept {
  const std::string_view line = text.substr(0, text.find('\n'));
  for (const std::string_view start :
       {"ccopy_reg", "ccopyreg", "c__builtin__", "cbuiltins", "ccollections", "(lp0", "(dp0",
        "(lp1", "(dp1", "(ip0", "(tp0"}) {
    if (line == start) return true;
  }
  if (line.find_first_of(",;\t| \"") != std::string_view::npos) return false;
  return line.starts_with("cpandas.") || line.starts_with("cnumpy.") ||
         line.starts_with("csklearn.");
}

/// | a | b |, and below it |---|---|
bool is_markdown(std::string_view text) noexcept {
  const std::string_view first = first_line(text);
  if (!first.starts_with('|') || !first.ends_with('|')) return false;
  const std::string_view second = first_line(without_space(text.substr(first.size())));
  return second.starts_with('|') && second.find("--") != std::string_view::npos &&
         second.find_first_not_of("|-: \t") == std::string_view::npos;
}

bool is_sql(std::string_view text) noexcept {
  const std::string_view line = first_line(text);
  return (begins(line, "insert into ") && line.find('(') != std::string_view::npos) ||
         (begins(line, "create table ") && line.find('(') != std::string_view::npos) ||
         begins(line, "-- mysql dump") || begins(line, "-- postgresql database dump");
}

/// A number, and after it pairs of an ascending number and a value: 1 3:0.5 7:1
bool is_svmlight_line(std::string_view line) {
  const auto token = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::string_view found = line.substr(0, line.find(' '));
    line.remove_prefix(found.size());
    return found;
  };
  if (!parse_number(token())) return false;
  std::uint32_t before = 0;
  std::size_t pairs = 0;
  for (std::string_view pair = token(); !pair.empty(); pair = token(), ++pairs) {
    std::uint32_t place = 0;
    const auto [end, error] = std::from_chars(pair.data(), pair.data() + pair.size(), place);
    const auto length = static_cast<std::size_t>(end - pair.data());
    if (error != std::errc() || !pair.substr(length).starts_with(':')) return false;
    if (!parse_number(pair.substr(length + 1)) || (pairs > 0 && place <= before)) return false;
    before = place;
  }
  return pairs >= 2;
}

bool is_svmlight(std::string_view text) {
  const std::string_view first = first_line(text);
  const std::string_view second = first_line(without_space(text.substr(first.size())));
  return is_svmlight_line(first) && (second.empty() || is_svmlight_line(second));
}

}  // namespace

std::optional<ForeignText> foreign_text(std::string_view text, bool json) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  text = without_space(text);
  const JsonKind found = json ? JsonKind::no : json_of(text);
  if (found == JsonKind::lines) return ForeignText{"JSON lines", from_json_lines};
  if (found == JsonKind::one) return ForeignText{"JSON", from_json};
  if (is_python_dictionary(text)) {
    return ForeignText{"lines of Python's dictionaries", "write them with the csv module"};
  }
  if (is_html(text)) return ForeignText{"an HTML page", from_html};
  if (is_xml(text)) {
    if (is_workbook_in_xml(text)) return ForeignText{"an Excel workbook in XML", from_sheet};
    return ForeignText{"XML", from_xml};
  }
  if (is_pickle(text)) return ForeignText{"a pickle of Python", from_pickle};
  if (is_markdown(text)) {
    return ForeignText{"a table in Markdown", "take out the line of dashes and the outer bars"};
  }
  if (is_sql(text)) return ForeignText{"SQL", "load it into a database and write the table as CSV"};
  if (is_svmlight(text)) {
    return ForeignText{"in the form of SVMlight and LIBSVM",
                       "sklearn.datasets.load_svmlight_file reads it"};
  }
  if (text.starts_with("%%MatrixMarket ")) {
    return ForeignText{"a matrix in MatrixMarket form", "scipy.io.mmread reads it"};
  }
  if (text.starts_with("version https://git-lfs")) {
    return ForeignText{"a pointer of Git LFS", "git lfs pull gets the file itself"};
  }
  if (text.starts_with("{\\rtf")) return ForeignText{"an RTF document", no_table};
  if (text.starts_with("%PDF-")) return ForeignText{"a PDF document", no_table};
  if (text.starts_with("%!PS-")) return ForeignText{"a PostScript document", no_table};
  return {};
}

}  // namespace atl::io
