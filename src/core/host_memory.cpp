#include "src/core/host_memory.hpp"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "src/core/hash.hpp"

namespace atl {

/// The place where other ranks find what rank 0 has made, and the marks by which they know it.
struct HostMemory::Offer {
  std::int64_t process = 0;
  std::int32_t file = -1;  // -1: there is none
  std::uint64_t size = 0, device = 0, inode = 0;
};

namespace {

/// Growing a file beyond this limit ends the process (SIGXFSZ).
bool may_be_so_large(std::size_t size) noexcept {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         (limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur);
}

}  // namespace

int host_number() {
  std::ifstream boot("/proc/sys/kernel/random/boot_id", std::ios::binary);
  std::string id{std::istreambuf_iterator<char>(boot), {}};
  std::error_code unknown;
  id += std::filesystem::read_symlink("/proc/self/ns/pid", unknown).string();
  return static_cast<int>(hash_bytes(std::as_bytes(std::span(id))).low & 0x7FFFFFFF);
}

// Its pages come to lie in the part of the host's memory that is nearest to the rank that writes
// them, or as `numactl --interleave` says.
HostMemory::Offer HostMemory::create(std::size_t size) noexcept {
  struct stat status {};
  if (size == 0 || !may_be_so_large(size)) return {};
  file_ = ::memfd_create("atoll", MFD_CLOEXEC);
  const bool made = file_ >= 0 && ::ftruncate(file_, static_cast<off_t>(size)) == 0 &&
                    ::fstat(file_, &status) == 0 && map(size);
  if (!made) return {};
  return {::getpid(), file_, size, status.st_dev, status.st_ino};
}

// Looks at what is behind the path before it is opened: were this another host or container, it
// could be anything.
bool HostMemory::open(const Offer& offer) {
  struct stat status {};
  const std::string path =
      "/proc/" + std::to_string(offer.process) + "/fd/" + std::to_string(offer.file);
  if (offer.file < 0 || ::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_dev != offer.device || status.st_ino != offer.inode ||
      static_cast<std::uint64_t>(status.st_size) != offer.size) {
    return false;
  }
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return file_ >= 0 && map(offer.size);
}

bool HostMemory::map(std::size_t size) noexcept {
  void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_, 0);
  if (at == MAP_FAILED) return false;
  data_ = static_cast<const std::byte*>(at);
  size_ = size;
  return true;
}

Bytes HostMemory::encoded(const Offer& offer) {
  ByteWriter out;
  out.put(offer.process);
  out.put(offer.file);
  for (const std::uint64_t value : {offer.size, offer.device, offer.inode}) out.put(value);
  return std::move(out).take();
}

HostMemory::Offer HostMemory::decoded(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  Offer offer{in.get<std::int64_t>(), in.get<std::int32_t>()};
  for (std::uint64_t* value : {&offer.size, &offer.device, &offer.inode})
    *value = in.get<std::uint64_t>();
  return offer;
}

std::shared_ptr<HostMemory> HostMemory::make(std::size_t size, Communicator& host) {
  if (host.size() == 1) return nullptr;
  std::shared_ptr<HostMemory> memory(new HostMemory);
  Offer offer;
  if (host.rank() == 0) offer = memory->create(size);
  offer = decoded(host.broadcast(encoded(offer), 0));
  const bool has_it = host.rank() == 0 ? offer.file >= 0 : memory->open(offer);
  std::uint64_t without = has_it ? 0 : 1;
  host.all_reduce_sum(std::span(&without, 1));
  return without == 0 ? memory : nullptr;
}

HostMemory::~HostMemory() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
  if (file_ >= 0) ::close(file_);
}

void HostMemory::write(std::size_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw std::bad_alloc();
    offset += static_cast<std::size_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

}  // namespace atl
