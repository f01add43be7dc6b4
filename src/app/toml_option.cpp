#include "src/app/toml_option.hpp"

#include <CLI/CLI.hpp>

#include "src/app/command_line.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"

namespace atl {
namespace {

/// A scalar as it would be typed. @throws UsageError
std::string scalar_text(const std::string& file, const toml::node& node) {
  if (node.is_string()) return node.as_string()->get();
  if (node.is_integer()) return std::to_string(node.as_integer()->get());
  if (node.is_floating_point()) return format_number(node.as_floating_point()->get());
  if (node.is_boolean()) return node.as_boolean()->get() ? "true" : "false";
  throw UsageError(toml_place(file, node.source()) +
                   "expected a string, a number, true or false, or a list of these");
}

}  // namespace

std::string toml_place(const std::string& file, const toml::source_region& where) {
  return file + ":" + std::to_string(where.begin.line) + ":" + std::to_string(where.begin.column) +
         ": ";
}

std::string typed_value(const toml::node& node, const std::string& file) {
  if (!node.is_array()) return scalar_text(file, node);
  std::string list;
  for (const toml::node& element : *node.as_array()) {
    const std::string part = scalar_text(file, element);
    const bool quote = part.find(',') != std::string::npos && part.find('"') == std::string::npos;
    if (!list.empty()) list += ',';
    list += quote ? '"' + part + '"' : part;
  }
  return list;
}

std::string typed_option(const CLI::App& command, const std::string& key, const toml::node& node,
                         const std::string& file) {
  const std::string name = "--" + key;
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr || name == "--config" || name == "--help") {
    throw UsageError(toml_place(file, node.source()) + "unknown option " + printable(name) +
                     did_you_mean(name, long_options(command)));
  }
  const bool is_flag = option->get_expected_max() == 0;
  if (may_have_value(*option)) {
    if (node.is_boolean()) return name + (node.as_boolean()->get() ? "" : "=0");
    return name + "=" + typed_value(node, file);
  }
  if (is_flag != node.is_boolean()) {
    throw UsageError(toml_place(file, node.source()) + name +
                     (is_flag ? " must be true or false" : " needs a value"));
  }
  const std::string value = typed_value(node, file);
  // A flag that has an opposite is more than not given where it is false.
  const bool has_opposite = is_flag && !option->get_fnames().empty();
  if (is_flag) return value == "true" ? name : has_opposite ? name + "=false" : "";
  return name + "=" + value;
}

}  // namespace atl
