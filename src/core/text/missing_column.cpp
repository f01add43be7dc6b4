#include "src/core/text/missing_column.hpp"

#include "src/core/text/near_names.hpp"

namespace atl {

std::string missing_column(const std::string& name, const std::vector<std::string>& there) {
  const std::string quoted = in_quotes(name);
  std::string text = "column " + quoted + " is missing: the table has no attribute " + quoted +
                     ", which the run's rules name";
  if (there.empty()) return text;
  if (!near_names(name, there).empty()) return text + suggestion(name, there);
  std::vector<std::string> others;
  for (const std::string& other : there) others.push_back(in_quotes(other));
  return text + "; it has " + listed(others);
}

}  // namespace atl
