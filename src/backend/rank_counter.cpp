#include "src/backend/rank_counter.hpp"

#include <cstddef>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "cuda/itemsets/itemset_counter.hpp"
#include "src/backend/choice.hpp"
#include "src/core/agreement.hpp"
#include "src/core/text/near_names.hpp"

namespace atl {

NamedCounter counter_of_rank(const Machine& machine, const TransactionSet& transactions,
                             const ItemsetLimits& limits, Communicator& ranks,
                             const Report& report) {
  const BackendChoice choice = choose_backend(machine, {transactions.size()}, ranks);
  std::unique_ptr<ItemsetCounter> counter;
  on_all(ranks, [&] {
    counter = cuda::make_itemset_counter(transactions, choice.options);
    counter->prepare(limits);
  });
  if (ranks.size() == 1) return {std::move(counter), choice.device->name};
  report(Severity::info,
         fmt::format("each of {} counts on {}: {}",
                     counted(static_cast<std::size_t>(ranks.size()), "rank"),
                     choice.sharing > 1 ? "a GPU shared with others" : "a GPU of its own",
                     choice.device->name));
  return {std::move(counter), choice.device->name};
}

}  // namespace atl
