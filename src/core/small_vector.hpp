// A vector whose first elements need no allocation: rules and derivations are made and copied by
// the million, and nearly all of them are short.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>

namespace atl {

/// Up to `inline_capacity` elements lie in the object itself. It keeps what it has allocated as
/// long as it lives, so a vector that is assigned to again and again stops allocating. References
/// and iterators are those of a std::vector, but moving one copies its elements.
template <typename T, std::size_t inline_capacity>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() noexcept = default;
  explicit SmallVector(std::size_t count) { resize(count); }
  SmallVector(std::initializer_list<T> from) {
    assign(std::span<const T>(from.begin(), from.size()));
  }
  /// Copies anything that a span can be made of.
  template <typename Range>
  requires std::is_convertible_v<const Range&, std::span<const T>> SmallVector(const Range& from) {
    assign(from);
  }
  SmallVector(const SmallVector& other) { assign(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) assign(other);
    return *this;
  }
  ~SmallVector() { release(); }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T& front() noexcept { return data_[0]; }
  const T& front() const noexcept { return data_[0]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }

  void clear() noexcept { size_ = 0; }
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    T* const grown = static_cast<T*>(::operator new(capacity * sizeof(T)));
    std::memcpy(static_cast<void*>(grown), data_, size_ * sizeof(T));
    release();
    data_ = grown;
    capacity_ = capacity;
  }
  /// New elements are value-initialised.
  void resize(std::size_t count) {
    reserve(count);
    if (count > size_) std::fill(data_ + size_, data_ + count, T{});
    size_ = count;
  }
  void push_back(T value) {
    if (size_ == capacity_) reserve(2 * capacity_);
    data_[size_++] = value;
  }
  /// @param from  not part of it
  void assign(std::span<const T> from) {
    reserve(from.size());
    std::copy(from.begin(), from.end(), data_);
    size_ = from.size();
  }
  /// Puts other elements in the place of `count` of them.
  /// @param with  not part of it
  void replace(std::size_t at, std::size_t count, std::span<const T> with) {
    const std::size_t rest = size_ - at - count;
    reserve(size_ - count + with.size());
    T* const place = data_ + at;
    std::memmove(static_cast<void*>(place + with.size()), place + count, rest * sizeof(T));
    std::copy(with.begin(), with.end(), place);
    size_ = size_ - count + with.size();
  }
  void append(std::span<const T> from) { replace(size_, 0, from); }
  /// Removes all from `first` on.
  void truncate(const T* first) noexcept { size_ = static_cast<std::size_t>(first - data_); }

  friend bool operator==(const SmallVector& a, const SmallVector& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  /// Lexicographical.
  friend auto operator<=>(const SmallVector& a, const SmallVector& b) noexcept {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  void release() noexcept {
    if (data_ != inline_data()) ::operator delete(data_);
  }
  T* inline_data() noexcept { return reinterpret_cast<T*>(inline_); }

  T* data_ = inline_data();
  std::size_t size_ = 0;
  std::size_t capacity_ = inline_capacity;
  alignas(T) std::byte inline_[inline_capacity * sizeof(T)];
};

}  // namespace atl
