// Options that the kinds of `atoll generate` have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "src/app/option_values.hpp"
#include "src/core/context.hpp"
#include "src/generate/block_stream.hpp"

namespace atl {

template <typename Number>
CLI::Option* add_number(CLI::App& command, const std::string& name, Number& value, Number lowest,
                        Number highest, const std::string& help) {
  const auto take = [name, &value, lowest, highest](const std::string& text) {
    value = static_cast<Number>(whole_number_option(name, text, lowest, highest));
  };
  return command.add_option_function<std::string>(name, take, help)->type_name("UINT");
}

/// A number between two bounds, which may be what it is.
CLI::Option* add_real(CLI::App& command, const std::string& name, double& value, double lowest,
                      double highest, const std::string& help);
/// @param what  are to be written
CLI::Option* add_rows(CLI::App& command, std::uint64_t& rows, const std::string& what = "Rows");
void add_seed(CLI::App& command, std::uint64_t& seed);
void add_threads(CLI::App& command, std::uint32_t& threads);

/// Of this rank. @param threads  0: as many as it may use
Makers makers(std::uint32_t threads, const Context& context);

/// @param files  that are to be written; empty names are none
/// @throws UsageError
void expect_different(const std::vector<std::string>& files);

}  // namespace atl
