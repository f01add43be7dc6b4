// Writes a batch as the device evaluates it (program_format.hpp). Host code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cuda/host/program_format.hpp"
#include "src/data/attribute.hpp"
#include "src/eval/batch.hpp"

namespace atl::cuda {

/// Place of an attribute's planes: from the low one up, and `present` behind them.
struct PlanePlace {
  std::uint32_t first = 0;
  std::uint32_t planes = 0;  ///< without `present`
  std::uint32_t end = 0;     ///< where the next attribute's begin
};
/// One behind the other, in the attributes' order.
std::vector<PlanePlace> plane_places(std::span<const Attribute> attributes);

/// Reusable: build() keeps what was allocated.
class DeviceProgram {
 public:
  void build(const Batch& batch, std::span<const PlanePlace> places);

  std::span<const std::uint32_t> words() const noexcept { return {words_.data(), size_}; }
  std::uint32_t groups() const noexcept { return groups_; }
  /// Most terms and slots of a group.
  std::uint32_t terms() const noexcept { return terms_; }
  /// The place of a present set of the batch.
  std::uint32_t place_of_set(std::uint32_t set) const noexcept { return words_[groups_ + set]; }
  /// The place where the support of a comparison of the batch is counted.
  std::uint32_t position(std::uint32_t comparison) const noexcept { return position_[comparison]; }

 private:
  void put(std::uint32_t word) noexcept { words_[size_++] = word; }
  void reserve(const Batch& batch, std::span<const PlanePlace> places);
  void write_group(const Batch& batch, const RuleGroup& group, std::span<const PlanePlace> places);
  void sort_uses(const Batch& batch, const RuleGroup& group);
  void sort_comparisons(const Batch& batch, const RuleGroup& group);
  bool is_plain(const Batch& batch, const RuleGroup& group, std::uint32_t index) noexcept;
  /// @param local  a comparison's index in the group
  std::span<Use> uses_of(std::uint32_t local) noexcept;
  void assign_terms(const Batch& batch, const RuleGroup& group);
  std::uint32_t take_place();
  void fold_finished(const Batch& batch);
  void write_folds(std::size_t run) noexcept;
  std::size_t begin_pass(const PlanePlace& place, std::uint32_t first,
                         std::uint32_t flags) noexcept;
  std::uint32_t write_plain(const Batch& batch, const RuleGroup& group,
                            std::span<const std::uint32_t> run, const PlanePlace& place) noexcept;
  std::uint32_t write_special(const Batch& batch, const RuleGroup& group,
                              const PlanePlace& place) noexcept;
  void write_rules(const Batch& batch, const RuleGroup& group);

  std::vector<std::uint32_t> words_;
  std::size_t size_ = 0;
  std::uint32_t groups_ = 0;
  std::uint32_t terms_ = 0;
  std::vector<std::uint32_t> position_;  ///< [comparisons]

  std::vector<std::uint32_t> order_;       ///< comparisons of a group, by attribute
  std::vector<std::uint32_t> begins_;      ///< [attributes] of them in the order; else zeros
  std::vector<Use> uses_;                  ///< of a group, by comparison
  std::vector<std::uint32_t> use_begins_;  ///< [comparisons of a group + 1]
  std::vector<std::uint32_t> special_;     ///< comparisons on an attribute that are not plain

  std::vector<std::uint32_t> term_places_;  ///< [terms of a group] where each is, once it is used
  std::uint32_t places_ = 0;                ///< of all of them
  std::vector<std::uint32_t> free_places_;
  std::vector<std::uint32_t> open_;       ///< [terms of a group] uses and folds still to come
  std::vector<std::uint32_t> fold_of_;    ///< [terms of a group] its fold's index + 1, or 0
  std::vector<std::uint32_t> finished_;   ///< terms to be folded
  std::vector<std::uint32_t> folds_;      ///< of a group, as written
  std::vector<std::uint32_t> fold_ends_;  ///< [attributes of the order], empty without folds
  std::size_t flags_at_ = 0;              ///< of the pass that was begun last
};

}  // namespace atl::cuda
