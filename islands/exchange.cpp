#include "islands/exchange.hpp"

#include <algorithm>
#include <numeric>

namespace atl {

std::vector<std::size_t> choose_emigrants(std::size_t population, std::size_t count,
                                          EmigrantChoice choice, RandomStream& stream,
                                          const Precedes& better) {
  std::vector<std::size_t> left(population);
  std::iota(left.begin(), left.end(), std::size_t{0});
  count = std::min(count, population);
  if (choice == EmigrantChoice::best) {
    std::partial_sort(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count), left.end(),
                      better);
    left.resize(count);
    return left;
  }
  std::vector<std::size_t> chosen;
  while (chosen.size() < count) {
    std::size_t place = stream.below(left.size());
    if (choice == EmigrantChoice::tournament) {
      const std::size_t other = stream.below(left.size());
      if (better(left[other], left[place])) place = other;
    }
    chosen.push_back(left[place]);
    left[place] = left.back();
    left.pop_back();
  }
  return chosen;
}

void erase_slots(std::vector<Individual>& population, std::span<const std::size_t> slots) {
  std::size_t kept = 0;
  auto next = slots.begin();
  for (std::size_t i = 0; i < population.size(); ++i) {
    if (next != slots.end() && *next == i) {
      ++next;
      continue;
    }
    if (kept != i) population[kept] = std::move(population[i]);
    ++kept;
  }
  population.resize(kept);
}

bool holds(std::span<const Individual> population, const Individual& like) {
  return std::any_of(population.begin(), population.end(), [&](const Individual& individual) {
    return individual.key == like.key && individual.rule == like.rule;
  });
}

double rule_similarity(const Rule& a, const Rule& b) {
  const auto halves = [](const Expression& of, const Expression& other) {
    std::size_t sum = 0;
    for (const Comparison& comparison : of.comparisons()) {
      std::size_t best = 0;
      for (const Comparison& its : other.comparisons()) {
        if (its == comparison) best = 2;
        if (its.attribute == comparison.attribute) best = std::max<std::size_t>(best, 1);
      }
      sum += best;
    }
    return sum;
  };
  const std::size_t comparisons = a.comparisons() + b.comparisons();
  if (comparisons == 0) return 1;
  const std::size_t sum = halves(a.antecedent, b.antecedent) + halves(b.antecedent, a.antecedent) +
                          halves(a.consequent, b.consequent) + halves(b.consequent, a.consequent);
  return static_cast<double>(sum) / static_cast<double>(2 * comparisons);
}

Residents::Residents(std::size_t count) : slots_(count) {
  std::iota(slots_.begin(), slots_.end(), std::size_t{0});
}

std::optional<std::size_t> Residents::place_of(
    Replacement replacement, RandomStream& stream, const Precedes& worse,
    const std::function<double(std::size_t)>& alike) const {
  if (slots_.empty()) return {};
  switch (replacement) {
    case Replacement::worst:
      break;
    case Replacement::random:
      return slots_[stream.below(slots_.size())];
    case Replacement::similar:
      return *std::max_element(slots_.rbegin(), slots_.rend(),
                               [&](std::size_t a, std::size_t b) { return alike(a) < alike(b); });
  }
  return *std::min_element(slots_.begin(), slots_.end(), worse);
}

void Residents::leave(std::size_t slot) {
  std::erase(slots_, slot);
}

}  // namespace atl
