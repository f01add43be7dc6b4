#include "src/run/data/named_attributes.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "io/tables/input_tables.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/data/date.hpp"
#include "src/grammar/split_attribute.hpp"
#include "src/grammar/target_syntax.hpp"
#include "src/rules/scanner.hpp"
#include "src/run/data/text_form.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {
namespace {

using Names = std::vector<std::string>;

std::string why(const std::string& reason) {
  if (reason == "all missing") return ", as no row has a value";
  if (reason == "by request") {
    return ", as it was told to (--ignore, or its role in the schema)";
  }
  return " (" + reason +
         "); to keep it, give it a role in a schema (atoll import --schema), or take the text "
         "instead of the file";
}

/// Fits the lists of one aim, of the experiment or of some islands.
class Fitter {
 public:
  /// @param where  what messages begin with
  Fitter(const io::DatasetSummary& data, const SearchKind& kind, std::string where)
      : data_(data), kind_(kind), where_(std::move(where)) {}

  void fit_targets(Names& targets) const {
    for (std::string& target : targets) {
      const auto name = target_attribute(target);
      if (!name) continue;
      expect_not_left_out(kind_.target_option, *name);
      if (is_name_alone(target)) target = with_any_value(target, *name);
    }
  }

  void expect_none_left_out(const char* option, const Names& names) const {
    for (const std::string& name : names) expect_not_left_out(option, name);
  }

  void expect_not_left_out(std::string_view option, const std::string& name) const {
    const io::IgnoredColumn* const column = left_out(name);
    if (column == nullptr) return;
    throw UsageError(where_ + std::string(option) + ": the import has left out " + in_quotes(name) +
                     why(column->reason));
  }

  /// @param dropped  gets those that are gone
  void drop_left_out(Names& excluded, std::set<std::string>& dropped) const {
    const auto gone = [&](const std::string& name) {
      const io::IgnoredColumn* const column = left_out(name);
      if (column != nullptr) dropped.insert(in_quotes(name) + " (" + column->reason + ")");
      return column != nullptr;
    };
    excluded.erase(std::remove_if(excluded.begin(), excluded.end(), gone), excluded.end());
  }

 private:
  const Attribute* attribute(const std::string& name) const {
    const auto found = std::find_if(data_.attributes.begin(), data_.attributes.end(),
                                    [&](const Attribute& a) { return a.name == name; });
    return found == data_.attributes.end() ? nullptr : &*found;
  }

  const io::IgnoredColumn* left_out(const std::string& name) const {
    if (attribute(name) != nullptr) return nullptr;
    const auto found = std::find_if(data_.ignored.begin(), data_.ignored.end(),
                                    [&](const auto& column) { return column.name == name; });
    return found == data_.ignored.end() ? nullptr : &*found;
  }

  std::string with_any_value(const std::string& target, const std::string& name) const {
    const Attribute* const named = attribute(name);
    if (named == nullptr || named->item || named->distinct() == 0) return target;
    const std::string quoted = quoted_if_needed(name, relation_characters);
    if (!has_numbers(named->kind) || can_be_labels(*named)) return quoted + "=*";
    const std::string value = value_text(named->low[(named->distinct() - 1) / 2], named->kind);
    const std::string comparison = "'" + printable(quoted) + " > " + value + "'";
    const std::string source = where_ + "--target " + in_quotes(target) + ": " + in_quotes(name);
    if (is_date(named->kind)) {
      throw UsageError(source + " has dates; a target compares them, as --target " + comparison);
    }
    throw UsageError(source + " has numbers, of which a target takes the mean, as --target 'mean(" +
                     printable(quoted) + ")', or a comparison, as --target " + comparison);
  }

