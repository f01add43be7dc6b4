#include "src/batch/submission.hpp"

#include <algorithm>
#include <filesystem>

namespace atl {

namespace fs = std::filesystem;

std::vector<std::string> bound_folders(const Submission& submission) {
  std::vector<std::string> folders = {fs::path(submission.data).parent_path().string(),
                                      fs::path(submission.run).parent_path().string(),
                                      submission.folder};
  for (const std::string& input : submission.inputs) {
    const std::string folder = fs::path(input).parent_path().string();
    if (std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
  }
  return folders;
}

std::string configuration_text(const Submission& submission, const SubmittedRun& run) {
  if (!submission.makes_files()) return to_toml(run.configuration);
  return "# atoll " + submission.command.section + " of " + submission.data + "\n" +
         run.file_options;
}

}  // namespace atl
