#include "src/data/dependences/dependence.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "src/data/dependences/determination.hpp"
#include "src/data/dependences/groups.hpp"
#include "src/data/dependences/sample.hpp"

namespace atl {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_attributes = 2048;  // of which pairs are looked at

bool contains(const AttributeGroup& ascending, std::uint32_t attribute) noexcept {
  return std::binary_search(ascending.begin(), ascending.end(), attribute);
}

bool is_constant(const Attribute& attribute) {
  return std::count_if(attribute.counts.begin(), attribute.counts.end(),
                       [](std::uint64_t rows) { return rows > 0; }) < 2;
}

}  // namespace

Dependences::Dependences(DependencesFound found, std::size_t attributes)
    : found_(std::move(found)),
      class_of_(attributes),
      told_by_(attributes),
      one_hot_group_(attributes, none) {
  for (std::uint32_t a = 0; a < attributes; ++a) class_of_[a] = a;
  for (const AttributeGroup& copies : found_.copies)
    for (const std::uint32_t a : copies) class_of_[a] = copies.front();
  const auto add = [&](std::uint32_t by, std::uint32_t told) {
    told_by_[class_of_[told]].push_back(class_of_[by]);
  };
  for (const Determination& one : found_.determinations) add(one.by, one.told);
  for (const Sum& sum : found_.sums) {
    for (const std::uint32_t part : {sum.first, sum.second}) {
      add(sum.whole, part);
      add(part, sum.whole);
    }
  }
  for (AttributeGroup& classes : told_by_) {
    std::sort(classes.begin(), classes.end());
    classes.erase(std::unique(classes.begin(), classes.end()), classes.end());
  }
  for (std::uint32_t g = 0; g < found_.one_hot.size(); ++g)
    for (const std::uint32_t a : found_.one_hot[g]) one_hot_group_[class_of_[a]] = g;
}

bool Dependences::tells(std::uint32_t a, std::uint32_t b) const noexcept {
  if (a >= class_of_.size() || b >= class_of_.size() || a == b) return false;
  return class_of_[a] == class_of_[b] || contains(told_by_[class_of_[b]], class_of_[a]);
}

std::optional<std::size_t> Dependences::group_of(std::uint32_t attribute) const noexcept {
  if (attribute >= class_of_.size()) return std::nullopt;
  const std::uint32_t group = one_hot_group_[class_of_[attribute]];
  if (group == none) return std::nullopt;
  return group;
}

bool Dependences::relates(std::span<const std::uint32_t> antecedent,
                          std::uint32_t consequent) const {
  for (const std::uint32_t a : antecedent)
    if (tells(a, consequent)) return true;
  const auto group = group_of(consequent);
  if (!group || antecedent.empty()) return false;
  if (std::all_of(antecedent.begin(), antecedent.end(),
                  [&](std::uint32_t a) { return group_of(a) == group; }))
    return true;
  const auto named = [&](std::uint32_t member) {
    return class_of_[member] == class_of_[consequent] ||
           std::any_of(antecedent.begin(), antecedent.end(), [&](std::uint32_t a) {
             return a < class_of_.size() && class_of_[a] == class_of_[member];
           });
  };
  const AttributeGroup& members = found_.one_hot[*group];
  return std::all_of(members.begin(), members.end(), named);
}

const AttributeGroup* Dependences::one_hot_of(std::uint32_t attribute) const noexcept {
  const auto group = group_of(attribute);
  if (!group || !contains(found_.one_hot[*group], attribute)) return nullptr;
  return &found_.one_hot[*group];
}

AttributeGroup Dependences::telling(std::uint32_t attribute) const {
  AttributeGroup found;
  const auto group = group_of(attribute);
  for (std::uint32_t a = 0; a < class_of_.size(); ++a) {
    if (a == attribute) continue;
    if (tells(a, attribute) || (group && group_of(a) == group)) found.push_back(a);
  }
  return found;
}

Dependences find_dependences(const Dataset& exact, ThreadPool& pool) {
  const auto attributes = exact.attributes();
  DependencesFound found;
  AttributeGroup varied;
  for (std::uint32_t a = 0; a < attributes.size(); ++a)
    (is_constant(attributes[a]) ? found.constants : varied).push_back(a);
  if (exact.rows() > 0 && varied.size() > 1) {
    const DependenceSample sample(exact, varied, pool);
    found.copies = find_copies(sample, pool);
    if (varied.size() > most_attributes) {
      varied.resize(most_attributes);
      found.complete = false;
    }
    found.one_hot = find_one_hot(sample, varied);
    found.sums = find_sums(sample, varied, found.copies);
    found.complete =
        find_determinations(sample, varied, found.copies, pool, found.determinations) &&
        found.complete;
  }
  return {std::move(found), attributes.size()};
}

}  // namespace atl
