#include "src/app/itemsets/search_checkpoint.hpp"

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

#include "io/run/run_files.hpp"
#include "src/app/itemsets/search_output.hpp"
#include "src/app/itemsets/text_spool.hpp"
#include "src/core/error.hpp"
#include "src/core/files/atomic_file.hpp"

namespace atl {

namespace {

namespace fs = std::filesystem;

constexpr const char* state_name = "state";
constexpr std::uint64_t most_state_bytes = std::uint64_t{1} << 32;

bool is_ours(const std::string& name) {
  return name == state_name || name == SearchOutput::parked_name || TextSpool::is_file_name(name) ||
         io::is_temporary_of(state_name, name);
}

/// Text of these parts, one behind the other in a file. @throws BadBytes if it is not what was
/// written, IoError, MissingInput
void expect_text(const io::Folder& folder, const std::string& name,
                 std::span<const TextPart> parts) {
  std::uint64_t size = 0;
  for (const TextPart& part : parts) size += part.size;
  Hasher hasher;
  auto part = parts.begin();
  std::uint64_t left = parts.empty() ? 0 : part->size;
  read_spooled(folder, name, size, [&](std::string_view text) {
    auto bytes = std::as_bytes(std::span(text));
    while (!bytes.empty()) {
      const auto here = bytes.first(std::min<std::uint64_t>(left, bytes.size()));
      hasher.update(here);
      left -= here.size();
      bytes = bytes.subspan(here.size());
      if (left > 0) continue;
      require_bytes(hasher.digest() == part->hash, "its text is not what was written");
      hasher = Hasher();
      if (++part != parts.end()) left = part->size;
    }
  });
}

void expect_texts(const io::Folder& folder, const SearchState& state) {
  if (state.identity.lists) expect_text(folder, SearchOutput::parked_name, state.output);
  for (const auto& piece : state.pieces) {
    if (const auto* const text = std::get_if<TextPart>(&piece)) {
      expect_text(folder, TextSpool::file_name(text->file), std::span(text, 1));
    }
  }
}

}  // namespace

const io::Folder& SearchCheckpoint::folder() {
  if (!lock_) {
    std::error_code error;
    fs::create_directory(path_, error);
    if (error) throw CannotCreate(path_, error.message());
    lock_ = std::make_unique<io::RunLock>(path_, io::LockOptions{.report = report_});
  }
  return lock_->folder();
}

std::optional<SearchState> SearchCheckpoint::load(const std::function<SearchIdentity()>& identity,
                                                  bool force) {
  std::error_code ignored;
  if (!fs::exists(path_, ignored)) return std::nullopt;
  if (!folder().has(state_name)) {
    if (std::ranges::any_of(folder().names(), is_ours)) {
      report_(Severity::warning, path_ + " holds no state, the search begins again");
    }
    begin_again();
    return std::nullopt;
  }
  std::string problem;
  try {
    if (auto state = read(identity(), force)) return state;
  } catch (const BadBytes& error) {
    problem = error.what();
  } catch (const IoError& error) {
    problem = error.what();
  } catch (const MissingInput& error) {
    problem = error.what();
  }
  if (!problem.empty()) {
    report_(Severity::warning, path_ + " is damaged, the search begins again: " + problem);
  }
  begin_again();
  return std::nullopt;
}

/// @return none if it is another's and may go
std::optional<SearchState> SearchCheckpoint::read(const SearchIdentity& identity, bool force) {
  const std::string bytes = io::read_file(folder(), state_name, most_state_bytes);
  std::string difference;
  try {
    SearchState state = decode_search_state(std::as_bytes(std::span(bytes)));
    difference = identity.difference(state.identity);
    if (difference.empty()) {
      expect_texts(folder(), state);
      return state;
    }
    difference = "of a search with " + difference;
  } catch (const OtherVersion&) {
    difference = "of another version of atoll";
  }
  if (!force) {
    throw UsageError(path_ + ": is " + difference +
                     "; write to another file, or begin again with --force");
  }
  report_(Severity::info, path_ + " was " + difference + " and is replaced");
  return std::nullopt;
}

void SearchCheckpoint::begin_again() {
  // The state first: without it, what else there is counts for nothing.
  folder().remove(state_name);
  for (const std::string& name : folder().names()) {
    if (is_ours(name)) folder().remove(name);
  }
}

void SearchCheckpoint::save(SearchState& state) {
  folder();
  lock_->require_held();
  const Bytes bytes = encode(state);
  io::AtomicFile file(folder(), state_name);
  file.append(bytes);
  file.commit();
}

bool SearchCheckpoint::is_kept() const {
  return lock_ && lock_->folder().has(state_name);
}

void SearchCheckpoint::remove() noexcept {
  if (!lock_) return;
  try {
    begin_again();
    lock_->folder().remove_if_possible(io::run_names::lock);
    lock_.reset();
    std::error_code ignored;
    fs::remove(path_, ignored);  // if it is empty
  } catch (const Error&) {       // the output is there
  }
}

}  // namespace atl
