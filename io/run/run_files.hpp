// The files of a run in its folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/core/files/folder.hpp"
#include "src/core/files/folder_lock.hpp"

namespace atl::io {

/// Names in RUN. While a run is being replaced its files lie in `former`. Once the new one has
/// begun, this becomes `replaced`, to be removed; where something is left under that name,
/// `replaced`-1 and so on.
namespace run_names {
inline constexpr const char* lock = lock_name;
inline constexpr const char* config = "config.toml";
inline constexpr const char* log = "log.jsonl";
inline constexpr const char* rules_csv = "rules.csv";
inline constexpr const char* rules_json = "rules.json";
inline constexpr const char* history = "history.csv";
inline constexpr const char* holdout = "holdout.csv";
inline constexpr const char* classifier_json = "classifier.json";
inline constexpr const char* classifier_text = "classifier.txt";
inline constexpr const char* classifier_pmml = "classifier.pmml";
inline constexpr const char* data = "data.h5";
inline constexpr const char* stop = "stop";
inline constexpr const char* runs = "runs.json";
inline constexpr const char* checkpoints = "checkpoints";
inline constexpr const char* kept_history = "history.bin";  // in checkpoints
inline constexpr const char* former = ".former";
inline constexpr const char* replaced = ".replaced";
/// The folder of a run with another seed. @param number  from 1
std::string repeat(std::uint32_t number);
}  // namespace run_names

/// Refuses by name what lies in place of one of a run's files or folders and is not fit for the
/// access. @throws as io::Folder
void expect_plain(const Folder& run);

/// Is it the name of the folder of a repeat?
bool is_repeat_name(std::string_view name);

/// Other programs have a config.toml, too.
bool is_run(const Folder& folder);
/// Is there nothing but what a run leaves that ended before it had written anything?
bool is_unused(const Folder& folder);

/// Refuses an output that would take the place of a run's own file, of a checkpoint or of what lies
/// in a folder of the run's. Other files may lie in RUN. @throws UsageError
void refuse_file_of_run(const std::string& output);

/// Removes what killed jobs left of files that they were writing, whatever their host: a dataset's
/// may be large. What cannot be removed stays. The caller holds the lock. @throws CannotCreate,
/// IoError
void remove_temporaries(const Folder& run);

/// Removes the files of the run, its checkpoints and its repeats. config.toml goes last: as long as
/// it is there, the folder is a RUN. @throws CannotCreate, IoError
void remove_run(const Folder& run);

/// Moves all files but config.toml. @throws CannotCreate, IoError
void move_run(const Folder& from, const Folder& to);

}  // namespace atl::io
