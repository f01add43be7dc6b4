#include "src/run/data/rule_data.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "io/hdf5/data_file.hpp"
#include "io/run/run_files.hpp"
#include "src/core/error.hpp"
#include "src/data/transactions/item_attribute.hpp"
#include "src/rules/item_table.hpp"
#include "src/run/data/column_kinds.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/data/transaction_import.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {

namespace {

template <typename Use>
void for_each_comparison(std::span<const WrittenRule> rules, Use&& use) {
  for (const WrittenRule& rule : rules) {
    for (const auto* side : {&rule.antecedent, &rule.consequent}) {
      for (const WrittenComparison& comparison : *side) use(comparison);
    }
  }
}

/// The columns that the rules compare, each once: constant ones are counted, too.
/// @param before  attributes of the run's data, whose tokens and ways of writing hold here, too
std::vector<io::NeededColumn> columns_named(std::span<const WrittenRule> rules,
                                            std::span<const Attribute> before) {
  std::map<std::string, AttributeKind> kinds;
  for_each_comparison(rules, [&](const auto& c) { kinds.emplace(c.attribute, c.kind); });
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
    ColumnOfRules& column =
        columns.emplace(c.attribute, ColumnOfRules{c.attribute, c.kind}).first->second;
    column.labels.insert(column.labels.end(), c.values.begin(), c.values.end());
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
