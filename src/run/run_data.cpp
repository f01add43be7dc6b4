#include "src/run/run_data.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "io/input_file.hpp"
#include "io/run/checkpoint_store.hpp"
#include "io/run/run_files.hpp"
#include "src/core/error.hpp"
#include "src/run/temporary_folder.hpp"

namespace atl {

namespace fs = std::filesystem;

bool is_hdf5(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::is_directory(status)) throw MissingInput(path, "is a folder, expected a file");
  // A pipe gives each of its bytes only once, and they are the import's.
  if (fs::exists(status) && !fs::is_regular_file(status)) return false;
  std::ifstream in(path, std::ios::binary);
  if (!in) io::throw_unopened(path, errno);
  constexpr std::array<char, 8> signature = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, signature.size()> begin{};
  in.read(begin.data(), begin.size());
  return begin == signature;
}

std::string dataset_of_run(const std::string& data, const io::Folder& folder,
                           const Report& report) {
  const io::RunPaths run(folder.path());
  folder.require_in_place();
  if (folder.has(io::run_names::data)) return run.data;
  if (data != standard_input && is_hdf5(data)) return data;
  report(Severity::info, "importing " + data + " into " + run.data);
  io::ImportOptions options;
  options.inputs = {data};
  options.output = run.data;
  options.folder = &folder;
  io::import_tables(options, report);
  folder.require_in_place();
  const Fingerprint fingerprint = io::read_summary(run.data, &folder).fingerprint;
  // Job tells of damaged checkpoints.
  const auto checkpoint =
      io::CheckpointStore(folder, 1, [](Severity, const std::string&) {
      }).latest_header([&](const RunStateHeader& of) { return of.dataset == fingerprint; });
  if (checkpoint && checkpoint->dataset != fingerprint) {
    // It would be taken for the run's from now on.
    folder.remove(io::run_names::data);
    throw BadData(data, "holds other data than those the run began with");
  }
  return run.data;
}

Dataset read_data(const std::string& data, const io::LoadOptions& options, const Report& report,
                  const std::vector<io::NeededColumn>& needed) {
  LocalCommunicator alone;
  if (data != standard_input && is_hdf5(data)) return io::read_dataset(data, options, alone);
  const TemporaryFolder folder;
  io::ImportOptions import;
  import.inputs = {data};
  import.needed = needed;
  import.output = folder.folder().path_of(io::run_names::data);
  import.folder = &folder.folder();
  io::import_tables(import, report);
  io::LoadOptions imported = options;
  imported.folder = &folder.folder();
  return io::read_dataset(import.output, imported, alone);
}

}  // namespace atl
