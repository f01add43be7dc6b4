#include "src/sampling/coverage_table.hpp"

#include <algorithm>
#include <utility>

#include "src/core/set_bits.hpp"
#include "src/sampling/common_bits.hpp"
#include "src/sampling/reach.hpp"
#include "src/sampling/similarity_table.hpp"

namespace atl {
namespace {

constexpr std::uint16_t unknown = 0xFFFF;      // more than a sample has rows
constexpr std::size_t most_remembered = 1024;  // kinds, of which 2 MiB tell what they share
static_assert(most_remembered % 64 == 0 && most_remembered % reach_lanes == 0);

class CpuSimilarityTable final : public SimilarityTable {
 public:
  explicit CpuSimilarityTable(std::shared_ptr<const CoverageSample> sample)
      : sample_(std::move(sample)) {}

  void prepare(std::span<const Rule* const> candidates) override { rules_ = candidates; }
  void start() override {
    // Kept even if there are fewer, so that nothing is allocated anew.
    if (candidates_.size() < rules_.size()) candidates_.resize(rules_.size());
    for (std::size_t i = 0; i < rules_.size(); ++i) sample_->cover(*rules_[i], candidates_[i]);
  }
  void finish() override {}

  std::uint32_t first_row(std::size_t candidate) const override {
    return sample_->first_row(candidates_[candidate].words.data());
  }
  std::optional<std::size_t> most_similar(std::size_t candidate, double least,
                                          std::size_t likely) override {
    return members_.most_similar(candidates_[candidate], least, likely);
  }
  void place(std::size_t candidate, std::size_t slot) override {
    if (slot == members_.size()) {
      members_.push_back(candidates_[candidate]);
    } else {
      members_.set(slot, candidates_[candidate]);
    }
  }

  std::size_t size() const noexcept override { return members_.size(); }
  void clear() noexcept override { members_.clear(); }
  std::span<const std::uint64_t> antecedent(std::size_t slot) const override {
    return members_.antecedent(slot);
  }
  std::span<const std::uint64_t> consequent(std::size_t slot) const override {
    return members_.consequent(slot);
  }

 private:
  std::shared_ptr<const CoverageSample> sample_;
  CoverageTable members_;
  std::span<const Rule* const> rules_;
  std::vector<Coverage> candidates_;  // [rules_] and what former batches had more
};

}  // namespace

struct CoverageTable::Search {
  const Coverage& coverage;
  std::optional<std::uint32_t> kind;  // of the coverage, if a slot has it
  double most;                        // found so far
  std::optional<std::size_t> slot = {};

