#include "src/data/attribute_bytes.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl {

namespace {

void put_texts(ByteWriter& out, const std::vector<std::string>& texts) {
  out.put(static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) out.put_text(text);
}

std::vector<std::string> get_texts(ByteReader& in) {
  std::vector<std::string> texts(in.get_count(sizeof(std::uint64_t)));
  for (std::string& text : texts) text = in.get_text();
  return texts;
}

}  // namespace

void put(ByteWriter& out, const Attribute& attribute) {
  out.put_text(attribute.name);
  out.put(attribute.kind);
  out.put(attribute.role);
  out.put(attribute.has_missing);
  out.put(attribute.missing);
  out.put_all(std::span<const double>(attribute.low));
  out.put_all(std::span<const double>(attribute.high));
  put_texts(out, attribute.labels);
  out.put_all(std::span<const std::uint64_t>(attribute.counts));
  out.put(attribute.exact_distinct);
  out.put(attribute.as_labels);
  out.put(attribute.item);
  out.put_text(attribute.other);
  out.put(attribute.missing_tokens.has_value());
  if (attribute.missing_tokens) put_texts(out, *attribute.missing_tokens);
  out.put_text(attribute.number_form);
}

Attribute get_attribute(ByteReader& in) {
  Attribute attribute;
  attribute.name = in.get_text();
  attribute.kind = in.get<AttributeKind>();
  attribute.role = in.get<AttributeRole>();
  attribute.has_missing = in.get<bool>();
  attribute.missing = in.get<std::uint64_t>();
  attribute.low = in.get_all<double>();
  attribute.high = in.get_all<double>();
  attribute.labels = get_texts(in);
  attribute.counts = in.get_all<std::uint64_t>();
  attribute.exact_distinct = in.get<std::uint64_t>();
  attribute.as_labels = in.get<bool>();
  attribute.item = in.get<bool>();
  attribute.other = in.get_text();
  if (in.get<bool>()) attribute.missing_tokens = get_texts(in);
  attribute.number_form = in.get_text();
  return attribute;
}

}  // namespace atl
