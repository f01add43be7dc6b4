// The form in which a text of data is to be read, where it does not tell by itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace atl {

/// The options as they were typed; the text tells what is not set.
struct TextForm {
  std::optional<std::string>
      format;  ///< csv, arff or keel, of tables; fimi, baskets, long, onehot; auto
  std::optional<std::string> delimiter;
  std::optional<bool> header;
  std::optional<std::string> encoding;
  // These concern tables alone.
  std::optional<std::vector<std::string>> missing;       ///< words beside the usual ones
  std::optional<std::vector<std::string>> missing_only;  ///< words instead of the usual ones
  std::optional<std::string> decimal;                    ///< auto, point, comma or plain
  std::optional<std::vector<std::string>> nominal, ignore;
  std::optional<std::string> schema;       ///< its TOML
  std::optional<std::string> schema_file;  ///< that it was read from, for messages

  /// The encoding of a text that is not UTF-8, where none is given.
  std::optional<std::string> encoding_otherwise;
  bool is_table = false;       ///< whatever the text tells
  std::string options = "--";  ///< what options begin with in messages: those of --on with "--on-"

  std::string format_name() const { return format.value_or("auto"); }
  bool names_transactions() const {
    return format == "fimi" || format == "baskets" || format == "long" || format == "onehot";
  }
  friend bool operator==(const TextForm&, const TextForm&) = default;
};

}  // namespace atl
