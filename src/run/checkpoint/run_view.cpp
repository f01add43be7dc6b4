#include "src/run/checkpoint/run_view.hpp"

#include <string>

#include "io/run/run_files.hpp"
#include "io/run/run_folder.hpp"
#include "src/core/agreement.hpp"

namespace atl {

// Whoever holds RUN has written into its lock who that is: a folder of the same name that is
// another has another lock, or none.
RunView::RunView(const JobSettings& settings, Communicator& communicator) {
  const std::string owner = text_of_root(
      communicator, [&] { return io::read_file(settings.lock->folder(), io::run_names::lock); });
  try {
    folder.emplace(settings.folder, io::Access::write);
    if (io::read_file(*folder, io::run_names::lock) != owner) folder.reset();
  } catch (const Error&) {
    folder.reset();
  }
  const std::byte own{folder ? std::uint8_t{1} : std::uint8_t{0}};
  for (const Bytes& bytes : communicator.all_gather({&own, 1})) {
    sees.push_back(bytes.front() != std::byte{0});
  }
}

}  // namespace atl
