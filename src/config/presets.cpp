#include "src/config/presets.hpp"

#include <algorithm>
#include <string>

#include "src/core/error.hpp"

namespace atl {

bool is_builtin_preset(std::string_view name) noexcept {
  const auto presets = builtin_presets();
  return std::any_of(presets.begin(), presets.end(),
                     [&](const BuiltinPreset& preset) { return preset.name == name; });
}

const BuiltinPreset& builtin_preset(std::string_view name, const char* option) {
  std::string known;
  for (const BuiltinPreset& preset : builtin_presets()) {
    if (preset.name == name) return preset;
    known.append(known.empty() ? "" : " or ").append(preset.name);
  }
  throw UsageError(std::string(option) + " is '" + printable(std::string(name)) + "', expected " +
                   known);
}

}  // namespace atl
