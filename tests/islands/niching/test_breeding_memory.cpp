// Breeding must not allocate once its buffers have grown: this program counts what it does.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "islands/niching/niching.hpp"
#include "tests/islands/planted_table.hpp"

namespace {

std::atomic<std::size_t> allocations = 0;  // since the program began

}  // namespace

// None of them is put into its callers, where compilers would see malloc against delete.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* const memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}

// What it gives is taken back by the operator below, too (std::stable_sort).
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes);
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace atl::test {

TEST(BreedingMemory, NothingIsAllocatedOnceBuffersHaveGrown) {
  const Dataset dataset = planted_table(20'000, true);
  const BoundGrammar grammar = association_grammar(dataset);
  Experiment experiment = small_experiment("niching");
  experiment.population = 100;
  ThreadPool pool(1);
  const auto resident = make_cpu_device(pool)->load(dataset);
  Niching niching(experiment, grammar, *resident);
  IslandState state;
  Offspring offspring;
  std::size_t offered = 0;
  const Offer offer = [&](const Individual&, std::uint32_t) { ++offered; };
  std::vector<Rule> rules;
  std::vector<RuleStatistics> counts;
  for (std::uint32_t generation = 0; generation < 40; ++generation) {
    std::size_t before = allocations;
    breed(niching, state, generation, offspring);
    const std::size_t bred = allocations - before;
    rules.clear();
    for (const Individual& child : offspring.fresh) rules.push_back(child.rule);
    counts.resize(rules.size());
    counts = resident->count(rules, niching.options());
    for (std::size_t i = 0; i < rules.size(); ++i) offspring.fresh[i].statistics = counts[i];
    before = allocations;
    niching.replace(state, offspring, generation, offer);
    const std::size_t replaced = allocations - before;
    ASSERT_FALSE(niching.own().stagnant);
    // Children have no parents in generation 0; in 1 the index grows by them.
    if (generation < 2) {
      EXPECT_GT(bred, 0U);
    } else {
      EXPECT_EQ(bred, 0U) << generation;
      EXPECT_EQ(replaced, 0U) << generation;
    }
  }
  EXPECT_GT(offered, 0U);
}

}  // namespace atl::test
