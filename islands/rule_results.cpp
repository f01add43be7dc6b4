#include "islands/rule_results.hpp"

#include "islands/archive_section.hpp"

namespace atl {

std::vector<double> RuleResults::best() const {
  std::vector<double> best;
  for (const Measure measure : maximized_) best.push_back(archive_.best(measure));
  return best;
}

std::uint32_t RuleResults::version() const {
  return archive_version;
}

void RuleResults::save(ByteWriter& out) const {
  encode(out, archive_);
}

void RuleResults::merge(ByteReader& in) {
  const Archive other = decode_archive(in, attributes_);
  if (other.by() != archive_.by() || other.capacity() != archive_.capacity() ||
      other.per_bucket() != archive_.per_bucket()) {
    throw BadBytes("the archive is not that of the experiment");
  }
  archive_.merge(other);
}

}  // namespace atl
