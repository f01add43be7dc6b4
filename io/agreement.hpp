#pragma once

#include <exception>
#include <functional>

#include "src/core/communicator.hpp"

namespace atl::io {

/// What `work` throws, null if it does not.
std::exception_ptr failure_of(const std::function<void()>& work);

/// Collective. Returns if no rank hands in a failure; otherwise every rank throws that of the
/// lowest rank that has one, by the same type of error.hpp and with the same message.
void agree(Communicator& communicator, const std::exception_ptr& failure);

}  // namespace atl::io
