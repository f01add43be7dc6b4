#include "src/exhaustive/pairs/batmaps.hpp"

namespace atl {

BatMaps::BatMaps(const PairRows& rows, ThreadPool& pool, unsigned moves)
    : layout_(rows.transactions()), first_{0}, aside_(rows.items()) {
  first_.reserve(rows.items() + std::size_t{1});
  for (std::uint32_t r = 0; r < rows.items(); ++r) {
    first_.push_back(first_.back() + 3 * layout_.width_for(rows.places(r).size()));
  }
  words_ = AlignedWords(first_.back() / 8);
  auto* const entries = reinterpret_cast<std::uint8_t*>(words_.data());
  pool.wait(pool.submit(rows.items(), [&](std::size_t r, unsigned) {
    std::vector<std::uint32_t> elements;
    for (const PairRows::Place& place : rows.places(static_cast<std::uint32_t>(r))) {
      elements.push_back(place.transaction);
    }
    const std::uint64_t size = first_[r + 1] - first_[r];
    aside_[r] = fill_batmap(layout_, elements, size / 3, {entries + first_[r], size}, moves);
  }));
}

std::uint64_t BatMaps::bytes(const PairRows& rows) noexcept {
  const BatMapLayout layout(rows.transactions());
  std::uint64_t bytes = 0;
  for (std::uint32_t r = 0; r < rows.items(); ++r) {
    bytes += 3 * layout.width_for(rows.places(r).size());
  }
  return bytes;
}

std::uint64_t BatMaps::elements_aside() const noexcept {
  std::uint64_t elements = 0;
  for (const auto& aside : aside_) elements += aside.size();
  return elements;
}

}  // namespace atl
