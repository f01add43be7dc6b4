// What a user says of tables that are imported, and what is needed of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/tables/columns/schema.hpp"

namespace atl::io {

class Folder;
class TextInput;

enum class TextFormat : std::uint8_t { automatic, csv, arff, keel };

/// A column that is there to be counted on, so it stays whatever its values are, even without any.
struct NeededColumn {
  std::string name;
  AttributeKind kind = AttributeKind::nominal;  ///< numeric, a kind of dates, or labels of any sort
  /// Tokens that mean "no value"; not set: those of the import.
  std::optional<std::vector<std::string>> missing = {};
  std::vector<std::string> order = {};  ///< of ordered labels, lowest first; there are no others
  std::string number_form = {};  ///< of numbers that can be read in several ways (NumberForm)
  bool is_class = false;         ///< labels that are numbers are classes by their numbers
  bool required = false;         ///< the table must have it
};

struct ImportOptions {
  std::vector<std::string> inputs;          ///< paths, "-" for standard input; same columns in each
  std::shared_ptr<const TextInput> opened;  ///< set: the only one, as it is open already
  std::string output;                       ///< dataset file; exists only once complete
  const Folder* folder = nullptr;           ///< set: it is to lie in this one, under its name
  std::function<void()> before_output;      ///< set: called once it is complete, before it exists
  TextFormat format = TextFormat::automatic;
  std::optional<char> delimiter;      ///< CSV; detected if not given
  std::optional<bool> header;         ///< CSV; detected if not given
  std::optional<Schema> schema;       ///< overrides inference, column by column
  std::string target;                 ///< --class
  std::vector<std::string> nominal;   ///< columns taken as nominal
  std::vector<std::string> ignore;    ///< columns left out
  std::vector<std::string> excluded;  ///< columns that nobody looks at: left out if not readable
  std::vector<std::string> kept;      ///< columns that the user names: stay whatever their values
  std::vector<NeededColumn> needed;   ///< of those that the table has; a declared kind stands
  bool only_needed = false;           ///< no other column is looked at
  std::vector<std::string> missing;   ///< tokens that mean "no value" beside the usual ones
  std::optional<std::vector<std::string>> missing_only;  ///< set: these instead of the usual ones
  DecimalMark decimal = DecimalMark::detected;
  std::string encoding;  ///< of the text, as iconv names it; empty: UTF-8, or what its mark says
  std::string option_prefix = "--";  ///< of the options that messages name: "--on-" of --on
  bool fold_one_hot = false;         ///< groups of one-hot columns become nominal attributes
  std::uint32_t max_categories =
      1000;  ///< labels of a nominal column; the rest become "other"; 0: all
  std::uint32_t partition_rows = 65536;
  std::uint64_t memory_limit = std::uint64_t{1} << 30;  ///< bytes for dictionaries and buffers
  std::string temporary_folder;                         ///< for spools; next to the output if empty
};

}  // namespace atl::io
