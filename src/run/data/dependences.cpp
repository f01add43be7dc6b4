#include "src/run/data/dependences.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "src/core/communicator.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/data/date.hpp"
#include "src/grammar/aim.hpp"

namespace atl {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(std::uint32_t attribute, std::span<const Attribute> attributes) {
  return printable(attributes[attribute].name);
}

std::vector<std::string> names_of(const AttributeGroup& group,
                                  std::span<const Attribute> attributes) {
  std::vector<std::string> names;
  for (const std::uint32_t a : group) names.push_back(name_of(a, attributes));
  return names;
}

/// "a", "a and b", "a, b and c", "a, b, c, ... and 5 more".
std::string in_words(std::vector<std::string> items) {
  const std::size_t more = items.size() > most_listed ? items.size() - most_listed + 1 : 0;
  if (more > 0) {
    items.resize(items.size() - more);
    items.push_back(std::to_string(more) + " more");
  }
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  return text;
}

std::string value_text(const Attribute& attribute, std::size_t code) {
  return has_numbers(attribute.kind) ? value_text(attribute.low[code], attribute.kind)
                                     : printable(attribute.labels[code], 20);
}

/// "0", of an attribute without other values.
std::string only_value(const Attribute& attribute) {
  const auto& counts = attribute.counts;
  const auto used =
      std::find_if(counts.begin(), counts.end(), [](std::uint64_t rows) { return rows > 0; });
  if (used == counts.end()) return "no value";
  return value_text(attribute, static_cast<std::size_t>(used - counts.begin()));
}

std::string constants_line(const AttributeGroup& constants, std::span<const Attribute> attributes) {
  const std::uint32_t first = constants.front();
  if (constants.size() == 1)
    return fmt::format("{} is constant ({})", name_of(first, attributes),
                       only_value(attributes[first]));
  std::vector<std::string> items;
  for (const std::uint32_t a : constants)
    items.push_back(fmt::format("{} ({})", name_of(a, attributes), only_value(attributes[a])));
  return in_words(std::move(items)) + " are constant";
}

std::string one_hot_text(const AttributeGroup& group, std::span<const Attribute> attributes) {
  const std::string set = value_text(attributes[group.front()], 1);
  const bool alike = std::all_of(group.begin(), group.end(), [&](std::uint32_t a) {
    return value_text(attributes[a], 1) == set;
  });
  return fmt::format("{}: exactly one is {} in every row", listed(names_of(group, attributes)),
                     alike ? set : "set");
}

/// @param share  the greatest of those of `pairs` attributes
std::string but_for(double share, std::size_t pairs) {
  if (share == 0) return "";
  constexpr double least = 0.0001;
  const char* const at_most = pairs > 1 ? "at most " : "";
  if (share < least) return ", but for less than 0.01% of the rows";
  return fmt::format(", but for {}{:.2g}% of the rows", at_most, 100 * share);
}

double share_of(const Determination& one) {
  return static_cast<double>(one.exceptions) / static_cast<double>(one.rows);
}

std::vector<std::string> determination_lines(std::span<const Determination> all,
                                             std::span<const Attribute> attributes) {
  const auto reverse_of = [&](const Determination& one) {
    return std::find_if(all.begin(), all.end(), [&](const Determination& other) {
      return other.by == one.told && other.told == one.by;
    });
  };
  std::vector<std::string> lines;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(),
                                  [&](const Determination& one) { return one.by != begin->by; });
    AttributeGroup told;
    double greatest = 0;
    for (auto one = begin; one != end; ++one) {
      const auto reverse = reverse_of(*one);
      if (reverse == all.end()) {
        told.push_back(one->told);
        greatest = std::max(greatest, share_of(*one));
      } else if (one->by < one->told) {
        lines.push_back(fmt::format("{} and {} tell each other{}", name_of(one->by, attributes),
                                    name_of(one->told, attributes),
                                    but_for(std::max(share_of(*one), share_of(*reverse)), 1)));
      }
    }
    if (!told.empty())
      lines.push_back(fmt::format("{} tells {}{}", name_of(begin->by, attributes),
                                  in_words(names_of(told, attributes)),
                                  but_for(greatest, told.size())));
    begin = end;
  }
  return lines;
}

std::vector<std::string> all_lines(const DependencesFound& found,
                                   std::span<const Attribute> attributes) {
  std::vector<std::string> lines;
  for (const AttributeGroup& copies : found.copies)
    lines.push_back(in_words(names_of(copies, attributes)) + " tell each other");
  for (const AttributeGroup& group : found.one_hot)
    lines.push_back(one_hot_text(group, attributes));
  for (const AttributeGroup& group : found.missing_together)
    lines.push_back(in_words(names_of(group, attributes)) + " are missing together");
  for (const Sum& sum : found.sums)
    lines.push_back(fmt::format("{} = {} + {}", name_of(sum.whole, attributes),
                                name_of(sum.first, attributes), name_of(sum.second, attributes)));
  const auto others = determination_lines(found.determinations, attributes);
  lines.insert(lines.end(), others.begin(), others.end());
  if (!found.constants.empty()) lines.push_back(constants_line(found.constants, attributes));
  return lines;
}

}  // namespace

