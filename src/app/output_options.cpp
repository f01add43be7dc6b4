#include "src/app/output_options.hpp"

#include <filesystem>

#include "io/run/run_files.hpp"
#include "src/core/error.hpp"

namespace atl {

void refuse_standard_output(const std::string& output, const std::string& why) {
  if (output == standard_output) throw UsageError("--output -: " + why);
}

void refuse_existing(const std::string& file, bool force) {
  std::error_code ignored;
  io::refuse_file_of_run(file);
  // What is no file cannot be replaced at all, which is said when it is opened.
  if (force || !std::filesystem::is_regular_file(file, ignored)) return;
  throw UsageError(file + ": exists already; give --force to replace it");
}

}  // namespace atl
