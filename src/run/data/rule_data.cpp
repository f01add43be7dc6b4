#include "src/run/data/rule_data.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "io/hdf5/data_file.hpp"
#include "io/run/run_files.hpp"
#include "src/core/error.hpp"
#include "src/core/text/label_number.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/data/transactions/item_attribute.hpp"
#include "src/results/written/rule_fields.hpp"
#include "src/rules/item_table.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/data/transaction_import.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {
namespace {

using Names = std::vector<std::string>;

/// A dataset file is read as a whole before anything in it is believed.
constexpr std::uintmax_t most_bytes_read = std::uintmax_t{1} << 30;

std::optional<Names> names_in(const std::string& dataset) {
  std::error_code absent;
  const std::uintmax_t bytes = std::filesystem::file_size(dataset, absent);
  if (absent || bytes > most_bytes_read) return std::nullopt;
  try {
    if (!io::is_dataset_file(dataset)) return std::nullopt;
    Names names;
    for (const Attribute& attribute : io::read_data_summary(dataset).attributes)
      names.push_back(attribute.name);
    return names;
  } catch (const Error&) {
    return std::nullopt;  // the rules do not need it
  }
}

Names names_in(std::span<const WrittenRule> rules) {
  std::set<std::string> names;
  for (const WrittenRule& rule : rules) {
    for (const auto* side : {&rule.antecedent, &rule.consequent})
      for (const WrittenComparison& c : *side) names.insert(c.attribute);
  }
  return {names.begin(), names.end()};
}

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

template <typename Use>
void for_each_comparison(std::span<const WrittenRule> rules, Use&& use) {
  for (const WrittenRule& rule : rules) {
    for (const auto* side : {&rule.antecedent, &rule.consequent}) {
      for (const WrittenComparison& comparison : *side) use(comparison);
    }
  }
}

/// `is missing` or `is known`, which hold of values of any kind.
bool tells_no_kind(const WrittenComparison& comparison) {
  return comparison.values.empty() && comparison.relation.starts_with("is ");
}

/// The kind of a column that rules compare in no other way.
AttributeKind kind_before(const std::string& name, std::span<const Attribute> before) {
  for (const Attribute& attribute : before) {
    if (attribute.name == name && has_numbers(attribute.kind)) return attribute.kind;
  }
  return AttributeKind::nominal;
}

/// The columns that the rules compare, each once: constant ones are counted, too.
/// @param before  attributes of the run's data, whose tokens and ways of writing hold here, too
std::vector<io::NeededColumn> columns_named(std::span<const WrittenRule> rules,
                                            std::span<const Attribute> before) {
  std::map<std::string, AttributeKind> kinds;
  for_each_comparison(rules, [&](const auto& c) {
    if (!tells_no_kind(c)) kinds.emplace(c.attribute, c.kind);
  });
  for_each_comparison(rules, [&](const auto& c) {
    if (tells_no_kind(c)) kinds.emplace(c.attribute, kind_before(c.attribute, before));
  });
  std::vector<io::NeededColumn> columns;
  columns.reserve(kinds.size());
  for (const auto& [name, kind] : kinds) {
    columns.push_back({.name = name, .kind = kind, .required = true});
    for (const Attribute& attribute : before) {
      if (attribute.name != name) continue;
      columns.back().missing = attribute.missing_tokens;
      columns.back().number_form = attribute.number_form;
    }
  }
  return columns;
}

/// The attributes of the run's data, if they are there still; rules can be counted without.
std::vector<Attribute> attributes_before(const io::Folder& run, const std::string& data,
                                         const Report& report) {
  try {
    const bool imported = run.has(io::run_names::data);
    if (!imported && !is_hdf5(data)) return {};
    return imported ? io::read_data_summary(run.path_of(io::run_names::data), &run).attributes
                    : io::read_data_summary(data).attributes;
  } catch (const Error& error) {
    report(Severity::warning,
           std::string("how the run's data were written is not known: ") + error.what());
    return {};
  }
}

/// The columns of rules, with the labels that they name.
std::vector<ColumnOfRules> columns_of(std::span<const WrittenRule> rules) {
  std::map<std::string, ColumnOfRules> columns;
  for_each_comparison(rules, [&](const WrittenComparison& c) {
    if (tells_no_kind(c)) return;
    ColumnOfRules& column =
        columns.emplace(c.attribute, ColumnOfRules{c.attribute, c.kind}).first->second;
    column.labels.insert(column.labels.end(), c.values.begin(), c.values.end());
  });
  for_each_comparison(rules, [&](const WrittenComparison& c) {
    if (tells_no_kind(c)) columns.emplace(c.attribute, ColumnOfRules{c.attribute, c.kind});
  });
  std::vector<ColumnOfRules> all;
  for (auto& [name, column] : columns) all.push_back(std::move(column));
  return all;
}

/// Does each comparison say that an item of transactions is there, which the text leaves out?
bool is_about_items(const WrittenRule& rule) {
  const std::string there = item_attribute("", 0, 0).labels[item_present];
  std::string_view text = rule.text;
  while (text.ends_with(')')) text.remove_suffix(1);
  bool items = !text.ends_with(" = " + there);
  for_each_comparison({&rule, 1}, [&](const WrittenComparison& c) {
    items = items && c.relation == "=" && c.values == std::vector{there};
  });
  return items;
}

bool are_of_transactions(std::span<const WrittenRule> rules) {
  return std::any_of(rules.begin(), rules.end(), is_about_items);
}

/// @param is  what messages say of the data, which are a table
void expect_rules_of_table(std::span<const WrittenRule> rules, const std::string& data,
                           const std::string& is) {
  if (are_of_transactions(rules)) {
    throw BadData(data, is + ", and the run is on transactions");
  }
}

Dataset items_of(const TransactionSet& transactions, std::span<const WrittenRule> rules,
                 const std::string& data) {
  if (!rules.empty() && !are_of_transactions(rules)) {
    throw BadData(data, "holds transactions, and the run is on a table");
  }
  std::set<std::string> names;
  for_each_comparison(rules, [&](const WrittenComparison& c) { names.insert(c.attribute); });
  constexpr std::uint32_t partition = 65536;
  return item_table(transactions, {names.begin(), names.end()}, partition, {});
}

}  // namespace

