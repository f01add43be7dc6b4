#include "src/app/run_data.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "io/import.hpp"
#include "src/core/error.hpp"

namespace atl {

bool is_hdf5(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw MissingInput(path, "is a folder, expected a file");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) throw MissingInput(path, std::strerror(errno));
  constexpr std::array<char, 8> signature = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, signature.size()> begin{};
  in.read(begin.data(), begin.size());
  return begin == signature;
}

std::string dataset_of_run(const std::string& data, const io::RunPaths& run, const Report& report) {
  std::error_code ignored;
  if (std::filesystem::exists(run.data, ignored)) return run.data;
  if (data != standard_input && is_hdf5(data)) return data;
  report(Severity::info, "importing " + data + " into " + run.data);
  io::ImportOptions options;
  options.inputs = {data};
  options.output = run.data;
  io::import_tables(options, report);
  return run.data;
}

}  // namespace atl
