#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/data/transactions/transaction_set.hpp"
#include "src/exhaustive/itemsets/itemset_counter.hpp"
#include "src/exhaustive/itemsets/itemsets.hpp"
#include "src/exhaustive/itemsets/parted_search.hpp"
#include "src/work/task.hpp"

namespace atl {

/// Numbers of sets by length from elsewhere, if they have come. May be asked often.
/// @param unwanted  asked between steps that take long
using PollCounts =
    std::function<std::optional<std::vector<std::uint64_t>>(const std::function<bool()>& unwanted)>;

/// A device's counter, and the device's name.
struct NamedCounter {
  std::unique_ptr<ItemsetCounter> counter;
  std::string device;
};

/// Transactions, and what is to be found in them.
struct ItemsetTaskParts {
  std::string data;  ///< what messages call them
  /// Reads the transactions, on the root. @throws what ends the job
  std::function<TransactionSet()> read;
  /// The least support that is meant, once the number of transactions is known.
  std::function<std::uint64_t(std::uint64_t transactions)> min_count;
  ItemsetLimits limits;  ///< but for the least support
  bool lists = true;     ///< sets are listed, not counted
  /// The text of sets whose items have these names.
  std::function<std::unique_ptr<ItemsetText>(const std::vector<std::string>& names, WriteText)>
      make_text;
  /// Makes what counts instead of this rank's cores, prepared for the limits. Collective. Null:
  /// nothing.
  std::function<NamedCounter(const TransactionSet&, const ItemsetLimits&)> make_counter;
  /// Makes what counts beside one rank's cores. Null: nothing.
  std::function<PollCounts(const TransactionSet&, const ItemsetLimits&)> make_rival;
};

/// All frequent itemsets of transactions, counted or listed; one round. Pieces are ranges of the
/// loops that the search runs through.
class ItemsetTask final : public Task {
 public:
  explicit ItemsetTask(ItemsetTaskParts parts);

  PieceTraits traits() const override;
  void prepare(Worker& worker) override;
  Identity identity() const override;
  std::vector<Piece> pieces(int ranks) override;
  void expect(const Piece& piece) const override;
  std::vector<Piece> split(const Piece& piece, int ranks) const override;
  std::uint32_t depth(const Piece& piece) const override;
  std::uint64_t amount(const std::vector<Piece>& pieces) const override;
  void merge(std::span<const std::byte> found) override;
  void save(ByteWriter& out) override;
  void load(ByteReader& in) override;
  bool is_answered(const std::function<bool()>& own_is_done) override;
  std::string finish(const WriteText& write) override;
  Done work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
            const std::stop_token& stop) override;
  std::optional<std::uint64_t> amount_left() override;

 private:
  Done count_on_device(const std::vector<SearchRange>& ranges, const std::stop_token& stop);

  ItemsetTaskParts parts_;
  ItemsetLimits limits_;
  std::optional<TransactionSet> transactions_;
  std::optional<PartedSearch> search_;  // none: there are fewer transactions than a set needs
  std::unique_ptr<ItemsetCounter> device_;
  std::string device_name_;
  ItemsetCounts device_work_;       // of this rank's device, but for what it has found
  const Report* report_ = nullptr;  // told of the device's work; null: others have devices, too
  PollCounts rival_;

  // Merged:
  ItemsetTally tally_;      // counted
  std::uint64_t sets_ = 0;  // listed
  std::optional<std::vector<std::uint64_t>> answer_;
};

/// Reads the transactions, on the root. @throws UsageError if they take more than the memory limit
TransactionSet read_within(const ItemsetTaskParts& parts, const MemoryLimit& memory);
/// A rank holds what comes beside what it makes of it. All ranks agree. Collective.
/// @throws UsageError if some rank's memory limit leaves too little for both
void expect_room_to_share(const std::optional<TransactionSet>& read, const Worker& worker);
/// "A100: searched in 0.123 s, ...": what a device has done.
std::string work_in_words(const std::string& device, const ItemsetCounts& work);
/// The identity of a search for itemsets. @param limits  with the least count
Identity itemset_identity(const TransactionSet& transactions, const ItemsetLimits& limits,
                          bool lists);
/// "17 sets in at least 5 of 100 transactions"
std::string sets_in_words(std::uint64_t sets, const ItemsetLimits& limits,
                          const TransactionSet& transactions);
/// "length\tsets", a line for each length that has sets.
std::string count_table(std::span<const std::uint64_t> counts);
/// The sum, at most 2^64 - 1.
std::uint64_t sum_of(std::span<const std::uint64_t> counts);

}  // namespace atl
