// XML 1.0 in UTF-8, an element a line. To write it takes so little that no library is linked with.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace atl::io {

class XmlWriter {
 public:
  using Attribute = std::pair<const char*, std::string>;

  /// An element that others are put into until it is closed.
  /// @param name  must outlive the writer
  /// @throws UsageError for a value with a character that XML cannot hold, such as U+0001, or bytes
  ///         that are no UTF-8: anything in its place would be another value
  void open(const char* name, const std::vector<Attribute>& attributes = {});
  void close();
  /// An element without others in it.
  void leaf(const char* name, const std::vector<Attribute>& attributes);

  /// @pre all are closed
  std::string take() &&;

 private:
  void begin(const char* name, const std::vector<Attribute>& attributes);

  std::string text_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  std::vector<const char*> open_;
};

/// Writes the text as the value of an XML attribute, without quotes; blanks other than the space
/// are kept.
/// @throws UsageError likewise
std::string xml_value(std::string_view text);

}  // namespace atl::io
