#include "cuda/rule_sets/growth_sample.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace atl::cuda {

namespace {

static_assert(sizeof(Literal) == sizeof(uint2));

std::vector<GrowthAttribute> attributes_of(const ClassSample& sample) {
  std::vector<GrowthAttribute> all;
  for (std::uint32_t a = 0; a < sample.attributes().size(); ++a) {
    const Attribute& attribute = sample.attributes()[a];
    const auto first = static_cast<std::uint32_t>(sample.first_literal(a));
    const auto end = static_cast<std::uint32_t>(sample.first_literal(a + 1));
    all.push_back({first, end - first, attribute.distinct(), sample.set_of_present(a),
                   attribute.ordered() ? 1U : 0U, attribute.has_missing ? 1U : 0U});
  }
  return all;
}

std::vector<std::uint32_t> missing_of(const ClassSample& sample) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t a = 0; a < sample.attributes().size(); ++a) {
    if (sample.attributes()[a].has_missing) all.push_back(a);
  }
  return all;
}

std::vector<std::uint32_t> windows_of(const ClassSample& sample) {
  std::vector<std::uint32_t> all;
  for (const SampleWindow& window : sample.windows()) {
    for (const std::size_t word : window.classes) all.push_back(static_cast<std::uint32_t>(word));
  }
  return all;
}

std::vector<std::uint16_t> labels_of(const ClassSample& sample) {
  std::vector<std::uint16_t> all(sample.words());
  for (const SampleWindow& window : sample.windows()) {
    for (std::uint32_t c = 0; c < sample.classes(); ++c) {
      std::fill(all.begin() + static_cast<std::ptrdiff_t>(window.classes[c]),
                all.begin() + static_cast<std::ptrdiff_t>(window.classes[c + 1]),
                static_cast<std::uint16_t>(c));
    }
  }
  return all;
}

/// @return is there room?
template <typename T, typename From>
bool copy(std::span<const From> from, DeviceBuffer<T>& to, const Stream& stream) {
  if (from.empty()) return true;
  if (!to.try_reserve(from.size_bytes() / sizeof(T))) return false;
  check(cudaMemcpyAsync(to.data(), from.data(), from.size_bytes(), cudaMemcpyHostToDevice, stream));
  check(cudaStreamSynchronize(stream));  // what is copied may go
  return true;
}

template <typename T>
std::span<const T> all_of(const std::vector<T>& of) {
  return of;
}

}  // namespace

std::shared_ptr<const GrowthSample> GrowthSample::make(const ClassSample& sample,
                                                       std::uint64_t room) {
  const auto made = std::make_shared<GrowthSample>();
  const auto attributes = attributes_of(sample);
  const auto missing = missing_of(sample), windows = windows_of(sample);
  const auto labels = labels_of(sample);
  const Stream stream;
  if (sample.row_sets().size_bytes() > room || !copy(sample.row_sets(), made->sets_, stream) ||
      !copy(all_of(attributes), made->attributes_, stream) ||
      !copy(sample.literals(), made->literals_, stream) ||
      !copy(all_of(labels), made->labels_, stream) ||
      !copy(all_of(windows), made->windows_, stream) ||
      !copy(all_of(missing), made->missing_, stream)) {
    return nullptr;
  }
  GrowthRows& rows = made->rows_;
  rows.sets = made->sets_.data();
  rows.attributes = made->attributes_.data();
  rows.literals = made->literals_.data();
  rows.labels = made->labels_.data();
  rows.windows = made->windows_.data();
  rows.missing = made->missing_.data();
  rows.words = static_cast<std::uint32_t>(sample.words());
  rows.literal_count = static_cast<std::uint32_t>(sample.literals().size());
  rows.missing_count = static_cast<std::uint32_t>(missing.size());
  rows.classes = sample.classes();
  for (const SampleWindow& window : sample.windows()) {
    rows.most_words =
        std::max(rows.most_words, static_cast<std::uint32_t>(window.end() - window.first()));
  }
  return made;
}

}  // namespace atl::cuda
