// Options that say how a text of data is to be read. All commands that read one have them from
// here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/config/experiment.hpp"
#include "src/run/data/text_form.hpp"

namespace CLI {
class App;
}

namespace atl {

/// What the options are listed under in the help.
inline constexpr const char* reading_group = "Reading of a text";

/// Adds --format, --delimiter and those of add_table_options().
/// @param kinds  what the command reads
/// @param option  "on" where the options are --on-format and so on, as --on names the text; they
///                need it
void add_text_options(CLI::App& command, TextKinds kinds, const std::string& option = {});

/// Adds all but --format and --delimiter. @param option  as above
void add_table_options(CLI::App& command, const std::string& option = {});

/// What was given; reads the file of --schema. @param data  path; only a text takes the options
/// @throws UsageError; as is_hdf5; MissingInput, BadData, BadCell of the schema
TextForm text_form_from(const CLI::App& command, TextKinds kinds, const std::string& data,
                        const std::string& option = {});

/// Likewise of those of add_table_options(), not yet checked.
TextForm table_form_from(const CLI::App& command, const std::string& data);

/// The same of a run to begin, for which the machine keeps it.
/// @param is_file  data are a file that import has made: no text
/// @throws as text_form_from
void apply_text_options(const CLI::App& command, bool is_file, RunConfiguration& configuration);
/// These as they would be typed again, in any folder.
std::vector<std::string> text_options(const TextForm& form);
/// Is it the name of one of them, without dashes?
bool is_text_option(std::string_view name);

}  // namespace atl
