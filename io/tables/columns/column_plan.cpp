#include "io/tables/columns/column_plan.hpp"

#include <algorithm>
#include <map>

#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/label_number.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"

namespace atl::io {
namespace {

constexpr std::size_t least_folded = 2;

bool is_separator(char c) noexcept {
  return one_hot_separators.find(c) != std::string_view::npos;
}

/// Rests of the names that begin with the attribute's name, by column.
using Rests = std::map<std::size_t, std::string>;

Rests rests_of(const std::string& name, const std::vector<std::string>& names,
               const std::set<std::string>& needed) {
  Rests separated, numbered;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].starts_with(name) || needed.count(names[i]) > 0) continue;
    const std::string rest = names[i].substr(name.size());
    if (rest.size() > 1 && is_separator(rest.front())) separated.emplace(i, rest);
    if (are_digits(rest)) numbered.emplace(i, rest);
  }
  return separated.empty() ? numbered : separated;
}

/// Separators that all of them begin with, but for one more character.
std::size_t common_separators(const Rests& rests) {
  const std::string& first = rests.begin()->second;
  std::size_t length = 0;
  const auto all_have_it = [&] {
    return std::all_of(rests.begin(), rests.end(), [&](const auto& rest) {
      return rest.second.size() > length + 1 && rest.second[length] == first[length];
    });
  };
  while (is_separator(first[length]) && all_have_it()) ++length;
  return length;
}

std::vector<ColumnPlan> named_plans(const std::vector<DeclaredColumn>& declared,
                                    const Report& report) {
  std::vector<ColumnPlan> plans(declared.size());
  std::set<std::string> taken;
  for (const DeclaredColumn& column : declared) taken.insert(column.name);
  std::set<std::string> used;
  std::map<std::string, std::size_t> next;  // of each stem: all numbers before are taken
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    std::string name = declared[i].name;
    if (name.empty() || !used.insert(name).second) {
      const std::string stem = name.empty() ? "column" : name;
      std::size_t& number = next[stem];
      number = std::max(number, name.empty() ? i + 1 : 2);
      do {
        name = stem + "_" + std::to_string(number++);
      } while (taken.count(name) > 0 || !used.insert(name).second);
      changes.push_back("column " + std::to_string(i + 1) + " " + in_quotes(name));
    }
    plans[i].name = name;
  }
  if (!changes.empty()) {
    report(Severity::warning, "empty or repeated column names: named " + listed(changes));
  }
  return plans;
}

class PlanIndex {
 public:
  explicit PlanIndex(std::vector<ColumnPlan>& plans) {
    for (ColumnPlan& plan : plans) {
      names_.push_back(plan.name);
      by_name_.emplace(plan.name, &plan);
    }
  }
  ColumnPlan& at(const std::string& name, const std::string& option) const {
    ColumnPlan* const plan = find(name);
    if (plan == nullptr) throw UsageError(option + ": " + no_column(name));
    return *plan;
  }
  ColumnPlan* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  ColumnPlan& in_schema(const std::string& name, const std::string& file) const {
    ColumnPlan* const plan = find(name);
    if (plan == nullptr) throw BadData(file, no_column(name));
    return *plan;
  }

 private:
  std::string no_column(const std::string& name) const {
    return "no column " + in_quotes(name) + suggestion(name, names_);
  }

  std::vector<std::string> names_;
  std::map<std::string, ColumnPlan*> by_name_;
};

void add_tokens(const std::vector<std::string>& more, std::vector<std::string>& tokens) {
  for (const std::string& token : more) {
    if (std::find(tokens.begin(), tokens.end(), token) == tokens.end()) tokens.push_back(token);
  }
}

/// Tokens that mean "no value" unless the schema or the table itself says otherwise.
std::vector<std::string> missing_tokens(const ImportOptions& options) {
  std::vector<std::string> tokens = options.missing_only.value_or(default_missing);
  add_tokens(options.missing, tokens);
  return tokens;
}

