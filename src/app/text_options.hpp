// Options that say how a text of data is to be read.
#pragma once

#include <string>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/run/text_form.hpp"

namespace CLI {
class App;
}

namespace atl {

/// Adds --format and --delimiter.
/// @param kinds  what the command reads
/// @param option  "on" where the options are --on-format and --on-delimiter, as --on names the
/// text;
///                they need it
void add_text_options(CLI::App& command, TextKinds kinds, const std::string& option = {});

/// What was given. @param data  path; only a text takes the options
/// @throws UsageError; as is_hdf5
TextForm text_form_from(const CLI::App& command, TextKinds kinds, const std::string& data,
                        const std::string& option = {});

/// The same of a run to begin, for which the machine keeps it.
/// @param is_file  data are a file that import has made: no text
/// @throws UsageError
void apply_text_options(const CLI::App& command, bool is_file, RunConfiguration& configuration);
/// These as they would be typed again.
std::vector<std::string> text_options(const Machine& machine);

}  // namespace atl
