// An archive of rules as the section of results of a run's state.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "islands/archipelago/island.hpp"
#include "src/core/bytes.hpp"
#include "src/core/run_state.hpp"
#include "src/data/attribute.hpp"
#include "src/measures/measure.hpp"
#include "src/results/archive/archive.hpp"

namespace atl {

/// A rule that an island has found, and its niche.
struct ArchiveCandidate {
  RuleRecord record;
  Niche niche;
};

/// An archive of rules, and the bars that those can ask who have rules to offer. Its attributes
/// must outlive it.
class RuleResults final : public Results {
 public:
  /// @param empty  an archive as the experiment wants it
  RuleResults(Archive empty, std::vector<Measure> maximized, std::span<const Attribute> attributes)
      : archive_(std::move(empty)), maximized_(std::move(maximized)), attributes_(attributes) {}

  /// The bars of the archive, as of the last offers. Any thread may ask them.
  const ArchiveBars& bars() const noexcept { return bars_; }
  void offer(std::span<const ArchiveCandidate> candidates);
  /// The archive, while no other thread uses the results.
  const Archive& archive() const noexcept { return archive_; }

  std::size_t size() const override;
  std::vector<double> best() const override;
  std::uint32_t version() const override;
  void save(ByteWriter& out) const override;
  void merge(ByteReader& in) override;

 private:
  mutable std::mutex mutex_;  // of the archive
  Archive archive_;
  ArchiveBars bars_;
  std::vector<Measure> maximized_;
  std::span<const Attribute> attributes_;
};

/// What a search for rules has found, while no other thread uses the results.
const Archive& rules_of(const Results& results);

/// Version of what encode() writes.
inline constexpr std::uint32_t archive_version = 1;

void encode(ByteWriter& out, const Archive& archive);
/// @param attributes  that the rules name
/// @throws BadBytes, also for what no search writes
Archive decode_archive(ByteReader& in, std::span<const Attribute> attributes);

Section section_of(const Archive& archive);
/// @throws BadBytes
Archive archive_of(const RunState& state, std::span<const Attribute> attributes);

}  // namespace atl