  const io::DatasetSummary& data_;
  const SearchKind& kind_;
  std::string where_;
};

void fit(const Fitter& fitter, Names* target, Names* antecedent, Names* consequent, Names* require,
         Names* exclude, std::set<std::string>& dropped) {
  if (target != nullptr) fitter.fit_targets(*target);
  for (const auto& [option, names] : {std::pair{"--antecedent", antecedent},
                                      {"--consequent", consequent},
                                      {"--require", require}}) {
    if (names != nullptr) fitter.expect_none_left_out(option, *names);
  }
  if (exclude != nullptr) fitter.drop_left_out(*exclude, dropped);
}

Names* if_set(std::optional<Names>& names) {
  return names ? &*names : nullptr;
}

/// The names of a text table's columns; none if it is no table, or has no names.
Names column_names(const std::string& data, const TextForm& form) {
  const auto silent = [](Severity, const std::string&) {};
  std::error_code absent;
  if (!std::filesystem::is_regular_file(data, absent)) return {};  // a pipe is read once
  Names names;
  try {
    io::ImportOptions options;
    set_table_form(form, options);
    options.opened = open_text(data, form, temporary_place());
    options.inputs = {options.opened->name()};
    if (transactions_in(*options.opened, form, silent)) return {};
    const io::InputTables tables(options, silent);
    for (const io::DeclaredColumn& column : tables.columns()) names.push_back(column.name);
  } catch (const Error&) {
    return {};
  }
  return std::find(names.begin(), names.end(), "") == names.end() ? names : Names();
}

bool has_name(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void expect_columns(const Experiment& experiment, const std::string& data, const TextForm& form) {
  const Names there = column_names(data, form);
  if (there.empty()) return;
  const auto expect = [&](std::string_view option, const Names& names, const Names& but = {}) {
    for (const std::string& name : names) {
      if (has_name(there, name)) continue;
      Names meant = there;
      std::erase_if(meant, [&](const std::string& its) { return has_name(but, its); });
      throw UsageError(std::string(option) + ": no attribute " + in_quotes(name) +
                       suggestion(name, meant));
    }
  };
  if (const auto split = split_attribute(experiment)) expect("--holdout", {*split});
  for (const auto& [island, its] : experiment.by_island()) {
    Names targets;
    for (const std::string& target : its.aim.target) {
      if (target == no_target) continue;
      if (auto name = target_attribute(target)) targets.push_back(std::move(*name));
    }
    expect(experiment.kind().target_option, targets);
    expect("--antecedent", its.aim.antecedent);
    expect("--consequent", its.aim.consequent);
    expect("--require", its.aim.require);
    expect("--exclude", its.aim.exclude, targets);
  }
}

std::vector<std::string> named_attributes(const Experiment& experiment) {
  std::set<std::string> names;
  for (const auto& [island, its] : experiment.by_island()) {
    for (const std::string& target : its.aim.target) {
      if (target == no_target) continue;
      if (auto name = target_attribute(target)) names.insert(std::move(*name));
    }
    for (const Names* const list : {&its.aim.antecedent, &its.aim.consequent, &its.aim.require}) {
      names.insert(list->begin(), list->end());
    }
  }
  for (const auto& [name, bins] : experiment.attribute_bins) names.insert(name);
  if (auto split = split_attribute(experiment)) names.insert(std::move(*split));
  return {names.begin(), names.end()};
}

bool names_attributes(const Experiment& experiment) {
  const auto by_island = experiment.by_island();
  return !named_attributes(experiment).empty() ||
         std::any_of(by_island.begin(), by_island.end(),
                     [](const auto& island) { return !island.second.aim.exclude.empty(); });
}

Experiment fitted_to_data(Experiment experiment, const io::DatasetSummary& data,
                          const Report& report) {
  const SearchKind& kind = experiment.kind();
  std::set<std::string> dropped;
  Aim& aim = experiment.aim;
  const Fitter fitter(data, kind, "");
  if (const auto split = split_attribute(experiment)) {
    fitter.expect_not_left_out("--holdout", *split);
  }
  fit(fitter, &aim.target, &aim.antecedent, &aim.consequent, &aim.require, &aim.exclude, dropped);
  for (IslandSettings& its : experiment.island_settings) {
    fit(Fitter(data, kind, "island_settings, of islands " + its.islands.to_string() + ": "),
        if_set(its.target), if_set(its.antecedent), if_set(its.consequent), if_set(its.require),
        if_set(its.exclude), dropped);
  }
  for (const auto& [name, bins] : experiment.attribute_bins) {
    fitter.expect_not_left_out("--max-bins", name);
  }
  if (!dropped.empty()) {
    report(Severity::info, "--exclude: the import has left out " +
                               listed({dropped.begin(), dropped.end()}) + " anyway");
  }
  return experiment;
}

}  // namespace atl
