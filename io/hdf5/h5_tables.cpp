#include "io/hdf5/h5_tables.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "src/core/utf8.hpp"
#include "src/data/attribute.hpp"

namespace atl::io {

void require(bool condition, const std::string& problem) {
  if (!condition) throw TableProblem{problem};
}

void write_texts(Hdf5Writer& file, const std::string& name, const std::vector<std::string>& texts) {
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> ends;
  for (const std::string& text : texts) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    ends.push_back(bytes.size());
  }
  file.write<std::uint8_t>(name + "_text", bytes);
  file.write<std::uint64_t>(name + "_end", ends);
}

std::vector<std::string> read_texts(const Hdf5Reader& file, const std::string& name) {
  const auto bytes = file.read<std::uint8_t>(name + "_text");
  const auto ends = file.read<std::uint64_t>(name + "_end");
  std::vector<std::string> texts;
  texts.reserve(ends.size());
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    require(begin <= end && end <= bytes.size(),
            "/" + name + "_end does not ascend within the text");
    texts.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                       bytes.begin() + static_cast<std::ptrdiff_t>(end));
    require(first_invalid_utf8(texts.back()) == texts.back().size(), "/" + name + " is not UTF-8");
    require(texts.back().size() <= longest_text, "/" + name + " has a text of more than 64 KiB");
    begin = end;
  }
  require(begin == bytes.size(), "/" + name + "_text goes on after its last text");
  return texts;
}

bool all_distinct(const std::vector<std::string>& texts) {
  std::vector<std::string_view> sorted(texts.begin(), texts.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

Fingerprint parse_fingerprint(const std::string& hex) {
  require(hex.size() == 32 && hex.find_first_not_of("0123456789abcdef") == std::string::npos,
          "fingerprint: 32 hexadecimal digits were expected");
  return {std::stoull(hex.substr(16), nullptr, 16), std::stoull(hex.substr(0, 16), nullptr, 16)};
}

}  // namespace atl::io
