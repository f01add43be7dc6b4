// The target of a user who has told the import, and not `mine`, what rules are to conclude.
#pragma once

#include <span>
#include <string>

#include "io/hdf5/dataset_file.hpp"
#include "src/config/experiment.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/report.hpp"
#include "src/data/attribute.hpp"

namespace atl {

/// The target of a decision list that nobody has named: "A=*".
/// @throws UsageError unless the data designate one attribute
std::string designated_class(std::span<const Attribute> attributes);

/// Does the experiment say nothing of what rules conclude? It does by a target, `none` included, by
/// attributes for one of the sides and by a grammar of the user's own, be they of some islands
/// only.
bool leaves_conclusions_open(const Experiment& experiment);

/// Aims the experiment at any value of each attribute that the data designate, and says so. Not at
/// those that are excluded or of which nothing can be said. @pre it leaves conclusions open
/// @param attributes  of the data
/// @throws UsageError if that contradicts what the experiment says otherwise
void aim_at_designated(Experiment& experiment, std::span<const Attribute> attributes,
                       const Report& report);

/// The experiment fitted to the data, and aimed at what they designate where it leaves conclusions
/// open. @throws as fitted_to_data(); UsageError if a class is to be learnt and none is named
Experiment with_designated_target(Experiment experiment, const io::DatasetSummary& data,
                                  const Report& report);
/// The same of a run that begins on a dataset file. For rank 0 alone.
/// @param run  held open, in which the file may be
Experiment with_designated_target(Experiment experiment, const std::string& dataset,
                                  const io::Folder& run, const Report& report);

/// A list is ordered by news of a target only, which the data may have designated.
/// @throws UsageError if the experiment asks for this order and has no target
void expect_list_order(const Experiment& experiment);

}  // namespace atl
