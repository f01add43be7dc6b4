#include "islands/rule_results.hpp"

#include "islands/archive_section.hpp"

namespace atl {

void RuleResults::offer(std::span<const ArchiveCandidate> candidates) {
  if (candidates.empty()) return;
  const std::scoped_lock lock(mutex_);
  for (const auto& [record, niche] : candidates) {
    archive_.offer(record, niche);
    bars_.raise(niche, archive_.bars(niche));
  }
}

std::size_t RuleResults::size() const {
  const std::scoped_lock lock(mutex_);
  return archive_.size();
}

std::vector<double> RuleResults::best() const {
  const std::scoped_lock lock(mutex_);
  std::vector<double> best;
  for (const Measure measure : maximized_) best.push_back(archive_.best(measure));
  return best;
}

std::uint32_t RuleResults::version() const {
  return archive_version;
}

void RuleResults::save(ByteWriter& out) const {
  const std::scoped_lock lock(mutex_);
  encode(out, archive_);
}

void RuleResults::merge(ByteReader& in) {
  const Archive other = decode_archive(in, attributes_);
  if (other.by() != archive_.by() || other.capacity() != archive_.capacity() ||
      other.per_bucket() != archive_.per_bucket()) {
    throw BadBytes("the archive is not that of the experiment");
  }
  const std::scoped_lock lock(mutex_);
  archive_.merge(other);
}

}  // namespace atl
