// Marks functions that the device has, too.
#pragma once

#ifdef __CUDACC__
#define ATOLL_HOST_DEVICE __host__ __device__
#else
#define ATOLL_HOST_DEVICE
#endif
