// Which islands send emigrants to which.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/config/experiment.hpp"

namespace atl {

/// Of an experiment. Costs time and memory by the edges, not by pairs of islands.
class Topology {
 public:
  /// @pre the experiment is valid; it must outlive this
  explicit Topology(const Experiment& experiment);

  /// For each sender the islands that take immigrants from it in a generation: ascending, without
  /// itself.
  std::vector<std::vector<std::uint32_t>> destinations(std::span<const std::uint32_t> senders,
                                                       std::uint32_t generation) const;
  /// For each receiver the islands that it takes immigrants from, likewise.
  std::vector<std::vector<std::uint32_t>> sources(std::span<const std::uint32_t> receivers,
                                                  std::uint32_t generation) const;
  /// Are they the same in all generations?
  bool is_static() const noexcept { return choice_.kind != TopologyKind::random; }

 private:
  enum class Direction { to, from };
  /// In any order, perhaps itself among them.
  std::vector<std::uint32_t> linked(std::uint32_t island, Direction direction) const;
  std::vector<std::uint32_t> neighbours(std::uint32_t island, Direction direction) const;
  /// @param taken  [islands] all false, and left so
  std::vector<std::uint32_t> drawn_sources(std::uint32_t island, std::uint32_t generation,
                                           std::vector<bool>& taken) const;

  const Experiment& experiment_;
  TopologyChoice choice_;
  std::vector<Edge> backward_;  ///< the experiment's edges, ends exchanged, sorted
  std::uint32_t columns_ = 1;   ///< of a torus
};

}  // namespace atl
