// Finds attributes that depend on each other, and tells of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "src/config/experiment.hpp"
#include "src/core/report.hpp"
#include "src/core/thread_pool.hpp"
#include "src/data/dependences/dependence.hpp"
#include "src/run/data/job_rows.hpp"

namespace atl {

/// Finds dependences on the rows that a job searches, with every value. Blocking, not collective.
/// @param rows  by load_rows(), before load_exact_rows() has taken what is theirs
Dependences dependences_of(const JobRows& rows, ThreadPool& pool);

/// Attributes that rules are to conclude: those with that role in the dataset, and those that a
/// target names or that alone consequents may name. Ascending.
/// @throws as bind_aim
std::vector<std::uint32_t> target_attributes(const Experiment& experiment,
                                             std::span<const Attribute> attributes);

/// A line for each group, at most ten and the number of the others; empty if there are none.
std::vector<std::string> dependence_lines(const Dependences& dependences,
                                          std::span<const Attribute> attributes);
/// A line for each target that other attributes tell.
/// @param excluded  attributes that no rule names
std::vector<std::string> leak_lines(const Dependences& dependences,
                                    std::span<const Attribute> attributes,
                                    std::span<const std::uint32_t> targets,
                                    std::span<const std::string> excluded);
/// The dependences that were found, by names.
nlohmann::ordered_json dependences_json(const Dependences& dependences,
                                        std::span<const Attribute> attributes);

/// Says all of this as a run begins.
void report_dependences(const Dependences& dependences, const Experiment& experiment,
                        std::span<const Attribute> attributes, const Report& report);

}  // namespace atl