  Reach reach(std::size_t side) const noexcept {
    return {static_cast<float>(coverage.rows[side]), static_cast<float>(most)};
  }
};

void CoverageTable::clear() noexcept {
  size_ = 0;
  kind_end_ = 0;
  free_.clear();
  std::fill(rows_.begin(), rows_.end(), 0.0F);
  std::fill(kind_rows_.begin(), kind_rows_.end(), 0.0F);
}

void CoverageTable::grow() {
  // Grows by half at a time: populations of a hundred thousand are filled slot by slot.
  const std::size_t least = rows_.size() + std::max(reach_lanes, rows_.size() / 2);
  const std::size_t room = (least + reach_lanes - 1) / reach_lanes * reach_lanes;
  rows_.resize(room, 0.0F);
  kinds_.resize(room, 0);
  kind_rows_.resize(room, 0.0F);
  members_.resize(room, 0);
  alike_.resize(room, 0);
  factors_.resize(room, 0.0F);
  slot_factors_.resize(room, 0.0F);
  near_.resize((room + 63) / 64);
  free_.reserve(room);
  antecedents_.resize(room * words_);
  consequents_.resize(room * words_);
  if (remembered_ == most_remembered) return;
  remembered_ = std::min(room, most_remembered);
  common_.assign(remembered_ * remembered_, unknown);
}

void CoverageTable::push_back(const Coverage& coverage) {
  words_ = coverage.words.size() / 2;
  if (size_ == rows_.size()) grow();
  add(size_++, coverage);
}

void CoverageTable::set(std::size_t slot, const Coverage& coverage) {
  remove(slot);
  add(slot, coverage);
}

void CoverageTable::add(std::size_t slot, const Coverage& coverage) {
  const auto known = kind_of(coverage);
  const std::uint32_t kind = known ? *known : add_kind(coverage);
  std::copy_n(coverage.words.begin(), words_, antecedents_.data() + slot * words_);
  rows_[slot] = static_cast<float>(coverage.rows[0]);
  kinds_[slot] = kind;
  ++members_[kind];
}

std::uint32_t CoverageTable::add_kind(const Coverage& coverage) {
  auto kind = static_cast<std::uint32_t>(kind_end_);
  if (free_.empty()) {
    ++kind_end_;
  } else {
    kind = free_.back();
    free_.pop_back();
  }
  std::copy_n(coverage.words.data() + words_, words_, consequents_.data() + kind * words_);
  kind_rows_[kind] = static_cast<float>(coverage.rows[1]);
  members_[kind] = 0;
  for (std::uint32_t other = 0; kind < remembered_ && other < remembered_; ++other) {
    common_with(kind)[other] = common_with(other)[kind] = unknown;
  }
  return kind;
}

void CoverageTable::remove(std::size_t slot) noexcept {
  const std::uint32_t kind = kinds_[slot];
  if (--members_[kind] != 0) return;
  kind_rows_[kind] = 0;
  free_.push_back(kind);
}

std::optional<std::uint32_t> CoverageTable::kind_of(const Coverage& coverage) const noexcept {
  const auto rows = static_cast<float>(coverage.rows[1]);
  const std::uint64_t* const side = coverage.words.data() + words_;
  for (std::uint32_t kind = 0; kind < kind_end_; ++kind) {
    if (kind_rows_[kind] != rows || members_[kind] == 0) continue;
    if (std::equal(side, side + words_, consequents_.data() + kind * words_)) return kind;
  }
  return std::nullopt;
}

/// Jaccard index of the consequents.
double CoverageTable::alike(std::uint32_t kind, const Search& search) noexcept {
  const Coverage& coverage = search.coverage;
  const auto rows = static_cast<std::uint32_t>(kind_rows_[kind]);
  const auto count = [&] {
    return static_cast<std::uint16_t>(
        common_bits(coverage.words.data() + words_, consequents_.data() + kind * words_, words_));
  };
  if (!search.kind) return jaccard(count(), coverage.rows[1], rows);
  if (*search.kind == kind) return 1;
  if (std::max(kind, *search.kind) >= remembered_) return jaccard(count(), coverage.rows[1], rows);
  std::uint16_t& common = common_with(*search.kind)[kind];
  if (common == unknown) common = count();
  return jaccard(common, coverage.rows[1], rows);
}

void CoverageTable::meet(std::size_t slot, double alike, Search& search) const noexcept {
  const double own = search.coverage.rows[0];
  const double rows = rows_[slot];
  const double enough = search.most * (1 - 1e-9);  // where rounding leaves it open, too
  if (std::min(own, rows) * alike < std::max(own, rows) * enough) return;
  const auto both = static_cast<std::uint32_t>(
      common_bits(search.coverage.words.data(), antecedents_.data() + slot * words_, words_));
  // Most go here: a division would have to be waited for.
  if (both * alike < (own + rows - both) * enough) return;
  const double index =
      jaccard(both, search.coverage.rows[0], static_cast<std::uint32_t>(rows)) * alike;
  if (index < search.most || (index == search.most && search.slot && *search.slot < slot)) return;
  search.most = index;
  search.slot = slot;
}

std::optional<std::size_t> CoverageTable::most_similar(const Coverage& coverage, double least,
                                                       std::size_t likely) {
  if (coverage.rows[0] == 0 || coverage.rows[1] == 0) return std::nullopt;
  Search search{coverage, kind_of(coverage), least};
  meet(likely, alike(kinds_[likely], search), search);
  const bool is_remembered = search.kind && *search.kind < remembered_;
  const std::size_t known = is_remembered ? std::min(kind_end_, remembered_) : 0;
  if (known != 0) {
    sets_within(search.reach(1), kind_rows_.data(), common_with(*search.kind), known, near_.data());
  }
  if (known != kind_end_) {  // then it is a whole number of words
    sets_within(search.reach(1), kind_rows_.data() + known, nullptr, kind_end_ - known,
                near_.data() + known / 64);
  }
  for_each_set_bit(std::span(near_).first((kind_end_ + 63) / 64), [&](std::size_t kind) {
    alike_[kind] = alike(static_cast<std::uint32_t>(kind), search);
    factors_[kind] = static_cast<float>(alike_[kind]);
  });
  for (std::size_t slot = 0; slot < size_; ++slot) slot_factors_[slot] = factors_[kinds_[slot]];
  members_within(search.reach(0), rows_.data(), slot_factors_.data(), size_, near_.data());
  for_each_set_bit(std::span(near_).first((size_ + 63) / 64), [&](std::size_t slot) {
    if (slot != likely) meet(slot, alike_[kinds_[slot]], search);
  });
  std::fill_n(factors_.begin(), kind_end_, 0.0F);
  return search.slot;
}

std::unique_ptr<SimilarityTable> make_cpu_similarity_table(
    std::shared_ptr<const CoverageSample> sample) {
  return std::make_unique<CpuSimilarityTable>(std::move(sample));
}

}  // namespace atl
