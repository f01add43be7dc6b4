#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/error.hpp"
#include "src/data/date.hpp"

namespace atl::io {

/// Whether the tokens of a column are dates in ISO 8601, and all of one kind. Once a token is none,
/// further ones are not looked at.
class DateEvidence {
 public:
  /// @param usual_words  beside dates, those of is_usual_no_value() mean "no value"
  explicit DateEvidence(bool usual_words) : usual_words_(usual_words) {}

  /// @param token  not missing
  /// @param column  in the table, from 0
  void observe(std::string_view token, const std::string& file, std::uint64_t line,
               std::size_t column);

  /// Takes a word that means no value; false if the token is none.
  bool take_word(std::string_view token);

  /// The kind of all tokens but words(); nothing if there are none or some is no date.
  /// @throws BadCell if all are dates and some have a time and some not, or a zone, or one has a
  /// flaw
  /// @param options  what the name of --nominal begins with in messages
  std::optional<AttributeKind> kind(const std::string& options) const;

  const std::string& no_date() const noexcept { return no_date_; }  ///< the first that is none
  std::uint64_t no_date_line() const noexcept { return no_date_line_; }
  /// Words that mean no value.
  const std::vector<std::string>& words() const noexcept { return words_; }

 private:
  static constexpr std::size_t most_words = 16;

  bool usual_words_;
  bool all_ = true;
  std::vector<std::string> words_;
  std::string no_date_;
  std::uint64_t no_date_line_ = 0;
  std::optional<AttributeKind> kind_;  ///< of the first
  std::string first_;
  std::uint64_t first_line_ = 0;
  std::optional<BadCell> misfit_;  ///< the first that is of another kind or has a flaw
};

}  // namespace atl::io
