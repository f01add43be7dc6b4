#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"
#include "src/exhaustive/levels/apriori.hpp"
#include "src/exhaustive/levels/candidates.hpp"
#include "src/exhaustive/levels/item_bitmaps.hpp"
#include "src/work/task.hpp"

namespace atl {

/// Makes what counts candidates, and says on what. @param work  the threads to count on
using MakeCandidateCounter =
    std::function<std::unique_ptr<CandidateCounter>(const ItemBitmaps&, const Worker& worker)>;

/// @throws UsageError if the bit columns of the frequent items take more than the memory left
void expect_room_for_columns(const TransactionSet& transactions, std::uint64_t min_count,
                             const MemoryLimit& memory);

/// All frequent itemsets level by level, on the root's device or cores; a round a level. Pieces are
/// ranges of the last level's sets.
class LevelTask final : public Task {
 public:
  /// @param parts  without counter and rival
  LevelTask(ItemsetTaskParts parts, MakeCandidateCounter make_counter);

  PieceTraits traits() const override;
  void prepare(Worker& worker) override;
  Identity identity() const override;
  std::vector<Piece> pieces(int ranks) override;
  void expect(const Piece& piece) const override;
  std::uint64_t amount(const std::vector<Piece>& pieces) const override;
  void merge(std::span<const std::byte>) override {}
  std::optional<Bytes> next() override;
  void save(ByteWriter& out) override;
  void load(ByteReader& in) override;
  std::string finish(const WriteText& write) override;
  Done work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
            const std::stop_token& stop) override;

 private:
  ItemsetTaskParts parts_;
  MakeCandidateCounter make_counter_;
  // On the root:
  ItemsetLimits limits_;
  std::optional<TransactionSet> transactions_;
  std::optional<ItemBitmaps> bitmaps_;
  std::unique_ptr<CandidateCounter> counter_;
  std::optional<LevelSearch> search_;
};

}  // namespace atl
