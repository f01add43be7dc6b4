#include "src/batch/submission.hpp"

#include <filesystem>

namespace atl {

namespace fs = std::filesystem;

std::vector<std::string> bound_folders(const Submission& submission) {
  return {fs::path(submission.data).parent_path().string(),
          fs::path(submission.run).parent_path().string(), submission.folder};
}

std::string configuration_text(const Submission& submission, const SubmittedRun& run) {
  if (!submission.makes_files()) return to_toml(run.configuration);
  return "# atoll " + submission.command.section + " of " + submission.data + "\n" +
         run.file_options;
}

}  // namespace atl
