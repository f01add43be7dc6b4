#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "islands/island.hpp"
#include "src/data/attribute.hpp"
#include "src/measures/measure.hpp"
#include "src/results/archive.hpp"

namespace atl {

/// An archive of rules. Its attributes must outlive it.
class RuleResults final : public Results {
 public:
  /// @param empty  an archive as the experiment wants it
  RuleResults(Archive empty, std::vector<Measure> maximized, std::span<const Attribute> attributes)
      : archive_(std::move(empty)), maximized_(std::move(maximized)), attributes_(attributes) {}

  Archive& archive() noexcept { return archive_; }

  std::size_t size() const override { return archive_.size(); }
  std::vector<double> best() const override;
  std::uint32_t version() const override;
  void save(ByteWriter& out) const override;
  void merge(ByteReader& in) override;

 private:
  Archive archive_;
  std::vector<Measure> maximized_;
  std::span<const Attribute> attributes_;
};

}  // namespace atl
