// Compiled once for each instruction set; one of them is chosen when the program runs.
#include "io/tables/csv/text_structure.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "io/tables/csv/text_structure.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace atl::io {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void find_structure_here(const char* bytes, std::size_t blocks, char delimiter, char quote,
                         TextStructure* out) {
  const hn::CappedTag<std::uint8_t, 64> tag;
  const std::size_t lanes = hn::Lanes(tag);
  const auto spread = [&](char c) { return hn::Set(tag, static_cast<std::uint8_t>(c)); };
  const auto delimiters = spread(delimiter);
  const auto line_feeds = spread('\n');
  const auto quotes = spread(quote);
  const auto spaces = spread(' ');
  const auto tabs = spread('\t');
  const auto carriage_returns = spread('\r');
  for (std::size_t block = 0; block < blocks; ++block, bytes += 64, ++out) {
    const auto* const text = reinterpret_cast<const std::uint8_t*>(bytes);
    const auto store = [&](std::size_t i, auto mask, std::uint64_t& bits) {
      hn::StoreMaskBits(tag, mask, reinterpret_cast<std::uint8_t*>(&bits) + i / 8);
    };
    for (std::size_t i = 0; i < 64; i += lanes) {
      const auto v = hn::LoadU(tag, text + i);
      const auto is_delimiter = hn::Eq(v, delimiters);
      const auto is_line_feed = hn::Eq(v, line_feeds);
      store(i, hn::Or(is_delimiter, is_line_feed), out->separators);
      store(i, is_line_feed, out->line_feeds);
      store(i, hn::Eq(v, quotes), out->quotes);
      store(i, hn::AndNot(is_delimiter, hn::Or(hn::Eq(v, spaces), hn::Eq(v, tabs))), out->blanks);
      store(i, hn::Eq(v, carriage_returns), out->carriage_returns);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace atl::io
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace atl::io {
namespace {
HWY_EXPORT(find_structure_here);
}

void find_structure(const char* bytes, std::size_t blocks, char delimiter, char quote,
                    TextStructure* out) noexcept {
  HWY_DYNAMIC_DISPATCH(find_structure_here)(bytes, blocks, delimiter, quote, out);
}

}  // namespace atl::io
#endif
