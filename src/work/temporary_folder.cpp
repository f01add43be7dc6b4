#include "src/work/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "src/core/error.hpp"

namespace atl {
namespace {

std::string make_folder() {
  std::string path = temporary_place() + "/atoll-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    throw CannotCreate(path, std::string(std::strerror(errno)) + " (TMPDIR)");
  }
  return path;
}

}  // namespace

std::string temporary_place() {
  const char* const place = std::getenv("TMPDIR");
  return place != nullptr && *place != '\0' ? place : "/tmp";
}

TemporaryFolder::TemporaryFolder() : folder_(make_folder(), io::Access::write) {
  folder_.require_owned();
}

TemporaryFolder::~TemporaryFolder() {
  for (const auto& name :
       io::entry_names(folder_.descriptor()).value_or(std::vector<std::string>()))
    folder_.remove_if_possible(name);
  ::rmdir(folder_.path().c_str());  // an empty one
}

}  // namespace atl
