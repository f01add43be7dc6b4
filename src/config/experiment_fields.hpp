// The keys of a run configuration. One list serves writing and reading, so that neither can forget
// one. For experiment_toml.cpp alone.
#pragma once

#include <type_traits>

#include "src/config/experiment.hpp"

namespace atl {

template <typename E, typename Field>
void for_each_field(E& experiment,
                    Field&& field) requires(std::is_same_v<std::remove_const_t<E>, Experiment>) {
  field("preset", experiment.algorithm);
  field("grammar", experiment.grammar);
  field("seed", experiment.seed);
  field("islands", experiment.islands);
  field("population", experiment.population);
  field("generations", experiment.generations);
  field("time_limit", experiment.time_limit);
  field("min_support", experiment.min_support);
  field("min_confidence", experiment.min_confidence);
  field("max_length", experiment.max_length);
  field("maximize", experiment.maximize);
  field("archive_by", experiment.archive_by);
  field("max_similarity", experiment.max_similarity);
  field("top", experiment.top);
  field("max_bins", experiment.max_bins);
  field("attribute_bins", experiment.attribute_bins);
  field("bounds", experiment.bounds);
  field("topology", experiment.topology);
  field("edges", experiment.edges);
  field("migrate_every", experiment.migrate_every);
  field("migrants", experiment.migrants);
  field("emigrants", experiment.emigrants);
  field("replacement", experiment.replacement);
  field("emigration", experiment.emigration);
  field("missing_consequent", experiment.missing_consequent);
  field("target", experiment.aim.target);
  field("antecedent", experiment.aim.antecedent);
  field("consequent", experiment.aim.consequent);
  field("require", experiment.aim.require);
  field("exclude", experiment.aim.exclude);
  field("measures", experiment.measures);
  field("holdout", experiment.holdout);
  field("significance", experiment.significance);
  // Added later; omitted at their defaults.
  field("migration", experiment.migration);
  field("absences", experiment.absences);
  field("island_settings", experiment.island_settings);
  field("definitions", experiment.definitions);
}

template <typename S, typename Field>
void for_each_field(S& settings, Field&& field) requires(
    std::is_same_v<std::remove_const_t<S>, IslandSettings>) {
  field("islands", settings.islands);
  field("maximize", settings.maximize);
  field("grammar", settings.grammar);
  field("target", settings.target);
  field("antecedent", settings.antecedent);
  field("consequent", settings.consequent);
  field("require", settings.require);
  field("exclude", settings.exclude);
}

template <typename M, typename Field>
void for_each_field(M& machine,
                    Field&& field) requires(std::is_same_v<std::remove_const_t<M>, Machine>) {
  field("backend", machine.backend);
  field("threads", machine.threads);
  field("device_memory", machine.device_memory);
  field("checkpoint_every", machine.checkpoint_every);
  field("checkpoints_kept", machine.checkpoints_kept);
  field("migration_log", machine.migration_log);
  field("data", machine.data);
  field("data_named_by_uid", machine.data_named_by_uid);
}

}  // namespace atl
