// Reading of JSON that others may have changed. Heavy: for .cpp files only.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace atl::io {

/// Hands over the elements of a list one by one, so that only one of them is in memory. None is
/// nested more than 16 deep or has a key twice. What `take` throws comes through, but for what it
/// cannot do with an element (nlohmann::json::exception, std::invalid_argument).
/// @param element  what messages call one
/// @throws BadData with the place in the text or the number of the element
void for_each_in_json_list(std::string_view json, const std::string& file,
                           const std::string& element,
                           const std::function<void(const nlohmann::json&)>& take);

}  // namespace atl::io
