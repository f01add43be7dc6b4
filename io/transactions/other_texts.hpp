// Texts that are no transactions but could be read as some: each line would be a list of names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace atl::io {

/// Says what a text surely is, and what to do about it, where it is of another form of SPMF's than
/// transactions: sequences, transactions with utilities, or itemsets that were found. "has
/// sequences as SPMF writes them, expected ..."
/// @param start  of the text, whose last line may be cut off
std::optional<std::string> other_than_transactions(std::string_view start);

/// Does it begin as SPMF's transactions do that were made of another text? Their items are numbers,
/// which @ITEM=1=milk names.
bool begins_as_spmf(std::string_view start) noexcept;

/// Does it begin as ARFF and KEEL do: with @relation or @attribute, and has it an @attribute?
bool begins_as_arff(std::string_view start) noexcept;

}  // namespace atl::io
