#include "io/tables/values/written_number.hpp"

#include <algorithm>
#include <utility>

#include "src/core/text/ascii.hpp"

namespace atl::io {
namespace {

using namespace std::string_view_literals;

/// Longer tokens are no numbers that people write.
constexpr std::size_t longest = 64;

/// A longer unit comes before those that it ends or begins with.
constexpr std::array units = {
    "%"sv,   "US$"sv, "NZ$"sv, "HK$"sv, "A$"sv,  "C$"sv,  "R$"sv,  "S$"sv,  "$"sv,
    "€"sv,   "£"sv,   "¥"sv,   "₹"sv,   "₽"sv, "₩"sv,   "₺"sv,   "₪"sv,   "₴"sv,
    "₫"sv,   "₦"sv,   "₱"sv,   "฿"sv,   "¢"sv,   "USD"sv, "EUR"sv, "GBP"sv, "CHF"sv,
    "JPY"sv, "CNY"sv, "INR"sv, "AUD"sv, "CAD"sv, "NZD"sv, "SEK"sv, "NOK"sv, "DKK"sv,
    "PLN"sv, "CZK"sv, "BRL"sv, "RUB"sv, "ZAR"sv, "zł"sv,  "Kč"sv,  "kr"sv};

std::size_t digits_at(std::string_view text, std::size_t from) noexcept {
  std::size_t count = 0;
  while (from + count < text.size() && is_digit(text[from + count])) ++count;
  return count;
}

/// The bytes that units begin with.
constexpr std::array<bool, 256> begins_unit = [] {
  std::array<bool, 256> begins{};
  for (const std::string_view unit : units) begins[static_cast<unsigned char>(unit.front())] = true;
  return begins;
}();

/// Most labels are none by their ends.
bool may_be_number(std::string_view token) noexcept {
  const auto begins = [&](std::string_view unit) {
    return unit.front() == token.front() && token.starts_with(unit);
  };
  const auto ends = [&](std::string_view unit) {
    return unit.back() == token.back() && token.ends_with(unit);
  };
  const auto in_units = [](const auto& fits) {
    return std::any_of(units.begin(), units.end(), fits);
  };
  const bool letter = is_letter(token.front());
  if (letter && !begins_unit[static_cast<unsigned char>(token.front())]) return false;
  return (!letter || in_units(begins)) && (!is_letter(token.back()) || in_units(ends)) &&
         std::any_of(token.begin(), token.end(), is_digit);
}

/// Writes each kind of blank, apostrophe and minus as the one in ASCII.
std::string simplified(std::string_view token) {
  constexpr std::array<std::pair<std::string_view, char>, 5> others = {{{"\xC2\xA0", ' '},
                                                                        {"\xE2\x80\xAF", ' '},
                                                                        {"\xE2\x80\x89", ' '},
                                                                        {"\xE2\x80\x99", '\''},
                                                                        {"\xE2\x88\x92", '-'}}};
  std::string out;
  while (!token.empty()) {
    std::size_t length = 1;
    char c = token.front();
    for (const auto& [text, meaning] : others) {
      if (!token.starts_with(text)) continue;
      length = text.size();
      c = meaning;
    }
    out += c;
    token.remove_prefix(length);
  }
  return out;
}

void strip_blanks(std::string_view& text) noexcept {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
}

std::string_view take_sign(std::string_view& text) noexcept {
  if (!text.starts_with('-') && !text.starts_with('+')) return {};
  const std::string_view sign = text.substr(0, 1);
  text.remove_prefix(1);
  return sign;
}

std::string_view take_unit(std::string_view& text) noexcept {
  for (const std::string_view unit : units) {
    const bool before = unit != "%" && text.starts_with(unit);
    if (!before && !text.ends_with(unit)) continue;
    if (before) {
      text.remove_prefix(unit.size());
    } else {
      text.remove_suffix(unit.size());
    }
    strip_blanks(text);
    return unit;
  }
  return {};
}

/// The digits of a number without sign as parse_number() takes them; empty if it is not written so.
std::string as_plain(std::string_view text, char decimal, char group) {
  std::string out;
  std::size_t at = digits_at(text, 0);
  out.append(text.substr(0, at));
  bool grouped = false;
  while (at < text.size() && text[at] == group) {
    const bool first = !grouped;
    if (first && (at == 0 || at > 3 || text.front() == '0')) return {};
    if (digits_at(text, at + 1) != 3) return {};
    out.append(text.substr(at + 1, 3));
    at += 4;
    grouped = true;
  }
  if (at < text.size() && text[at] == decimal) {
    const std::size_t fraction = digits_at(text, at + 1);
    if (fraction == 0) return {};
    out.append(1, '.').append(text.substr(at + 1, fraction));
    at += 1 + fraction;
  }
  if (out.empty()) return {};
  if (!grouped && at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    out.append(text.substr(at));
    at = text.size();
  }
  return at == text.size() ? out : std::string();
}

struct Style {
  std::uint8_t bit;
  char decimal, group;
};
constexpr Style styles[] = {
    {number_style::point_commas, '.', ','},       {number_style::point_blanks, '.', ' '},
    {number_style::point_apostrophes, '.', '\''}, {number_style::comma_points, ',', '.'},
    {number_style::comma_blanks, ',', ' '},       {number_style::comma_apostrophes, ',', '\''}};

}  // namespace

std::optional<WrittenNumber> read_written_number(std::string_view token) {
  if (token.empty() || token.size() > longest) return std::nullopt;
  if (!may_be_number(token)) return std::nullopt;
  const std::string simple = simplified(token);
  std::string_view text = simple;
  strip_blanks(text);
  WrittenNumber number;
  std::string_view sign = take_sign(text);
  number.unit = take_unit(text);
  if (sign.empty()) sign = take_sign(text);  // $-5
  const bool begins = is_digit(text.empty() ? '-' : text.front()) || text.starts_with('.');
  if (begins && parse_number(text)) number.styles = number_style::plain;
  for (const Style& style : styles) {
    const std::string digits = as_plain(text, style.decimal, style.group);
    const std::optional<double> value = digits.empty() ? std::nullopt : parse_number(digits);
    if (!value) continue;
    number.styles |= style.bit;
    (style.decimal == '.' ? number.of_point : number.of_comma) = sign == "-" ? -*value : *value;
  }
  if ((number.styles & number_style::plain) != 0) {
    const double value = *parse_number(text);
    number.of_point = sign == "-" ? -value : value;
  }
  if (number.styles == 0) return std::nullopt;
  return number;
}

bool may_group_by_points(std::string_view token) noexcept {
  if (token.starts_with('-') || token.starts_with('+')) token.remove_prefix(1);
  std::size_t at = digits_at(token, 0);
  if (at == 0 || at > 3 || at == token.size() || token.front() == '0') return false;
  for (; at < token.size(); at += 4) {
    if (token[at] != '.' || digits_at(token, at + 1) < 3) return false;
  }
  return at == token.size();
}

bool is_written_number(std::string_view token) {
  return parse_number(token).has_value() || read_written_number(token).has_value();
}

std::optional<double> NumberForm::read_written(std::string_view token) const {
  const std::optional<WrittenNumber> number = read_written_number(token);
  if (!number || number->unit != unit) return std::nullopt;
  const bool with_point = decimal == '.';
  if ((number->styles & (with_point ? number_style::with_point : number_style::with_comma)) == 0) {
    return std::nullopt;
  }
  return with_point ? number->of_point : number->of_comma;
}

std::string to_text(const NumberForm& form) {
  if (form.plain) return "";
  return (form.decimal == ',' ? "comma" : "point") + (form.unit.empty() ? "" : " " + form.unit);
}

NumberForm parse_number_form(std::string_view text) {
  if (text.empty()) return {};
  const std::string_view mark = text.substr(0, text.find(' '));
  if (mark != "comma" && mark != "point") return {};
  text.remove_prefix(std::min(mark.size() + 1, text.size()));
  return {.plain = false, .decimal = mark == "comma" ? ',' : '.', .unit = std::string(text)};
}

bool is_usual_no_value(std::string_view token) {
  constexpr std::array words = {
      // Programs write these.
      "none"sv, "null"sv, "<null>"sv, "(null)"sv, "\\n"sv, "nil"sv, "na"sv, "<na>"sv, "#na"sv,
      "n/a"sv, "#n/a"sv, "#n/a n/a"sv, "nan"sv, "-nan"sv, "+nan"sv, "nat"sv, "-nat"sv, "inf"sv,
      "+inf"sv, "-inf"sv, "infinity"sv, "+infinity"sv, "-infinity"sv, "1.#ind"sv, "-1.#ind"sv,
      "1.#inf"sv, "-1.#inf"sv, "1.#qnan"sv, "-1.#qnan"sv, "nan(ind)"sv, "-nan(ind)"sv, "#null!"sv,
      "#div/0!"sv, "#value!"sv, "#ref!"sv, "#num!"sv, "#name?"sv, "undefined"sv, "(blank)"sv,
      // People write these.
      "n.a."sv, "n.a"sv, "n.d."sv, "n.d"sv, "nd"sv, "n/d"sv, "k.a."sv, "s.d."sv, "missing"sv,
      "unknown"sv, "unk"sv, "not available"sv, "not applicable"sv, "no data"sv, "nodata"sv, "?"sv,
      "??"sv, "-"sv, "--"sv, "---"sv, "\xE2\x80\x93"sv, "\xE2\x80\x94"sv, "."sv, ".."sv, "..."sv,
      "*"sv};
  if (token.size() > 16) return false;
  const std::string word = lower(token);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace atl::io