void expect_attributes(std::span<const std::string> names, std::span<const WrittenRule> rules,
                       const io::RunPaths& run, const std::string& data, const Report& report) {
  const Names of_rules = names_in(rules);
  std::set<std::string> unknown(names.begin(), names.end());
  for (const std::string& name : of_rules) unknown.erase(name);
  if (unknown.empty()) return;
  std::optional<Names> of_data = names_in(run.data);
  if (!of_data) of_data = names_in(data);
  if (of_data) {
    for (const std::string& name : *of_data) unknown.erase(name);
    if (unknown.empty()) return;
    const std::string& name = *unknown.begin();
    const std::string field = expected_rule_field(name);
    const bool is_field = field.ends_with('?') && near_names(name, *of_data).empty();
    throw UsageError("--where: no attribute " + in_quotes(name) +
                     (is_field ? ", expected " + field : suggestion(name, *of_data)));
  }
  if (rules.empty()) return;
  for (const std::string& name : unknown)
    report(Severity::warning,
           "--where: no rule names " + in_quotes(name) + suggestion(name, of_rules));
}

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

Dataset read_data_of_rules(const std::string& data, std::span<const WrittenRule> rules,
                           const TextForm& form, const io::Folder& run,
                           const std::string& data_of_run, const Report& report) {
  const io::LoadOptions exact{.max_bins = 0, .attribute_bins = {}};
  if (is_hdf5(data)) {
    io::Hdf5Reader file = io::open_data(data);
    switch (io::kind_of(file)) {
      case io::DataKind::table:
        expect_rules_of_table(rules, data, "holds a table");
        return with_kinds(io::read_dataset(std::move(file), exact), columns_of(rules));
      case io::DataKind::transactions:
        return items_of(io::read_transactions(file).transactions, rules, data);
    }
  }
  const auto input = open_text(data, form, temporary_place());
  if (const auto transactions = transactions_in(*input, form, report)) {
    const TemporaryFolder folder;
    const std::string file = folder.folder().path_of(io::run_names::data);
    import_transactions(*input, {.form = *transactions, .output = file}, report);
    return items_of(io::read_transactions(io::open_data(file)).transactions, rules, input->name());
  }
  expect_rules_of_table(
      rules, input->name(),
      "is taken for a table (" + form.options + "format fimi, baskets or long reads transactions)");
  return with_kinds(
      read_columns(data, exact, report,
                   columns_named(rules, attributes_before(run, data_of_run, report)), form, input),
      columns_of(rules));
}

}  // namespace atl
