#include "io/tables/columns/other_dates.hpp"

#include <algorithm>

#include "io/tables/values/date_format.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {

std::vector<std::string> formats_of_dates(std::span<const std::string> labels) {
  std::vector<std::string> found;
  if (labels.empty()) return found;
  for (const char* const day : {"%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y"}) {
    for (const char* const time : {"", " %H:%M", " %H:%M:%S"}) {
      const DateFormat format(std::string(day) + time);
      bool any = false;
      const bool all = std::all_of(labels.begin(), labels.end(), [&](const std::string& label) {
        any = any || !label.empty();
        return label.empty() || format.read(label).has_value();
      });
      if (any && all) found.push_back(format.text());
    }
  }
  return found;
}

std::string hint_at_dates(const std::string& column, std::span<const std::string> labels) {
  const std::vector<std::string> formats = formats_of_dates(labels);
  if (formats.empty()) return "";
  const auto example = std::find_if(labels.begin(), labels.end(),
                                    [](const std::string& label) { return !label.empty(); });
  std::string text = in_quotes(column) + " is taken as labels; if " + in_quotes(*example) +
                     " is a date, name it in a schema (--print-schema, then --schema FILE): format "
                     "= \"" +
                     formats[0] + "\"";
  if (formats.size() > 1) text += ", or \"" + formats[1] + "\"";
  return text;
}

}  // namespace atl::io
