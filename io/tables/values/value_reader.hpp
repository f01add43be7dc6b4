#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/tables/values/date_format.hpp"
#include "io/tables/values/written_number.hpp"
#include "src/data/attribute.hpp"

namespace atl::io {

/// How the tokens of a column of numbers or dates are read.
struct ValueReader {
  AttributeKind kind = AttributeKind::numeric;  ///< no labels
  std::optional<DateFormat> format = {};        ///< of dates; ISO 8601 if not set
  NumberForm form = {};                         ///< of numbers

  /// @pre is_date(kind)
  std::optional<Moment> moment(std::string_view token) const noexcept;
  /// The number that an attribute of the kind holds for it; nothing if it is none.
  std::optional<double> value(std::string_view token) const noexcept;
  /// What a token should have been that value() refuses, for messages.
  std::string expected(std::string_view token) const;
};

}  // namespace atl::io
