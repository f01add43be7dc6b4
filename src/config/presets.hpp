// The presets that are built in: TOML texts, src/core/presets/NAME.toml.
#pragma once

#include <span>
#include <string_view>

namespace atl {

struct BuiltinPreset {
  std::string_view name;
  std::string_view toml;
};

std::span<const BuiltinPreset> builtin_presets() noexcept;
bool is_builtin_preset(std::string_view name) noexcept;
/// @throws UsageError for an unknown name, listing the known ones
const BuiltinPreset& builtin_preset(std::string_view name, const char* option = "--preset");

}  // namespace atl
