// Little-endian byte strings for messages between ranks and for checkpoints.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace atl {

using Bytes = std::vector<std::byte>;

/// Thrown by ByteReader when the bytes end early or a length or value is impossible.
struct BadBytes : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void require_bytes(bool condition, const char* problem) {
  if (!condition) throw BadBytes(problem);
}

class ByteWriter {
 public:
  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put(T value) {
    append(std::as_bytes(std::span(&value, 1)));
  }
  /// Number of elements (u64), then the elements.
  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put_all(std::span<const T> values) {
    put(static_cast<std::uint64_t>(values.size()));
    append(std::as_bytes(values));
  }
  void put_text(const std::string& text) { put_all(std::span<const char>(text)); }
  const Bytes& bytes() const noexcept { return bytes_; }
  Bytes take() && { return std::move(bytes_); }

 private:
  void append(std::span<const std::byte> raw);

  Bytes bytes_;
};

/// Reads what ByteWriter wrote. Never reads past the end, never allocates more than the bytes that
/// are left could hold. The bytes must outlive the reader.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) std::vector<T> get_all() {
    std::vector<T> values(get_count(sizeof(T)));
    const auto raw = take(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), raw.data(), raw.size());
    return values;
  }
  bool get_flag() {
    const auto byte = get<std::uint8_t>();
    require_bytes(byte <= 1, "a flag is neither 0 nor 1");
    return byte == 1;
  }
  std::string get_text() {
    const auto chars = get_all<char>();
    return {chars.begin(), chars.end()};
  }
  /// A u64 count of records of at least `record_bytes` bytes each that must still fit.
  std::size_t get_count(std::size_t record_bytes) {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() / record_bytes) throw BadBytes("a length exceeds the bytes left");
    return static_cast<std::size_t>(count);
  }
  std::size_t left() const noexcept { return bytes_.size(); }
  void expect_end() const {
    if (!bytes_.empty()) throw BadBytes("bytes are left over at the end");
  }

 private:
  std::span<const std::byte> take(std::size_t count) {
    if (count > bytes_.size()) throw BadBytes("the bytes end early");
    const auto front = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return front;
  }
  std::span<const std::byte> bytes_;
};

static_assert(std::endian::native == std::endian::little);

}  // namespace atl
