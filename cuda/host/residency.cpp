#include "cuda/host/residency.hpp"

#include <algorithm>
#include <mutex>

namespace atl::cuda {

void Residency::join(Table& table) {
  const std::unique_lock lock(mutex_);
  tables_.push_back(&table);
}

void Residency::leave(Table& table) {
  const std::unique_lock lock(mutex_);
  tables_.erase(std::find(tables_.begin(), tables_.end(), &table));
}

std::uint64_t Residency::held() const noexcept {
  std::uint64_t bytes = 0;
  for (const Table* const table : tables_) bytes += table->bytes;
  return bytes;
}

std::uint64_t Residency::budget(std::uint64_t free) const noexcept {
  std::uint64_t there = free;
  for (const Table* const table : tables_) there += table->allocated;
  return most_bytes_ == 0 ? there : std::min(most_bytes_, there);
}

std::uint64_t Residency::make_room(const Table& table, std::uint64_t bytes, std::uint64_t free) {
  const std::uint64_t all = budget(free);
  const std::uint64_t usable = all - all / 10;
  std::vector<Table*> others;
  for (Table* const other : tables_) {
    if (other != &table && other->bytes != 0) others.push_back(other);
  }
  std::sort(others.begin(), others.end(),
            [](const Table* a, const Table* b) { return a->last_use < b->last_use; });
  for (Table* const other : others) {
    if (held() + bytes <= usable) break;
    other->drop();
    other->bytes = other->allocated = 0;
  }
  return usable - std::min(usable, held());
}

}  // namespace atl::cuda
