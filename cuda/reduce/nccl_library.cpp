#include "cuda/reduce/nccl_library.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include "cuda/host/reasons.hpp"
#include "src/core/error.hpp"

namespace atl::cuda {
namespace {

constexpr std::size_t longest_text = 300;

/// Looks a function up. False if the library has no such function.
template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

void NcclLibrary::expect(ncclResult_t result, ncclComm_t communicator) const {
  if (result == ncclSuccess || result == ncclInProgress) return;
  std::string text = std::string("NCCL: ") + get_error_string(result);
  const char* const details = get_last_error(communicator);
  if (details != nullptr && *details != '\0') text += std::string(": ") + details;
  // It may have several lines.
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  throw BackendUnavailable("cuda", printable(text, longest_text));
}

NcclLibrary load_nccl() {
  const char* const chosen = std::getenv("ATOLL_NCCL");
  const char* const file = chosen != nullptr && *chosen != '\0' ? chosen : "libnccl.so.2";
  // It has threads of its own, so it must not be unloaded.
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    throw BackendUnavailable("cuda", nccl_missing_reason(printable(dlerror(), longest_text)));
  }
  NcclLibrary nccl;
  int version = 0;
  if (find(library, "ncclGetVersion", nccl.get_version)) nccl.get_version(&version);
  const bool complete = find(library, "ncclGetErrorString", nccl.get_error_string) &&
                        find(library, "ncclGetLastError", nccl.get_last_error) &&
                        find(library, "ncclGetUniqueId", nccl.get_unique_id) &&
                        find(library, "ncclCommInitRankConfig", nccl.init_rank) &&
                        find(library, "ncclCommGetAsyncError", nccl.get_async_error) &&
                        find(library, "ncclCommFinalize", nccl.finalize) &&
                        find(library, "ncclCommDestroy", nccl.destroy) &&
                        find(library, "ncclCommAbort", nccl.abort) &&
                        find(library, "ncclAllReduce", nccl.all_reduce);
  if (!complete || version < nccl_version_needed) {
    throw BackendUnavailable("cuda", nccl_version_reason(version));
  }
  return nccl;
}

}  // namespace atl::cuda