void apply_declaration(const DeclaredColumn& column, const ImportOptions& options,
                       const std::vector<std::string>& missing, ColumnPlan& plan) {
  plan.missing = missing;
  plan.decimal = options.decimal;
  plan.usual_words = !options.missing_only;
  if (!column.kind) return;
  plan.decimal = DecimalMark::plain;
  plan.usual_words = false;
  plan.kind = column.kind;
  plan.source = "the table's declaration";
  if (!column.format.empty()) plan.format = DateFormat(column.format);
  if (column.target) plan.role = ColumnRole::target;
  for (const char* const token : {"?", "<null>"}) {
    if (!plan.is_missing(token)) plan.missing.emplace_back(token);
  }
  plan.allowed.insert(column.labels.begin(), column.labels.end());
  const auto declared = [&](const std::string& token) { return plan.allowed.count(token) > 0; };
  plan.missing.erase(std::remove_if(plan.missing.begin(), plan.missing.end(), declared),
                     plan.missing.end());
}

void apply_schema(const Column& column, ColumnPlan& plan) {
  plan.role = column.role;
  plan.missing = column.missing;
  plan.usual_words = false;
  if (column.decimal) plan.decimal = *column.decimal;
  if (!column.kind) return;
  plan.kind = column.kind;
  plan.source = "the schema";
  plan.format.reset();
  if (!column.format.empty()) plan.format = DateFormat(column.format);
  plan.allowed.clear();
  if (column.kind == AttributeKind::ordinal) {
    plan.order = column.order;
    plan.allowed.insert(column.order.begin(), column.order.end());
  } else {
    plan.kept.insert(column.order.begin(), column.order.end());
  }
}

/// A table has some attribute: that of a list without rules has this one, with one label.
void keep_for_its_rows(ColumnPlan& plan) {
  const std::string name = plan.name;
  plan = {};
  plan.name = name;
  plan.role = ColumnRole::input;
  plan.needed = true;
  plan.kind = AttributeKind::nominal;
  plan.kept = {""};
}

/// @param options  whose tokens come on top of the column's own, or take their place
void apply_need(const NeededColumn& column, const ImportOptions& options, ColumnPlan& plan) {
  plan.needed = true;
  plan.classes = column.is_class;
  if (!plan.role) plan.role = ColumnRole::input;
  if (plan.kind) return;
  if (column.missing && !options.missing_only) {
    plan.missing = *column.missing;
    plan.usual_words = std::all_of(
        default_missing.begin(), default_missing.end(),
        [&](const std::string& token) { return plan.is_missing(token); });  // else replaced
    add_tokens(options.missing, plan.missing);
  }
  if (!column.number_form.empty()) plan.before = parse_number_form(column.number_form);
  plan.kind = column.kind;
  plan.order = column.order;
  plan.allowed.insert(column.order.begin(), column.order.end());
  plan.source = "the run";
}

/// Settles the roles, once all is applied. @param only_needed  no other column is looked at
void settle_roles(std::vector<ColumnPlan>& plans, bool only_needed) {
  const auto is_needed = [](const ColumnPlan& plan) { return plan.needed; };
  if (only_needed && std::none_of(plans.begin(), plans.end(), is_needed)) {
    keep_for_its_rows(plans.front());
  }
  for (ColumnPlan& plan : plans) {
    if (only_needed && !plan.needed) plan.role = ColumnRole::ignore;
    plan.classes = plan.classes || plan.role == ColumnRole::target;
  }
}

}  // namespace

std::vector<OneHotGroup> folded_before(const std::vector<std::string>& names,
                                       const std::vector<NeededColumn>& needed) {
  std::set<std::string> needed_names;
  for (const NeededColumn& column : needed) needed_names.insert(column.name);
  const std::set<std::string> there(names.begin(), names.end());
  std::vector<OneHotGroup> found;
  for (const NeededColumn& column : needed) {
    const bool labels = column.kind == AttributeKind::nominal;
    if (!column.required || !labels || there.count(column.name) > 0) continue;
    const Rests rests = rests_of(column.name, names, needed_names);
    if (rests.size() < least_folded) continue;
    const std::size_t separators = common_separators(rests);
    std::map<std::string, std::size_t> by_label;
    for (const auto& [i, rest] : rests) by_label.emplace(rest.substr(separators), i);
    OneHotGroup& folded = found.emplace_back();
    folded.name = column.name;
    for (const auto& [label, i] : by_label) {
      folded.labels.push_back(label);
      folded.columns.push_back(i);
    }
  }
  return found;
}

