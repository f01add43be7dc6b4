#include "src/grammar/aim.hpp"

#include <algorithm>
#include <utility>

#include "src/config/numeric_target.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/data/transactions/item_attribute.hpp"
#include "src/grammar/absences.hpp"
#include "src/grammar/missing_comparisons.hpp"
#include "src/rules/rule_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl {
namespace {

using Ids = std::vector<std::uint32_t>;

constexpr const char* target_option = "--target";

bool contains(const Ids& sorted, std::uint32_t attribute) {
  return std::binary_search(sorted.begin(), sorted.end(), attribute);
}

void make_set(Ids& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

class AimBinder {
 public:
  AimBinder(const Aim& aim, std::span<const Attribute> attributes)
      : aim_(aim), attributes_(attributes) {}

  BoundAim bind() {
    if (aim_.has_target())
      for (const std::string& text : aim_.target) read_target(text);
    make_set(bound_.target_attributes);
    make_set(concluded_);
    bound_.require = ids("--require", aim_.require);
    for (const std::uint32_t a : bound_.require) expect_varied("--require", a);
    const Ids excluded = ids("--exclude", aim_.exclude);
    for (const std::uint32_t a : concluded_)
      if (contains(excluded, a)) throw UsageError("--target and --exclude both name " + quoted(a));
    bound_.antecedent = allowed("--antecedent", aim_.antecedent, excluded);
    bound_.consequent =
        aim_.has_target() ? concluded_ : allowed("--consequent", aim_.consequent, excluded);
    part_sides();
    for (const std::uint32_t a : bound_.require)
      if (!contains(bound_.antecedent, a) && !contains(bound_.consequent, a))
        throw UsageError("--require names " + quoted(a) + ", which no side of a rule may name");
    return std::move(bound_);
  }

 private:
  std::string quoted(std::uint32_t attribute) const {
    return in_quotes(attributes_[attribute].name);
  }

  std::uint32_t id(const std::string& option, const std::string& name) const {
    const auto found = std::find_if(attributes_.begin(), attributes_.end(),
                                    [&](const Attribute& a) { return a.name == name; });
    if (found != attributes_.end()) return static_cast<std::uint32_t>(found - attributes_.begin());
    std::vector<std::string> names;
    for (const Attribute& a : attributes_) names.push_back(a.name);
    throw UsageError(option + (are_items(attributes_) ? ": no item " : ": no attribute ") +
                     in_quotes(name) + suggestion(name, names));
  }

  Ids ids(const std::string& option, const std::vector<std::string>& names) const {
    Ids found;
    for (const std::string& name : names) found.push_back(id(option, name));
    std::sort(found.begin(), found.end());
    return found;
  }

  void expect_varied(const std::string& option, std::uint32_t attribute) const {
    if (attributes_[attribute].distinct() < 2)
      throw UsageError(option + ": " + quoted(attribute) +
                       " has fewer than two values, nothing can be said about it");
  }

  /// The attributes that are named, or all if none is, but not the excluded.
  Ids allowed(const std::string& option, const std::vector<std::string>& names,
              const Ids& excluded) const {
    Ids named = ids(option, names);
    if (!named.empty()) return named;
    for (std::uint32_t a = 0; a < attributes_.size(); ++a)
      if (!contains(excluded, a)) named.push_back(a);
    return named;
  }

  void read_target(const std::string& text) {
    if (const auto statistic = parse_numeric_target(text)) {
      add_statistic(*statistic, text);
      return;
    }
    const std::string source = std::string(target_option).append(" ").append(in_quotes(text));
    refuse_function(text, source);
    try {
      Scanner scanner(text, source, Scanner::Comments::none);
      const std::string name =
          scanner.name_or_value(relation_characters, "the name of an attribute");
      const std::uint32_t attribute = id(target_option, name);
      expect_varied(target_option, attribute);
      concluded_.push_back(attribute);
      if (scanner.at_end() && !attributes_[attribute].item)
        throw UsageError(source + ": expected a comparison; '" + printable(text) +
                         "=*' is any on this attribute");
      const bool any = scanner.accept("=") && scanner.accept("*") && scanner.at_end();
      if (any && attributes_[attribute].item)
        bound_.targets.push_back({attribute, item_present, item_present, false});
      else if (any)
        bound_.target_attributes.push_back(attribute);
      else
        add_comparison(text, source);
    } catch (const BadCell& error) {
      throw UsageError(source + ": " + problem(error));
    }
  }

  /// Calls of what is no function; not what begins with an attribute's name.
  void refuse_function(const std::string& text, const std::string& source) const {
    const std::size_t open = text.find('(');
    if (open == 0 || open == std::string::npos || !text.ends_with(')')) return;
    const std::string name = text.substr(0, text.find_last_not_of(' ', open - 1) + 1);
    if (name.empty() || name.find_first_of("=<>!\"") != std::string::npos) return;
    const auto begins = [&](const Attribute& a) {
      return text.starts_with(a.name) &&
             (a.name.size() >= name.size() || name[a.name.size()] == ' ');
    };
    if (std::any_of(attributes_.begin(), attributes_.end(), begins)) return;
    throw UsageError(source + ": no function " + in_quotes(name) +
                     ", expected mean(ATTRIBUTE) or quantile(ATTRIBUTE, SHARE)");
  }

  void add_statistic(const NumericTarget& statistic, const std::string& text) {
    const std::uint32_t id = this->id(target_option, statistic.attribute);
    const Attribute& attribute = attributes_[id];
    const std::string source = std::string(target_option).append(" ").append(in_quotes(text));
    if (attribute.kind != AttributeKind::numeric)
      throw UsageError(source + ": " + quoted(id) + " is " + to_string(attribute.kind) +
                       ", expected a numeric attribute");
    expect_varied(target_option, id);
    concluded_.push_back(id);
    if (statistic.statistic == NumericTarget::Statistic::mean) {
      bound_.targets.push_back({id, 0, attribute.distinct() - 1, false});
      return;
    }
    const std::uint32_t code = quantile_code(attribute, statistic.share);
    const auto relation = statistic.low ? Relation::less : Relation::greater;
    const auto beyond = make_comparison(id, relation, code, attribute.distinct());
    if (!beyond.satisfiable)
      throw UsageError(source + " is " + format_number(attribute.low[code]) + ", the " +
                       (statistic.low ? "least" : "greatest") +
                       " value, and no row lies beyond it");
    bound_.targets.push_back(beyond.comparison);
  }

  void add_comparison(const std::string& text, const std::string& source) {
    const Comparison comparison = parse_comparison(text, attributes_, source);
    const Attribute& attribute = attributes_[comparison.attribute];
    if (attribute.item &&
        comparison != Comparison{comparison.attribute, item_present, item_present, false})
      throw UsageError(source + ": rules on transactions only say which items are there");
    if (comparison.low == 0 && comparison.high + 1 == attribute.distinct())
      throw UsageError(source + " holds on every row with a value");
    bound_.targets.push_back(comparison);
  }

  /// Says more than the parser of rules can where a value is wrong, which is then one of the
  /// attribute that was read last.
  std::string problem(const BadCell& error) const {
    const std::string found = "found '" + error.found + "', expected " + error.expected;
    if (concluded_.empty()) return found;
    const Attribute& attribute = attributes_[concluded_.back()];
    if (error.expected.starts_with("a value of "))
      return "no value '" + error.found + "'" + suggestion(error.found, attribute.labels);
    if (attribute.binned() && error.expected.find(" that does not divide ") != std::string::npos)
      return found + "; --max-bins '" + printable(attribute.name) + "=0' keeps every value";
    return found;
  }

  /// Sides share no attribute: what one side must name is not for the other.
  void part_sides() {
    const auto usable = [&](const Ids& ids) {
      Ids varied;
      for (const std::uint32_t a : ids)
        if (attributes_[a].distinct() > 1) varied.push_back(a);
      return varied;
    };
    const auto take_from = [&](Ids& side, std::uint32_t attribute) {
      side.erase(std::remove(side.begin(), side.end(), attribute), side.end());
    };
    if (const Ids only = usable(bound_.consequent); only.size() == 1)
      take_from(bound_.antecedent, only[0]);
    else if (const Ids only_before = usable(bound_.antecedent); only_before.size() == 1)
      take_from(bound_.consequent, only_before[0]);
    if (usable(bound_.antecedent).empty())
      throw UsageError("the aim leaves no attribute with two values for antecedents");
    if (usable(bound_.consequent).empty())
      throw UsageError("the aim leaves no attribute with two values for consequents");
  }

  const Aim& aim_;
  std::span<const Attribute> attributes_;
  BoundAim bound_;
  Ids concluded_;  ///< attributes of the targets
};

/// Removes double quotes around all of it, which a list in a file needs and a comparison has not.
std::string unwrapped(const std::string& part) {
  const std::size_t first = part.find_first_not_of(" \t");
  const std::size_t last = part.find_last_not_of(" \t");
  if (first == std::string::npos || part[first] != '"') return part;
  const bool wrapped = part.find('"', first + 1) == last && last > first;
  return wrapped ? part.substr(first + 1, last - first - 1) : part;
}

}  // namespace

std::vector<std::string> split_targets(const std::string& text) {
  std::vector<std::string> parts(1);
  int open = 0;  // parentheses
  bool quoted = false;
  bool bracketed = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ',' && !quoted && !bracketed && open <= 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
    if (quoted && c == '\\' && i + 1 < text.size()) parts.back() += text[++i];
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == ']')) bracketed = c == '[';
    if (!quoted && (c == '(' || c == ')')) open += c == '(' ? 1 : -1;
  }
  for (std::string& part : parts) {
    part = unwrapped(part);
    if (part.find_first_not_of(" \t\n") == std::string::npos)
      throw UsageError("'" + printable(text) + "' has an empty part between commas");
  }
  return parts;
}

BoundAim bind_aim(const Aim& aim, std::span<const Attribute> attributes) {
  if (aim.open()) return {};
  return AimBinder(aim, attributes).bind();
}

std::map<std::uint32_t, BoundGrammar> bind_grammars(const Experiment& experiment,
                                                    std::span<const Attribute> attributes,
                                                    const std::string& source) {
  const bool absences = derives_absences(experiment, attributes);
  std::map<std::uint32_t, BoundGrammar> bound;
  for (const auto& [island, its] : experiment.by_island()) {
    const bool own = its.grammar != experiment.grammar || its.aim != experiment.aim;
    const std::string of = own ? "island_settings, of island " + std::to_string(island) : "";
    try {
      BoundAim aim = bind_aim(its.aim, attributes);
      aim.absences = absences;
      aim.missing = attributes_that_may_miss(its, attributes);
      bound.try_emplace(island,
                        BoundGrammar(Grammar::parse(its.grammar, own ? of + ", grammar" : source),
                                     attributes, its.max_length, aim));
    } catch (const UsageError& error) {
      if (!own) throw;
      throw UsageError(of + ": " + error.what());
    }
  }
  return bound;
}

}  // namespace atl
