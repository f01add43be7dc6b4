#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/exhaustive/rules/enumerate.hpp"
#include "src/work/task.hpp"

namespace atl {

/// What an enumeration needs of its surroundings, all of it on the root alone.
struct EnumerateParts {
  std::function<Items()> read;
  /// Beside the limits and the number of rules; asked after read().
  std::function<std::vector<Identity::Mark>()> marks;
  /// Writes the rules, and returns the line that tells of them.
  std::function<std::string(const MinedRules&, const WriteText&)> finish;
};

/// enumerate_rules() on ranks. A round is a length, its news are the threshold, and its pieces are
/// ranges of antecedents.
class EnumerateTask final : public Task {
 public:
  /// @param limits  their min_count is that of `min_support`
  EnumerateTask(const RuleLimits& limits, const SupportThreshold& min_support, std::size_t top,
                EnumerateParts parts)
      : limits_(limits), min_support_(min_support), top_(top), parts_(std::move(parts)) {}

  PieceTraits traits() const override { return {.unit = "antecedents"}; }
  void prepare(Worker& worker) override;
  Identity identity() const override;

  Bytes first() override;
  std::vector<Piece> pieces(int ranks) override;
  void expect(const Piece& piece) const override;
  std::vector<Piece> split(const Piece& piece, int ranks) const override;
  std::uint32_t depth(const Piece& piece) const override;
  std::uint64_t amount(const std::vector<Piece>& pieces) const override;
  void merge(std::span<const std::byte> found) override;
  std::optional<Bytes> next() override;
  void save(ByteWriter& out) override { rules_->save(out); }
  void load(ByteReader& in) override { rules_->load(in); }
  std::string finish(const WriteText& write) override;

  void begin(std::uint32_t round, std::span<const std::byte> news) override;
  Done work(std::span<const Piece> pieces, const WriteText& write, Worker& worker,
            const std::stop_token& stop) override;
  std::optional<std::uint64_t> amount_left() override;

 private:
  Bytes news() const;
  bool is_worth_a_cut(const WalkRange& range, int ranks) const;

  RuleLimits limits_;
  SupportThreshold min_support_;
  std::size_t top_;
  EnumerateParts parts_;
  std::optional<Items> items_;
  std::optional<WalkedSpace> space_;
  std::optional<EnumeratedRules> rules_;  // of the root
  WalkedLength length_;
  AntecedentCounts counts_;
  WalkProgress progress_{counts_};
};

}  // namespace atl
