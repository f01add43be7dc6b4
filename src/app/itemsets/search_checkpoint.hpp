#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "io/run/run_folder.hpp"
#include "src/app/itemsets/search_state.hpp"
#include "src/core/files/folder.hpp"
#include "src/core/report.hpp"

namespace atl {

/// The folder beside OUT in which a search keeps what it has when it stops: its state, the output
/// so far and text that waits. It is there once it is needed, and held by this process from then
/// on.
class SearchCheckpoint {
 public:
  SearchCheckpoint(const std::string& output, Report report)
      : path_(output + ".checkpoint"), report_(std::move(report)) {}

  const std::string& path() const noexcept { return path_; }
  /// Made if need be. @throws CannotCreate, IoError, UsageError if another process holds it
  const io::Folder& folder();

  /// What another process has left of this search. A state that is damaged is reported, and
  /// removed.
  /// @param identity  is called if there is anything
  /// @param force  that of another search is removed, too
  /// @throws UsageError if it is another's; as folder()
  std::optional<SearchState> load(const std::function<SearchIdentity()>& identity, bool force);
  /// @throws as folder()
  void save(SearchState& state);
  /// Can another process go on?
  bool is_kept() const;
  /// What cannot be removed stays.
  void remove() noexcept;

 private:
  std::optional<SearchState> read(const SearchIdentity& identity, bool force);
  void begin_again();

  std::string path_;
  Report report_;
  std::unique_ptr<io::RunLock> lock_;
};

}  // namespace atl
