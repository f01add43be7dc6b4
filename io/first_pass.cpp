#include "io/first_pass.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "src/core/error.hpp"

namespace atl::io {
namespace {

/// The profiles of all columns, within a memory limit.
class Profiles {
 public:
  Profiles(const std::vector<ColumnPlan>& plans, const ImportOptions& options)
      : limit_(options.memory_limit / 2), folder_(temporary_folder(options)) {
    for (std::size_t i = 0; i < plans.size(); ++i) profiles_.emplace_back(plans[i], i);
    for (const ColumnProfile& profile : profiles_) bytes_ += profile.bytes();
  }

  void add(const RowBlock& block, const std::string& file) {
    for (ColumnProfile& profile : profiles_) {
      if (profile.plan().role == ColumnRole::ignore) continue;
      const std::size_t before = profile.bytes();
      profile.add(block, profiles_.size(), file);
      bytes_ += profile.bytes() - before;
    }
    if (bytes_ > limit_) spill_largest();
  }

  std::vector<Conclusion> conclude_all(std::uint64_t rows, std::uint32_t max_categories) {
    std::vector<Conclusion> conclusions;
    for (ColumnProfile& profile : profiles_) {
      if (profile.spilled()) profile.runs.spill(profile.tokens, *spool_);
      conclusions.push_back(
          conclude(std::move(profile), rows, spool_ ? &*spool_ : nullptr, max_categories));
    }
    return conclusions;
  }

 private:
  void spill_largest() {
    if (!spool_) spool_.emplace(folder_);
    std::vector<std::size_t> order(profiles_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return profiles_[a].bytes() > profiles_[b].bytes();
    });
    for (const std::size_t i : order) {
      if (bytes_ <= limit_ / 2 || profiles_[i].tokens.size() == 0) return;
      bytes_ -= profiles_[i].bytes();
      profiles_[i].runs.spill(profiles_[i].tokens, *spool_);
      bytes_ += profiles_[i].bytes();
    }
  }

  std::uint64_t limit_;
  std::string folder_;
  std::vector<ColumnProfile> profiles_;
  std::uint64_t bytes_ = 0;
  std::optional<TemporaryFile> spool_;
};

}  // namespace

FirstPass run_first_pass(const InputTables& tables, const ImportOptions& options,
                         const Report& report) {
  const std::vector<ColumnPlan> plans = plan_columns(tables.columns(), options, report);
  Profiles profiles(plans, options);
  FirstPass pass;
  RowBlock block;
  for (std::size_t input = 0; input < tables.size(); ++input) {
    const auto reader = tables.open(input);
    while (reader->next(block)) {
      profiles.add(block, tables.name(input));
      pass.rows += block.rows;
    }
  }
  if (pass.rows == 0) throw BadData(tables.name(0), "has a header only, expected rows");
  pass.columns = profiles.conclude_all(pass.rows, options.max_categories);
  return pass;
}

}  // namespace atl::io
