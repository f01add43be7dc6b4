#pragma once

#include <functional>
#include <string_view>

namespace atl {

/// Takes text in order, from one thread at a time. @throws what ends the job
using WriteText = std::function<void(std::string_view)>;

}  // namespace atl
