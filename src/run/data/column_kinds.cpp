#include "src/run/data/column_kinds.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "src/core/text/label_number.hpp"
#include "src/core/text/number.hpp"

namespace atl {

namespace {

bool becomes_numbers(const Attribute& there, const ColumnOfRules& wanted) {
  return wanted.kind == AttributeKind::numeric && !has_numbers(there.kind) &&
         are_label_numbers(there.labels);
}

bool becomes_labels(const Attribute& there, const ColumnOfRules& wanted) {
  return wanted.kind == AttributeKind::nominal && there.kind == AttributeKind::numeric &&
         are_label_numbers(wanted.labels);
}

/// A column that is made anew. @param keys  [codes before] its values, of which it has each once
/// @param add  appends a value to the attribute's dictionary
template <typename Key, typename Add>
void recode(const std::vector<Key>& keys, Attribute& attribute, std::vector<std::uint32_t>& codes,
            const Add& add) {
  std::map<Key, std::uint64_t> rows;
  for (std::size_t code = 0; code < keys.size(); ++code) rows[keys[code]] += attribute.counts[code];
  attribute.counts.clear();
  attribute.low.clear();
  attribute.high.clear();
  attribute.labels.clear();
  std::map<Key, std::uint32_t> new_codes;
  for (const auto& [key, of_key] : rows) {
    new_codes.emplace(key, static_cast<std::uint32_t>(attribute.counts.size()));
    attribute.counts.push_back(of_key);
    add(key);
  }
  attribute.exact_distinct = attribute.counts.size();
  for (std::uint32_t& code : codes) {
    if (code != missing_code) code = new_codes.at(keys[code]);
  }
}

void make_numbers(Attribute& attribute, std::vector<std::uint32_t>& codes) {
  std::vector<double> numbers;
  for (const std::string& label : attribute.labels) numbers.push_back(*label_number(label));
  attribute.kind = AttributeKind::numeric;
  recode(numbers, attribute, codes, [&](double number) {
    attribute.low.push_back(number);
    attribute.high.push_back(number);
  });
}

void make_labels(Attribute& attribute, std::vector<std::uint32_t>& codes) {
  std::vector<std::string> labels;
  for (const double number : attribute.low) labels.push_back(plain_number(number));
  attribute.kind = AttributeKind::nominal;
  attribute.as_labels = false;
  recode(labels, attribute, codes,
         [&](const std::string& label) { attribute.labels.push_back(label); });
}

}  // namespace

Dataset with_kinds(Dataset data, const std::vector<ColumnOfRules>& wanted) {
  const auto differs = [&](const ColumnOfRules& column) {
    const auto found = data.find(column.name);
    if (!found) return false;
    const Attribute& there = data.attributes()[*found];
    return becomes_numbers(there, column) || becomes_labels(there, column);
  };
  if (std::none_of(wanted.begin(), wanted.end(), differs)) return data;
  std::vector<Attribute> attributes;
  std::vector<std::vector<std::uint32_t>> columns;
  for (const ColumnOfRules& column : wanted) {
    const auto found = data.find(column.name);
    if (!found) continue;
    Attribute attribute = data.attributes()[*found];
    std::vector<std::uint32_t> codes = all_codes(data, *found);
    if (becomes_numbers(attribute, column)) {
      make_numbers(attribute, codes);
    } else if (becomes_labels(attribute, column)) {
      make_labels(attribute, codes);
    }
    attributes.push_back(std::move(attribute));
    columns.push_back(std::move(codes));
  }
  return make_dataset(std::move(attributes), columns);
}

}  // namespace atl
