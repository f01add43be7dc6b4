// Writes sets of items whose support is uncertain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/data/transactions/uncertain_sink.hpp"

namespace atl::io {

/// The forms of the text.
enum class UncertainForm : std::uint8_t {
  lines,  ///< as ItemsetWriter writes, with the probability in place of the support: 3 17 (0.75...)
  csv,    ///< items (joined by AND), length, probability, expected_support, variance, transactions
  json,   ///< a list of objects, one a line
};

/// csv of OUT.csv and json of OUT.json, else lines.
UncertainForm uncertain_form(const std::string& output);
/// "csv": in a checkpoint, for those that go on from it.
const char* to_string(UncertainForm form) noexcept;

/// Writes sets as they are found. Probabilities have nine decimals, rounded to the nearest;
/// expected supports and variances are the shortest numbers that read back to the same. Holds 256
/// KiB at most, beside the set at hand.
/// @param names  [items]; must outlive it
/// @param write  takes the text, in pieces
std::unique_ptr<UncertainText> make_uncertain_writer(UncertainForm form,
                                                     const std::vector<std::string>& names,
                                                     std::function<void(std::string_view)> write);

}  // namespace atl::io
