// Reading of JSON that others may have changed. Heavy: for .cpp files only.
#pragma once

#include <cstdint>
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

/// Hands over the whole of a text, of whatever kind it is, under the same conditions, but nested
/// 256 deep at most. @throws BadData
void with_json(std::string_view json, const std::string& file,
               const std::function<void(const nlohmann::json&)>& take);

/// A whole number in [0, 2^64); nlohmann converts others without a word.
/// @param what  the key, for messages  @throws std::invalid_argument
std::uint64_t json_count(const nlohmann::json& value, const std::string& what);

}  // namespace atl::io
