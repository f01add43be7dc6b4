#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "io/hdf5/dataset_file.hpp"
#include "src/config/experiment.hpp"
#include "src/core/communicator.hpp"
#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dataset.hpp"
#include "src/data/row_mask.hpp"
#include "src/run/data/item_choice.hpp"
#include "src/run/job_settings.hpp"
#include "src/run/machine/teams.hpp"

namespace atl {

/// The rows of a job: those that are mined, and on rank 0 and its team those that the experiment
/// holds out. For decision lists the former are as if the latter were not known, bins and labels
/// too, and the latter have every value.
struct JobRows {
  Dataset search;
  std::optional<Dataset> held_out;
  std::vector<std::uint64_t> copies = {};  ///< of the former, as in SharedDataset
  std::optional<ItemChoice> items = {};    ///< of transactions, on rank 0
  RowMask bits = {};  ///< [rows of the data] held out, on rank 0; empty: none are
  /// The same with every value, on rank 0, until load_exact_rows() takes them. Null where nothing
  /// is binned, and for decision lists, which need no other values.
  std::unique_ptr<JobRows> exact = {};
};

/// The bins that the search sees.
io::LoadOptions search_bins(const Experiment& experiment);

/// Options that keep every value.
/// @throws in use: UsageError for bins of attributes that there are not
io::LoadOptions exact_values(const Experiment& experiment);
/// Bins that the experiment allows an attribute of numbers; 0: any number.
std::uint32_t most_bins(const Experiment& experiment, const Attribute& attribute);

/// @throws BadData if there is nothing to conclude from
void expect_two_attributes(const Dataset& dataset, const std::string& data);

/// Collective: rank 0 alone reads the file, which no other rank needs to see, and holds rows out.
/// Ranks of a host share its memory (src/data/shared_dataset.hpp).
/// @param teams  of the ranks, whose members count shards of the rows if they split these, and
///               whose hosts then have no more than these shards; rank 0's team has the rows held
///               out. Null: there are none
/// @throws BadData, UsageError for bins of attributes that there are not
JobRows load_rows(const JobSettings& settings, const io::LoadOptions& bins,
                  Communicator& communicator, const Teams* teams = nullptr);

/// The same of a table in memory, for one process.
/// @param exact  not binned, all rows held
/// @throws BadData, UsageError as load_rows()
JobRows rows_in_memory(const Dataset& exact, const io::LoadOptions& bins,
                       const Experiment& experiment, ThreadPool& pool);

/// Gives ranks whose host has a part of the searched rows those others that the experiment's
/// islands look at. Collective, over the ranks of load_rows().
void keep_sampled_rows(JobRows& rows, const Experiment& experiment, Communicator& communicator);

/// The rows with every value, for one process or rank 0's team: collective in it.
/// @param rows  of the search, some of which are binned; rank 0's lose their `exact`
JobRows load_exact_rows(const JobSettings& settings, const JobRows& rows,
                        const Teams* teams = nullptr);

/// Warns where a rule may rest on so few of the rows that it is mostly chance.
void warn_of_thin_support(const Experiment& experiment, std::uint64_t rows, const Report& report);

/// Tells which targets are taken as labels though they are numbers, and how not to.
void tell_of_labels(std::span<const Attribute> attributes, const Report& report);

/// Warns where a class is made of so many numbers that it is hardly one.
void warn_of_quantity(const Attribute& classes, const Report& report);

}  // namespace atl
