// Options that the kinds of `atoll generate` have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "src/config/option_values.hpp"
#include "src/core/context.hpp"
#include "src/generate/block_stream.hpp"
#include "src/generate/lines.hpp"

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
/// Options that all kinds take.
struct OutputOptions {
  std::string output;
  bool force = false;
  std::uint64_t rows = 0;             ///< 0: they have to be given
  const CLI::App* command = nullptr;  ///< has --threads

  bool to_file() const;
};

/// With what a job may be told, for text.
/// @param what   is to be written, such as "Table"
/// @param forms  in which, such as ".csv or .h5"
void add_output(CLI::App& command, OutputOptions& options, const std::string& what,
                const std::string& forms);
void add_seed(CLI::App& command, std::uint64_t& seed);

/// Writes lines on all ranks as a task, and goes on where the same command was stopped. Collective.
/// @param command  whose options, but for those of the job, say what the lines are of
ExitStatus write_as_task(const CLI::App& command, const OutputOptions& options, Lines lines,
                         LineCounts counts, const Context& context,
                         const std::function<void(const std::vector<std::uint64_t>&)>& use = {});

Makers makers(const OutputOptions& options, const Context& context);

/// @param files  that are to be written; empty names are none
/// @throws UsageError
void expect_different(const std::vector<std::string>& files);

}  // namespace atl
