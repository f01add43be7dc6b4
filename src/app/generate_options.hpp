// Options that the kinds of `atoll generate` have in common.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "src/app/option_values.hpp"
#include "src/core/context.hpp"
#include "src/generate/block_stream.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {

template <typename Number>
CLI::Option* add_number(CLI::App& command, const std::string& name, Number& value, Number lowest,
                        Number highest, const std::string& help) {
  const auto take = [name, &value, lowest, highest](const std::string& text) {
    value = static_cast<Number>(whole_number_option(name, text, lowest, highest));
  };
  return command.add_option_function<std::string>(name, take, help)->type_name("UINT");
}

/// A number between two bounds, both allowed.
CLI::Option* add_real(CLI::App& command, const std::string& name, double& value, double lowest,
                      double highest, const std::string& help);
/// What all kinds take.
struct OutputOptions {
  std::string output;
  bool force = false;
  std::uint64_t rows = 0;             ///< 0: they have to be given
  const CLI::App* command = nullptr;  ///< has --threads
};

/// @param what   is to be written, such as "Table"
/// @param forms  in which, such as ".csv or .h5"
void add_output(CLI::App& command, OutputOptions& options, const std::string& what,
                const std::string& forms);
void add_seed(CLI::App& command, std::uint64_t& seed);

/// Where a text of any size is written that may be meant for standard output: it goes to a
/// temporary folder first, as all ranks have a part in it.
class OutputPlace {
 public:
  /// @param ending  of files of this kind
  OutputPlace(const std::string& output, const std::string& ending, Communicator& communicator);
  const std::string& path() const noexcept { return path_; }
  bool is_standard_output() const noexcept { return folder_.has_value(); }
  /// Once it is complete. Collective. @throws IoError
  void finish(Communicator& communicator) const;

 private:
  std::optional<TemporaryFolder> folder_;
  std::string path_;
};

Makers makers(const OutputOptions& options, const Context& context);

/// @param files  that are to be written; empty names are none
/// @throws UsageError
void expect_different(const std::vector<std::string>& files);

}  // namespace atl
