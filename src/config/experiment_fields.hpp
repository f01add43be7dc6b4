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
  // Lists have none of what describes a single rule.
  const bool of_rules = experiment.kind().single_rules;
  const auto of_rule = [&](const char* key, auto& value) {
    if (of_rules) field(key, value);
  };
  of_rule("grammar", experiment.grammar);
  field("seed", experiment.seed);
  field("islands", experiment.islands);
  field("population", experiment.population);
  field("generations", experiment.generations);
  field("time_limit", experiment.time_limit);
  of_rule("min_support", experiment.min_support);
  of_rule("min_confidence", experiment.min_confidence);
  field("max_length", experiment.max_length);
  of_rule("maximize", experiment.maximize);
  of_rule("archive_by", experiment.archive_by);
  of_rule("max_similarity", experiment.max_similarity);
  of_rule("top", experiment.top);
  field("max_bins", experiment.max_bins);
  field("attribute_bins", experiment.attribute_bins);
  of_rule("bounds", experiment.bounds);
  field("topology", experiment.topology);
  field("edges", experiment.edges);
  field("migrate_every", experiment.migrate_every);
  field("migrants", experiment.migrants);
  of_rule("emigrants", experiment.emigrants);
  of_rule("replacement", experiment.replacement);
  of_rule("emigration", experiment.emigration);
  of_rule("missing_consequent", experiment.missing_consequent);
  field("target", experiment.aim.target);
  of_rule("antecedent", experiment.aim.antecedent);
  of_rule("consequent", experiment.aim.consequent);
  of_rule("require", experiment.aim.require);
  field("exclude", experiment.aim.exclude);
  of_rule("measures", experiment.measures);
  field("holdout", experiment.holdout);
  of_rule("significance", experiment.significance);
  // Added later; omitted at their defaults.
  field("migration", experiment.migration);
  field("history_every", experiment.history_every);
  field("patience", experiment.patience);
  of_rule("repeat", experiment.repeat);
  of_rule("rows_seed", experiment.rows_seed);
  of_rule("absences", experiment.absences);
  of_rule("missing_comparisons", experiment.missing_comparisons);
  of_rule("island_settings", experiment.island_settings);
  of_rule("definitions", experiment.definitions);
  of_rule("order", experiment.order);
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
  field("team", machine.team);
  field("split", machine.split);
  field("checkpoint_every", machine.checkpoint_every);
  field("checkpoints_kept", machine.checkpoints_kept);
  field("migration_log", machine.migration_log);
  field("write_holdout", machine.write_holdout);
  field("data", machine.data);
  field("data_format", machine.text.format);
  field("data_delimiter", machine.text.delimiter);
  field("data_header", machine.text.header);
  field("data_encoding", machine.text.encoding);
  field("data_missing", machine.text.missing);
  field("data_missing_only", machine.text.missing_only);
  field("data_decimal", machine.text.decimal);
  field("data_nominal", machine.text.nominal);
  field("data_ignore", machine.text.ignore);
  field("data_schema", machine.text.schema);
  field("data_schema_file", machine.text.schema_file);
  field("data_named_by_uid", machine.data_named_by_uid);
}

}  // namespace atl
