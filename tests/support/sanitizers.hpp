#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ATOLL_SANITIZED true
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ATOLL_SANITIZED true
#endif
#ifndef ATOLL_SANITIZED
#define ATOLL_SANITIZED false
#endif

namespace atl::test {

/// Where memory runs out, sanitizers end the program instead of throwing.
inline constexpr bool sanitized = ATOLL_SANITIZED;

}  // namespace atl::test
