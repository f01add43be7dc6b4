#include "io/tables/first_pass.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {
namespace {

/// Copies of a column's name at the same time.
constexpr std::uint64_t column_names = 4;

/// The profiles of all columns, within a memory limit.
class Profiles {
 public:
  /// @param limit  bytes for their tokens
  Profiles(const std::vector<ColumnPlan>& plans, std::uint64_t limit, std::string folder)
      : limit_(limit), folder_(std::move(folder)) {
    profiles_.reserve(plans.size());
    for (std::size_t i = 0; i < plans.size(); ++i) profiles_.emplace_back(plans[i], i);
    for (const ColumnProfile& profile : profiles_) bytes_ += profile.bytes();
  }

  void add(const RowBlock& block, const std::string& file) {
    for (ColumnProfile& profile : profiles_) {
      if (profile.plan().role == ColumnRole::ignore) continue;
      const std::size_t before = profile.bytes();
      if (profile.plan().excluded) {
        add_if_readable(profile, block, file);
      } else {
        profile.add(block, profiles_.size(), file);
      }
      bytes_ += profile.bytes() - before;
    }
    if (bytes_ > limit_) spill_largest();
  }

  std::vector<Conclusion> conclude_all(std::uint64_t rows, std::uint32_t max_categories) {
    std::vector<Conclusion> conclusions;
    conclusions.reserve(profiles_.size());
    for (ColumnProfile& profile : profiles_) {
      if (profile.spilled()) profile.runs.spill(profile.tokens, *spool_);
      conclusions.push_back(
          conclude(std::move(profile), rows, spool_ ? &*spool_ : nullptr, max_categories));
    }
    return conclusions;
  }

 private:
  /// Of a column that nobody looks at.
  void add_if_readable(ColumnProfile& profile, const RowBlock& block, const std::string& file) {
    if (profile.unreadable) return;
    try {
      profile.add(block, profiles_.size(), file);
    } catch (const BadCell&) {
      profile.unreadable = true;
    }
  }

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

/// @param number  of the column, from 0
void expect_texts(const Conclusion& column, std::size_t number, const std::string& file) {
  const auto expect = [&](const std::string& text, const char* what) {
    if (text.size() <= longest_text) return;
    throw BadData(file, "column " + std::to_string(number + 1) + " has a " + what + " of " +
                            std::to_string(text.size()) + " bytes, at most " +
                            std::to_string(longest_text));
  };
  expect(column.column.name, "name");
  for (const std::string& label : column.attribute.labels) expect(label, "label");
}

}  // namespace

std::uint64_t memory_for_values(const InputTables& tables, const ImportOptions& options) {
  std::uint64_t columns = 0;
  for (const DeclaredColumn& column : tables.columns()) {
    columns += column_bytes + column_names * column.name.size();
    for (const std::string& label : column.labels) {
      columns += label_copies * (sizeof label + label.size());
    }
  }
  const std::uint64_t limit = options.memory_limit;
  if (columns <= limit / 4 * 3) return limit - columns;
  const std::uint64_t needed = columns / 3 * 4 / (std::uint64_t{1} << 20) + 1;
  throw BadData(tables.name(0), "has " + counted(tables.columns().size(), "column") +
                                    ", which take about " + std::to_string(needed) +
                                    " MiB of memory, whatever they hold: atoll import "
                                    "--memory-limit " +
                                    std::to_string(needed) + "M");
}

FirstPass run_first_pass(const InputTables& tables, const ImportOptions& options,
                         const Report& report) {
  const std::uint64_t memory = memory_for_values(tables, options);
  const std::vector<ColumnPlan> plans = plan_columns(tables.columns(), options, report);
  expect_required(plans, options, tables.name(0));
  Profiles profiles(plans, memory / 2, temporary_folder(options));
  FirstPass pass;
  RowBlock block;
  for (std::size_t input = 0; input < tables.size(); ++input) {
    Hasher hasher;
    const auto reader = tables.open(input, &hasher);
    while (reader->next(block)) {
      profiles.add(block, tables.name(input));
      pass.rows += block.rows;
    }
    pass.hashes.push_back(hasher.digest());
    report_repeated_names(*reader, tables.name(input), report);
  }
  if (pass.rows == 0) throw BadData(tables.name(0), "has a header only, expected rows");
  pass.columns = profiles.conclude_all(pass.rows, options.max_categories);
  for (std::size_t i = 0; i < pass.columns.size(); ++i)
    expect_texts(pass.columns[i], i, tables.name(0));
  return pass;
}

}  // namespace atl::io
