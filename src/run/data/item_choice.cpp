#include "src/run/data/item_choice.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "islands/algorithms.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/grammar/split_attribute.hpp"
#include "src/results/written/holdout.hpp"
#include "src/rules/class_target.hpp"
#include "src/rules/item_table.hpp"
#include "src/rules/item_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

/// The attribute that a target begins with; empty if it begins with none.
std::string name_in_target(const std::string& target) {
  const std::string source = "--target";
  try {
    return Scanner(target, source, Scanner::Comments::none)
        .name_or_value(relation_characters, "the name of an item");
  } catch (const BadCell&) {
    return {};  // whoever reads the target says what is wrong
  }
}

struct Searched {
  std::vector<std::uint64_t> supports;  ///< [items]
  std::uint64_t transactions = 0;
};

/// @throws UsageError if a hold-out names an item that there is not
void expect_item(const std::string& name, const TransactionSet& transactions) {
  std::vector<std::string> names;
  for (std::uint32_t item = 0; item < transactions.item_count(); ++item) {
    names.push_back(item_name(transactions.name(item)));
    if (names.back() == name) return;
  }
  throw UsageError("--holdout: no item " + in_quotes(name) + suggestion(name, names));
}

/// Rows are held out by their number, or by an item, of which there is a table then.
RowMask held_out_of(const TransactionSet& transactions, const Experiment& experiment) {
  const auto item = split_attribute(experiment);
  if (item) expect_item(*item, transactions);
  const std::string name = item.value_or(item_name(transactions.name(0)));
  constexpr std::uint32_t partition = 65536;
  ThreadPool pool(1);
  return held_out_rows(experiment, item_table(transactions, {name}, partition, {}), pool);
}

Searched searched(const TransactionSet& transactions, const Experiment& experiment) {
  const auto& supports = transactions.supports();
  if (experiment.holdout.none()) return {{supports.begin(), supports.end()}, transactions.size()};
  const RowMask held_out = held_out_of(transactions, experiment);
  Searched of{std::vector<std::uint64_t>(supports.size(), 0), 0};
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    if (held_out[t]) continue;
    ++of.transactions;
    for (const std::uint32_t item : transactions.transaction(t)) ++of.supports[item];
  }
  return of;
}

}  // namespace

std::set<std::string> names_in_aims(const Experiment& experiment) {
  std::set<std::string> names;
  for (const auto& [island, its] : experiment.by_island()) {
    for (const auto* list :
         {&its.aim.antecedent, &its.aim.consequent, &its.aim.require, &its.aim.exclude}) {
      names.insert(list->begin(), list->end());
    }
    for (const std::string& target : its.aim.target) names.insert(name_in_target(target));
  }
  return names;
}

ItemChoice choose_items(const TransactionSet& transactions, const Experiment& experiment,
                        std::set<std::string> named) {
  const Searched of = searched(transactions, experiment);
  named.merge(names_in_aims(experiment));
  const std::optional<std::string> split = split_attribute(experiment);
  ItemChoice choice;
  choice.all = transactions.item_count();
  choice.transactions = of.transactions;
  choice.least = experiment.min_support.minimum_count(of.transactions);
  std::uint64_t frequent = 0;
  std::array<std::uint64_t, 2> greatest = {};  // supports, of items that are not everywhere
  for (std::uint32_t item = 0; item < transactions.item_count(); ++item) {
    std::string name = item_name(transactions.name(item));
    if (name == split) {  // which no rule names
      choice.names.push_back(std::move(name));
      continue;
    }
    const bool everywhere = of.supports[item] == of.transactions;
    const bool enough = of.supports[item] >= choice.least && !everywhere;
    choice.everywhere += everywhere ? 1 : 0;
    frequent += enough ? 1 : 0;
    if (!everywhere) {
      greatest[1] = std::max(greatest[1], std::min(greatest[0], of.supports[item]));
      greatest[0] = std::max(greatest[0], of.supports[item]);
    }
    if (enough || named.contains(name)) choice.names.push_back(std::move(name));
  }
  if (frequent >= 2) return choice;
  throw UsageError(
      fmt::format("--min-support {}: {} of {} in at least {} of {} and not in all; a rule "
                  "needs two, and those with the most are in {} and {}",
                  experiment.min_support.to_string(), frequent,
                  counted(choice.all, "item") + (frequent == 1 ? " is" : " are"), choice.least,
                  counted(choice.transactions, "transaction"), greatest[0], greatest[1]));
}

void tell_of_items(const ItemChoice& items, const Experiment& experiment, const Report& report) {
  if (items.names.size() == items.all) return;
  std::string text =
      fmt::format("kept {} of {}: those in at least {} of {} (--min-support {})",
                  items.names.size(), counted(items.all, "item"), items.least,
                  counted(items.transactions, "transaction"), experiment.min_support.to_string());
  if (items.everywhere > 0) text += fmt::format("; {} left out, in all of them", items.everywhere);
  report(Severity::info, text);
}

}  // namespace atl
