// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "src/eval/list_kernel.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

// The first is needed for vpopcntq; arrays of vectors need a size known to the compiler.
#define HWY_WANT_AVX3_DL
#ifndef HWY_DISABLED_TARGETS  // builds with sanitizers make fewer variants
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/eval/list_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "src/eval/list_words-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace atl {
namespace HWY_NAMESPACE {

static_assert(hn::MaxLanes(Lane()) <= tally_lanes);

// The words of a group's operands and shared antecedents on a tile.
void fill_slots(const ListBatch& batch, const ListGroup& group, const std::uint64_t* planes,
                const Tile& rows, std::uint64_t* slots) {
  std::uint64_t* to = slots;
  for (std::uint32_t o = group.first_operand; o < group.end_operand; ++o, to += tile_words) {
    store(operand_words(batch.operands()[o], planes), to);
  }
  const std::uint32_t* stream = batch.stream().data() + group.stream;
  for (std::uint32_t s = group.first_shared; s < group.end_shared; ++s, to += tile_words) {
    store(antecedent_words(stream, slots, rows), to);
  }
}

// Rows of a tile; all ones but for the last of a class.
Tile tile_rows(const ClassTile& tile) {
  alignas(AlignedWords::alignment) std::uint64_t words[tile_words];
  for (std::size_t w = 0; w < tile_words; ++w) {
    const std::size_t left = tile.rows > w * 64 ? tile.rows - w * 64 : 0;
    words[w] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }
  return load(words);
}

HWY_INLINE void add_to(std::uint64_t* tally, Vector sum) {
  hn::Store(hn::Add(hn::Load(Lane(), tally), sum), Lane(), tally);
}

HWY_INLINE bool stands_alone(std::uint32_t word) {
  return (word & ((1U << list_code_bits) - 1)) != static_cast<std::uint32_t>(ListCode::slot);
}

void run_all(const ListBatch& batch, const ListGroup& group, const Tile& rows, std::uint64_t* slots,
             std::uint64_t* tally) {
  const Tile ones = spread_tile(~std::uint32_t{0});
  for (std::uint32_t list = group.first_list; list < group.end_list; ++list) {
    const std::uint32_t* stream = batch.stream().data() + batch.list_stream()[list];
    const std::uint32_t entries = batch.first_entry()[list + 1] - batch.first_entry()[list];
    Tile undecided = ones;
    for (std::uint32_t e = 0; e < entries; ++e, tally += tally_lanes) {
      const bool alone = stands_alone(*stream);
      const Tile covered = antecedent_words(stream, slots, rows);
      const Vector decided = count(both(covered, undecided));
      undecided = without(undecided, covered);
      Vector sum = hn::ShiftLeft<decided_shift>(decided);
      if (alone) sum = hn::Add(sum, count(covered));
      add_to(tally, sum);
    }
  }
  for (std::uint32_t s = 0; s < group.shared(); ++s, tally += tally_lanes) {
    add_to(tally, count(load(slots + (group.operands() + s) * tile_words)));
  }
}

void run_coverage(const ListBatch& batch, const ListGroup& group, const Tile& rows,
                  const std::uint64_t* slots, std::uint64_t* coverage) {
  for (std::uint32_t list = group.first_list; list < group.end_list; ++list) {
    const std::uint32_t* stream = batch.stream().data() + batch.list_stream()[list];
    const std::uint32_t entries = batch.first_entry()[list + 1] - batch.first_entry()[list];
    for (std::uint32_t e = 0; e < entries; ++e, coverage += tile_words) {
      const bool alone = stands_alone(*stream);
      const Tile covered = antecedent_words(stream, slots, rows);
      if (alone) store(covered, coverage);
    }
  }
  for (std::uint32_t s = 0; s < group.shared(); ++s, coverage += tile_words) {
    store(load(slots + (group.operands() + s) * tile_words), coverage);
  }
}

// Place of an entry's rows in the coverage of a tile, in antecedents.
std::size_t place_of(const ListBatch& batch, const ListGroup& group, std::uint32_t entry) {
  const std::uint32_t counter = batch.covered_by()[entry];
  if (counter < batch.entries()) return counter - group.first_entry;
  return group.end_entry - group.first_entry + (counter - batch.entries() - group.first_shared);
}

void run_rule_fitness(const ListBatch& batch, const ListGroup& group, const std::uint64_t* coverage,
                      std::uint64_t* tallies) {
  const std::uint32_t entries = group.end_entry - group.first_entry;
  for (std::uint32_t e = 0; e < entries; ++e) {
    if (batch.covered_by()[group.first_entry + e] != group.first_entry + e) continue;
    add_to(tallies + e * tally_lanes, count(load(coverage + e * tile_words)));
  }
  for (std::uint32_t s = entries; s < entries + group.shared(); ++s) {
    add_to(tallies + s * tally_lanes, count(load(coverage + s * tile_words)));
  }
}

void run_classification(const ListBatch& batch, const ListGroup& group,
                        const std::uint64_t* coverage, std::uint64_t* decided) {
  for (std::uint32_t list = group.first_list; list < group.end_list; ++list) {
    Tile undecided = spread_tile(~std::uint32_t{0});
    for (std::uint32_t e = batch.first_entry()[list]; e < batch.first_entry()[list + 1]; ++e) {
      const Tile covered = load(coverage + place_of(batch, group, e) * tile_words);
      store(both(covered, undecided), decided);
      undecided = without(undecided, covered);
      decided += tile_words;
    }
  }
}

void run_set_fitness(const ListGroup& group, const std::uint64_t* decided, std::uint64_t* tallies) {
  for (std::uint32_t e = group.first_entry; e < group.end_entry; ++e) {
    add_to(tallies, hn::ShiftLeft<decided_shift>(count(load(decided))));
    tallies += tally_lanes;
    decided += tile_words;
  }
}

void run_lists_here(ListWork work, const ListBatch& batch, const ListGroup& group,
                    const ClassTiles& tiles, const ListTiles& where, ListScratch& scratch) {
  const std::size_t entries = group.end_entry - group.first_entry;
  std::uint64_t* coverage = where.coverage;
  std::uint64_t* decided = where.decided;
  for (std::size_t t = where.first; t < where.end; ++t) {
    const Tile rows = tile_rows(tiles.tiles()[t]);
    switch (work) {
      case ListWork::all:
        fill_slots(batch, group, tiles.tile(t), rows, scratch.slots());
        run_all(batch, group, rows, scratch.slots(), scratch.tallies());
        break;
      case ListWork::coverage:
        fill_slots(batch, group, tiles.tile(t), rows, scratch.slots());
        run_coverage(batch, group, rows, scratch.slots(), coverage);
        break;
      case ListWork::rule_fitness:
        run_rule_fitness(batch, group, coverage, scratch.tallies());
        break;
      case ListWork::classification:
        run_classification(batch, group, coverage, decided);
        break;
      case ListWork::set_fitness:
        run_set_fitness(group, decided, scratch.tallies());
        break;
    }
    if (work == ListWork::all) continue;  // keeps neither
    coverage += (entries + group.shared()) * tile_words;
    decided += entries * tile_words;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace atl
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl {
namespace {
HWY_EXPORT(run_lists_here);

/// Zero from the first on.
void grow(AlignedWords& words, std::size_t size) {
  if (words.size() < size) words = AlignedWords(size);
}
}  // namespace

void run_lists(ListWork work, const ListBatch& batch, const ListGroup& group,
               const ClassTiles& tiles, const ListTiles& where, ListScratch& scratch) {
  HWY_DYNAMIC_DISPATCH(run_lists_here)(work, batch, group, tiles, where, scratch);
}

void ListScratch::reserve(const ListGroup& group) {
  grow(slots_, group.slots() * tile_words);
  grow(tallies_, (group.end_entry - group.first_entry + group.shared()) * tally_lanes);
}

void ListScratch::flush(const ListBatch& batch, const ListGroup& group, std::uint64_t* covered,
                        std::uint64_t* decided) {
  constexpr std::uint64_t low = (std::uint64_t{1} << decided_shift) - 1;
  std::uint64_t* lanes = tallies_.data();
  const auto take = [&] {
    std::uint64_t below = 0;
    std::uint64_t above = 0;
    for (std::uint64_t* const end = lanes + tally_lanes; lanes != end; ++lanes) {
      below += *lanes & low;
      above += *lanes >> decided_shift;
      *lanes = 0;
    }
    return std::pair(below, above);
  };
  for (std::uint32_t e = group.first_entry; e < group.end_entry; ++e) {
    const auto [below, above] = take();
    covered[e] += below;
    decided[e] += above;
  }
  for (std::uint32_t s = group.first_shared; s < group.end_shared; ++s) {
    covered[batch.entries() + s] += take().first;
  }
}

}  // namespace atl
#endif
