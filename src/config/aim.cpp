#include "src/config/aim.hpp"

#include <algorithm>
#include <iterator>

#include "src/core/error.hpp"

namespace atl {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string quoted(const std::string& name) {
  return "'" + printable(name) + "'";
}

void check_names(const std::string& option, const Names& names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty()) throw UsageError(option + ": a name is empty");
    if (std::find(std::next(name), names.end(), *name) != names.end())
      throw UsageError(option + " names " + quoted(*name) + " twice");
  }
}

void expect_disjoint(const std::string& option, const Names& names, const Names& excluded) {
  for (const std::string& name : names)
    if (contains(excluded, name))
      throw UsageError(option + " and --exclude both name " + quoted(name));
}

}  // namespace

std::optional<NumericTarget> Aim::numeric_target() const {
  for (const std::string& text : target)
    if (auto numeric = parse_numeric_target(text)) return numeric;
  return std::nullopt;
}

bool Aim::concludes_mean() const {
  const auto numeric = numeric_target();
  return numeric && numeric->statistic == NumericTarget::Statistic::mean;
}

bool Aim::concludes_quantile() const {
  const auto numeric = numeric_target();
  return numeric && numeric->statistic == NumericTarget::Statistic::quantile;
}

void Aim::validate() const {
  check_names("--target", target);
  check_names("--antecedent", antecedent);
  check_names("--consequent", consequent);
  check_names("--require", require);
  check_names("--exclude", exclude);
  if (target.size() > 1 && contains(target, std::string(no_target)))
    throw UsageError("--target none goes with no other target");
  expect_disjoint("--antecedent", antecedent, exclude);
  expect_disjoint("--consequent", consequent, exclude);
  expect_disjoint("--require", require, exclude);
  if (const auto numeric = numeric_target()) {
    if (target.size() > 1)
      throw UsageError("--target: a mean or a quantile goes with no other target");
    if (contains(antecedent, numeric->attribute) || contains(require, numeric->attribute))
      throw UsageError(quoted(numeric->attribute) +
                       " is the target, and so for no antecedent and not for --require");
  }
  if (has_target() && !consequent.empty())
    throw UsageError("--target and --consequent both say what rules conclude; give one of them");
  if (antecedent.size() == 1 && antecedent == consequent)
    throw UsageError("--antecedent and --consequent leave both sides the same attribute, " +
                     quoted(antecedent[0]));
  if (require.size() > most_required)
    throw UsageError("--require names " + std::to_string(require.size()) +
                     " attributes, expected at most " + std::to_string(most_required));
  if (antecedent.empty() || consequent.empty()) return;
  for (const std::string& name : require)
    if (!contains(antecedent, name) && !contains(consequent, name))
      throw UsageError("--require names " + quoted(name) +
                       ", which neither --antecedent nor --consequent allows");
}

}  // namespace atl
