// NCCL's functions. The library is looked for when the program runs, which so needs none.
#pragma once

#include <nccl.h>

namespace atl::cuda {

struct NcclLibrary {
  decltype(&ncclGetVersion) get_version = nullptr;
  decltype(&ncclGetErrorString) get_error_string = nullptr;
  decltype(&ncclGetLastError) get_last_error = nullptr;
  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRankConfig) init_rank = nullptr;
  decltype(&ncclCommGetAsyncError) get_async_error = nullptr;
  decltype(&ncclCommFinalize) finalize = nullptr;
  decltype(&ncclCommDestroy) destroy = nullptr;
  decltype(&ncclCommAbort) abort = nullptr;
  decltype(&ncclAllReduce) all_reduce = nullptr;

  /// @throws BackendUnavailable with NCCL's words, unless it is success or still in progress
  void expect(ncclResult_t result, ncclComm_t communicator = nullptr) const;
};

/// The file that ATOLL_NCCL names, or else the libnccl.so.2 that the system's loader finds. It
/// stays loaded until the program ends.
/// @throws BackendUnavailable if it is missing or too old
NcclLibrary load_nccl();

}  // namespace atl::cuda
