#include "src/batch/submission.hpp"

#include <filesystem>

namespace atl {

namespace fs = std::filesystem;

std::vector<std::string> bound_folders(const Submission& submission) {
  return {fs::path(submission.data).parent_path().string(),
          fs::path(submission.run).parent_path().string(), submission.folder};
}

}  // namespace atl
