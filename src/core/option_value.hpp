#pragma once

#include <string>
#include <string_view>

#include "src/core/error.hpp"

namespace atl {

/// Calls `convert`, and puts the option's name before the message of an error of use, be it one
/// that all ranks have agreed on. A message that names another option stays as it is.
template <typename Convert>
auto option_value(const std::string& option, Convert&& convert) {
  try {
    return convert();
  } catch (const Error& error) {
    if (error.status() != ExitStatus::usage || std::string_view(error.what()).starts_with("--")) {
      throw;
    }
    const std::string message = option + ": " + error.what();
    if (dynamic_cast<const AgreedError*>(&error) != nullptr)
      throw AgreedError(error.status(), message);
    throw UsageError(message);
  }
}

}  // namespace atl
