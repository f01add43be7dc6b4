#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/data/transactions/transaction_set.hpp"
#include "src/data/transactions/uncertain_sink.hpp"
#include "src/exhaustive/itemsets/itemset_task.hpp"
#include "src/exhaustive/uncertain/uncertain_search.hpp"
#include "src/work/task.hpp"

namespace atl {

/// Transactions, perhaps with probabilities, and what is to be found in them.
struct UncertainTaskParts {
  ItemsetTaskParts sets;         ///< without text, counter and rival
  double min_probability = 0.5;  ///< in (0, 1]
  /// Of the options that change the text alone, such as its form.
  std::vector<Identity::Mark> marks;
  /// The text of sets whose items have these names.
  std::function<std::unique_ptr<UncertainText>(const std::vector<std::string>& names, WriteText)>
      make_text;
};

/// Chooses what searches. Collective. @param transactions  their number
using ChooseUncertainMeans =
    std::function<MakeUncertainMeans(std::uint64_t transactions, Worker& worker)>;

/// All probabilistic frequent itemsets. The first round is of the items, each one after it of the
/// sets of one item more. Pieces are ranges of the last round's sets, u32 first and end; findings
/// are the frequent sets that begin with them. News are the items and the sets of all lengths.
class UncertainTask final : public Task {
 public:
  UncertainTask(UncertainTaskParts parts, ChooseUncertainMeans choose_means);

  PieceTraits traits() const override;
  void prepare(Worker& worker) override;
  Identity identity() const override;
  std::vector<Piece> pieces(int ranks) override;
  void expect(const Piece& piece) const override;
  std::vector<Piece> split(const Piece& piece, int ranks) const override;
  std::uint64_t amount(const std::vector<Piece>& pieces) const override;
  void merge(std::span<const std::byte> found) override;
  std::optional<Bytes> next() override;
  void save(ByteWriter& out) override;
  void load(ByteReader& in) override;
  std::string finish(const WriteText& write) override;
  void begin(std::uint32_t round, std::span<const std::byte> news) override;
  Done work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
            const std::stop_token& stop) override;
  std::optional<std::uint64_t> amount_left() override;

 private:
  std::uint32_t sets_to_extend() const noexcept;
  void end_round();
  void hand_over(UncertainText& text) const;
  std::string judged_in_words() const;

  UncertainTaskParts parts_;
  ChooseUncertainMeans choose_means_;
  ItemsetLimits limits_;
  std::optional<TransactionSet> transactions_;
  std::unique_ptr<UncertainSearch> search_;
  const Report* report_ = nullptr;
  bool items_kept_ = false;
  std::atomic<std::uint32_t> end_ = 0;          // of the range that is worked on
  std::atomic<std::uint64_t> left_behind_ = 0;  // sets of pieces after it

  // Merged:
  std::vector<std::uint32_t> kept_;                      // ranks of the frequent items
  std::vector<ItemsetLevel> levels_;                     // without supports
  std::vector<std::vector<UncertainSupport>> supports_;  // of each level
  std::map<std::uint32_t, UncertainChildren> found_;     // of this round, by their first set
  JudgedSets judged_;
};

}  // namespace atl
