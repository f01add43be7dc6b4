// Labels that are numbers. One file writes 0 where another writes 0.0, and means the same.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace atl {

/// The number that a label is. Nothing for a code: an integer with a leading zero, such as 007, or
/// one beyond 2^53, where a double stands for several integers.
std::optional<double> label_number(std::string_view label) noexcept;

/// Is there a label, and is each a number?
bool are_label_numbers(std::span<const std::string> labels) noexcept;

/// The place of the label that is the same: the one of this text, else the only one that is the
/// same number.
std::optional<std::size_t> find_label(std::span<const std::string> labels,
                                      std::string_view label) noexcept;

}  // namespace atl