bool ColumnPlan::is_missing(std::string_view token) const noexcept {
  if (std::find(missing.begin(), missing.end(), token) != missing.end()) return true;
  if (missing_numbers.empty()) return false;
  const std::optional<double> number = parse_number(token);
  return number && std::find(missing_numbers.begin(), missing_numbers.end(), *number) !=
                       missing_numbers.end();
}

const std::string* ColumnPlan::same_number(std::string_view token) const noexcept {
  if (!needed || !are_label_numbers(order)) return nullptr;
  const auto found = find_label(order, token);
  return found ? &order[*found] : nullptr;
}

std::vector<ColumnPlan> plan_columns(const std::vector<DeclaredColumn>& declared,
                                     const ImportOptions& options, const Report& report) {
  std::vector<ColumnPlan> plans = named_plans(declared, report);
  const std::vector<std::string> missing = missing_tokens(options);
  const std::string& prefix = options.option_prefix;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].option_prefix = prefix;
    apply_declaration(declared[i], options, missing, plans[i]);
  }
  const PlanIndex index(plans);
  if (options.schema) {
    for (const Column& column : options.schema->columns) {
      // Other data than those that the schema was made for may lack what nobody needs.
      if (options.only_needed && index.find(column.name) == nullptr) continue;
      apply_schema(column, index.in_schema(column.name, options.schema->file));
    }
  }
  for (const std::string& name : options.nominal) {
    ColumnPlan& plan = index.at(name, prefix + "nominal");
    if (plan.kind != AttributeKind::nominal) plan.allowed.clear();
    plan.order.clear();
    plan.kind = AttributeKind::nominal;
    plan.source = prefix + "nominal";
    plan.chosen = true;
  }
  if (!options.target.empty()) {
    for (ColumnPlan& plan : plans) {
      if (plan.role == ColumnRole::target) plan.role = ColumnRole::input;
    }
    index.at(options.target, prefix + "class").role = ColumnRole::target;
  }
  for (const std::string& name : options.kept) {
    ColumnPlan* const plan = index.find(name);
    if (plan != nullptr && !plan->role) plan->role = ColumnRole::input;
  }
  for (const NeededColumn& column : options.needed) {
    if (ColumnPlan* const plan = index.find(column.name)) apply_need(column, options, *plan);
  }
  for (const OneHotGroup& folded : folded_before(names_of(plans), options.needed)) {
    for (const std::size_t i : folded.columns) {
      apply_need({plans[i].name, AttributeKind::nominal}, options, plans[i]);
    }
  }
  for (const std::string& name : options.ignore) {
    index.at(name, prefix + "ignore").role = ColumnRole::ignore;
  }
  for (const std::string& name : options.excluded) {
    if (ColumnPlan* const plan = index.find(name)) plan->excluded = !plan->needed;
  }
  settle_roles(plans, options.only_needed);
  for (ColumnPlan& plan : plans) {
    for (const std::string& token : plan.missing) {
      if (const auto number = label_number(token)) plan.missing_numbers.push_back(*number);
    }
  }
  return plans;
}

std::vector<std::string> names_of(const std::vector<ColumnPlan>& plans) {
  std::vector<std::string> names;
  names.reserve(plans.size());
  for (const ColumnPlan& plan : plans) names.push_back(plan.name);
  return names;
}

void expect_required(const std::vector<ColumnPlan>& plans, const ImportOptions& options,
                     const std::string& file) {
  const std::vector<std::string> names = names_of(plans);
  const std::set<std::string> there(names.begin(), names.end());
  std::set<std::string> folded;
  for (const OneHotGroup& group : folded_before(names, options.needed)) folded.insert(group.name);
  for (const NeededColumn& column : options.needed) {
    if (column.required && there.count(column.name) == 0 && folded.count(column.name) == 0) {
      throw BadData(file, missing_column(column.name, names));
    }
  }
}

}  // namespace atl::io
