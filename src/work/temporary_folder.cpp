#include "src/work/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "src/core/error.hpp"

namespace atl {

namespace {

std::string make_folder() {
  const char* parent = std::getenv("TMPDIR");
  std::string path =
      std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") + "/atoll-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    throw CannotCreate(path, std::string(std::strerror(errno)) + " (TMPDIR)");
  }
  return path;
}

}  // namespace

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
