#pragma once

#include <functional>
#include <string>

#include "src/core/error.hpp"

namespace atl {

/// What the action throws, as text.
inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace atl
