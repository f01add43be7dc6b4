// Heavy: for .cpp files only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/config/toml_text.hpp"

namespace atl {

/// A table of a TOML file, whose keys are asked for one by one. A value that is not what is asked
/// for is BadData with file, line and column.
class TomlSection {
 public:
  /// @param table  null: absent, like a table without keys; must outlive it, as must `file`
  /// @param what   what messages call the table: "[job]"
  TomlSection(const toml::table* table, const std::string& file, std::string what)
      : table_(table), file_(&file), what_(std::move(what)) {}

  /// One line without control characters, not empty; a number counts as its text.
  std::optional<std::string> text(std::string_view key);
  std::optional<std::uint32_t> number(std::string_view key, std::uint32_t least,
                                      std::uint32_t most);
  std::optional<bool> truth(std::string_view key);
  /// A list of texts.
  std::vector<std::string> texts(std::string_view key);
  const toml::table* table(std::string_view key);

  /// @throws BadData for the first key that was not asked for
  void reject_others() const;

  bool has(std::string_view key) const { return table_ != nullptr && table_->contains(key); }
  /// "FILE:LINE:COLUMN" of the key's value; of the table, or of the file alone, where it lacks it.
  std::string place(std::string_view key) const;
  /// @throws BadData with the place of the key
  [[noreturn]] void fail(std::string_view key, const std::string& problem) const;
  /// Runs `convert`; what it says of a wrong value gets the value's place.
  template <typename Convert>
  auto at(std::string_view key, Convert&& convert) const {
    try {
      return convert();
    } catch (const UsageError& error) {
      fail(key, std::string(key) + ": " + error.what());
    }
  }

 private:
  const toml::node* ask(std::string_view key);

  const toml::table* table_;
  const std::string* file_;
  std::string what_;
  std::vector<std::string> asked_;
};

}  // namespace atl
