#include "src/app/submit/itemset_job_options.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "src/app/itemset_options.hpp"
#include "src/config/toml_text.hpp"
#include "src/core/error.hpp"

namespace atl {

std::string itemset_job_options(const std::vector<std::string>& typed, const std::string& data,
                                const std::string& output) {
  std::string toml;
  for (const std::string& option : typed) {
    const std::size_t equal = std::min(option.find('='), option.size());
    const std::string key = option.substr(2, equal - 2);
    if (key == "output") throw UsageError("--output is not for a batch job; `run` is its file");
    if (key == "force") throw UsageError("--force is not for a batch job");
    toml += key + " = ";
    toml += equal == option.size() ? "true" : toml_string(option.substr(equal + 1));
    toml += '\n';
  }
  CLI::App command;
  ItemsetsOptions options;
  add_itemsets_options(command, options);
  std::vector<std::string> words = {data, "--output=" + output};  // the last first
  words.insert(words.end(), typed.rbegin(), typed.rend());
  try {
    command.parse(words);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  if (!settings_from(options).is_task) {
    const char* const why = options.rules ? "--rules" : "--algorithm apriori";
    throw UsageError(std::string(why) + " has no checkpoints that a next job could go on from");
  }
  return toml;
}

}  // namespace atl
