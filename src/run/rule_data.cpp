#include "src/run/rule_data.hpp"

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "io/hdf5/data_file.hpp"
#include "src/core/error.hpp"
#include "src/data/item_attribute.hpp"
#include "src/rules/item_table.hpp"
#include "src/run/run_data.hpp"
#include "src/run/temporary_folder.hpp"
#include "src/run/transaction_data.hpp"

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
std::vector<io::NeededColumn> columns_named(std::span<const WrittenRule> rules) {
  std::map<std::string, AttributeKind> kinds;
  for_each_comparison(rules, [&](const auto& c) { kinds.emplace(c.attribute, c.kind); });
  std::vector<io::NeededColumn> columns;
  columns.reserve(kinds.size());
  for (const auto& [name, kind] : kinds) columns.push_back({name, kind});
  return columns;
}

Dataset items_of(const TransactionSet& transactions, std::span<const WrittenRule> rules,
                 const std::string& data) {
  const std::vector<std::string> there = {item_attribute("", 0, 0).labels[item_present]};
  std::set<std::string> names;
  for_each_comparison(rules, [&](const WrittenComparison& c) {
    if (c.relation != "=" || c.values != there) {
      throw BadData(data, "holds transactions, and the run's rules are not about items");
    }
    names.insert(c.attribute);
  });
  constexpr std::uint32_t partition = 65536;
  return item_table(transactions, {names.begin(), names.end()}, partition, {});
}

}  // namespace

Dataset read_data_of_rules(const std::string& data, std::span<const WrittenRule> rules,
                           const Report& report) {
  const io::LoadOptions exact{.max_bins = 0, .attribute_bins = {}};
  if (data != standard_input && is_hdf5(data)) {
    io::Hdf5Reader file = io::open_data(data);
    if (!io::holds_transactions(file)) return io::read_dataset(std::move(file), exact);
    return items_of(io::read_transactions(file).transactions, rules, data);
  }
  const TemporaryFolder folder;
  const auto input = std::make_shared<const io::TextInput>(data, folder.folder().path());
  if (!tells_transactions(*input, report)) {
    return read_columns(data, exact, report, columns_named(rules), input);
  }
  const TransactionForm form{.format = TransactionFormat::fimi};
  return items_of(read_transaction_text(*input, form, report), rules, input->name());
}

}  // namespace atl