Dependences dependences_of(const JobRows& rows, ThreadPool& pool) {
  return find_dependences(rows.exact ? rows.exact->search : rows.search, pool);
}

std::vector<std::uint32_t> target_attributes(const Experiment& experiment,
                                             std::span<const Attribute> attributes) {
  std::vector<std::uint32_t> targets;
  for (std::uint32_t a = 0; a < attributes.size(); ++a)
    if (attributes[a].role == AttributeRole::target) targets.push_back(a);
  for (const auto& [island, its] : experiment.by_island()) {
    const BoundAim aim = bind_aim(its.aim, attributes);
    for (const Comparison& target : aim.targets) targets.push_back(target.attribute);
    targets.insert(targets.end(), aim.target_attributes.begin(), aim.target_attributes.end());
    if (its.aim.consequent.size() == 1)
      targets.insert(targets.end(), aim.consequent.begin(), aim.consequent.end());
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

std::vector<std::string> dependence_lines(const Dependences& dependences,
                                          std::span<const Attribute> attributes) {
  constexpr std::size_t most = 10;
  std::vector<std::string> lines = all_lines(dependences.found(), attributes);
  if (lines.size() > most) {
    const std::size_t more = lines.size() - most;
    lines.resize(most);
    lines.push_back(fmt::format("and {} more", more));
  }
  if (!dependences.found().complete)
    lines.emplace_back("there are too many attributes to look at all pairs of them");
  return lines;
}

std::vector<std::string> leak_lines(const Dependences& dependences,
                                    std::span<const Attribute> attributes,
                                    std::span<const std::uint32_t> targets,
                                    std::span<const std::string> excluded) {
  std::vector<std::string> lines;
  for (const std::uint32_t target : targets) {
    AttributeGroup telling = dependences.telling(target);
    std::erase_if(telling, [&](std::uint32_t a) {
      return std::find(excluded.begin(), excluded.end(), attributes[a].name) != excluded.end();
    });
    const std::vector<std::string> names = names_of(telling, attributes);
    if (names.empty()) continue;
    const bool one = names.size() == 1;
    lines.push_back(fmt::format("leak? {} {} {}, a target; --exclude leaves {} out of rules",
                                in_words(names), one ? "tells" : "tell",
                                name_of(target, attributes), one ? "it" : "them"));
  }
  return lines;
}

Json dependences_json(const Dependences& dependences, std::span<const Attribute> attributes) {
  const DependencesFound& found = dependences.found();
  const auto name = [&](std::uint32_t a) { return attributes[a].name; };
  const auto names = [&](const AttributeGroup& group) {
    Json list = Json::array();
    for (const std::uint32_t a : group) list.push_back(name(a));
    return list;
  };
  const auto groups = [&](const std::vector<AttributeGroup>& all) {
    Json list = Json::array();
    for (const AttributeGroup& group : all) list.push_back(names(group));
    return list;
  };
  Json sums = Json::array(), determinations = Json::array();
  for (const Sum& sum : found.sums)
    sums.push_back({{"whole", name(sum.whole)}, {"parts", names({sum.first, sum.second})}});
  for (const Determination& one : found.determinations)
    determinations.push_back({{"by", name(one.by)},
                              {"told", name(one.told)},
                              {"rows", one.rows},
                              {"exceptions", one.exceptions}});
  return {{"constants", names(found.constants)},
          {"copies", groups(found.copies)},
          {"one_hot", groups(found.one_hot)},
          {"missing_together", groups(found.missing_together)},
          {"sums", std::move(sums)},
          {"determinations", std::move(determinations)},
          {"complete", found.complete}};
}

void report_dependences(const Dependences& dependences, const Experiment& experiment,
                        std::span<const Attribute> attributes, const Report& report) {
  const auto lines = dependence_lines(dependences, attributes);
  if (!lines.empty())
    report(Severity::info, experiment.definitions == DefinitionChoice::apart
                               ? "attributes that depend on each other; rules that only say so are "
                                 "kept apart (--definitions):"
                               : "attributes that depend on each other:");
  for (const std::string& line : lines) report(Severity::info, "  " + line);
  const auto targets = target_attributes(experiment, attributes);
  for (const std::string& line :
       leak_lines(dependences, attributes, targets, experiment.aim.exclude))
    report(Severity::warning, line);
}

}  // namespace atl
