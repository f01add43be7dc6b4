#include "io/results/xml_writer.hpp"

#include <cassert>

#include "src/core/error.hpp"
#include "src/core/utf8.hpp"

namespace atl::io {
namespace {

/// Char of XML 1.0, section 2.2.
bool xml_can_hold(char32_t c) noexcept {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

}  // namespace

void XmlWriter::open(const char* name, const std::vector<Attribute>& attributes) {
  begin(name, attributes);
  text_ += ">\n";
  open_.push_back(name);
}

void XmlWriter::close() {
  const char* const name = open_.back();
  open_.pop_back();
  text_.append(2 * open_.size(), ' ').append("</").append(name).append(">\n");
}

void XmlWriter::leaf(const char* name, const std::vector<Attribute>& attributes) {
  begin(name, attributes);
  text_ += "/>\n";
}

std::string XmlWriter::take() && {
  assert(open_.empty());
  return std::move(text_);
}

void XmlWriter::begin(const char* name, const std::vector<Attribute>& attributes) {
  text_.append(2 * open_.size(), ' ').append("<").append(name);
  for (const auto& [key, value] : attributes)
    text_.append(" ").append(key).append("=\"").append(xml_value(value)).append("\"");
}

std::string xml_value(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_sequence_length(text, at);
    if (length == 0 || !xml_can_hold(code_point_at(text, at)))
      throw UsageError("XML cannot hold '" + printable(text) + "'");
    const char c = text[at];
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\t' || c == '\n' || c == '\r')  // a reader takes them for spaces otherwise
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else
      out.append(text, at, length);
    at += length;
  }
  return out;
}

}  // namespace atl::io
