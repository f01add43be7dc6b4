#include "src/generate/write_baskets.hpp"

#include <array>
#include <charconv>

#include "src/core/error.hpp"
#include "src/core/text/number.hpp"

namespace atl {
namespace {

void append(std::string& text, std::uint32_t number) {
  std::array<char, 10> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

}  // namespace

void check_basket_name(const std::string& path) {
  if (!path.ends_with(".dat")) {
    throw UsageError("-o " + printable(path) + ": expected a name that ends in .dat");
  }
}

Lines basket_lines(const BasketSource& source) {
  Lines lines;
  lines.row_bytes = static_cast<std::size_t>(source.mean_items() * 6) + 1;
  lines.make = [&source](RowRange slice, unsigned, std::string& text) {
    source.make(slice, [&](std::span<const std::uint32_t> items) {
      for (const std::uint32_t item : items) {
        append(text, item);
        text += ' ';
      }
      if (items.empty()) {
        text += '\n';
      } else {
        text.back() = '\n';
      }
    });
  };
  return lines;
}

void write_probabilities(const ProbabilityModel& model, std::uint64_t seed,
                         std::uint64_t transactions, const std::string& path,
                         const Makers& makers) {
  Lines lines;
  lines.row_bytes = 20;
  lines.make = [&](RowRange slice, unsigned, std::string& text) {
    for (std::uint64_t t = slice.first; t < slice.last; ++t) {
      text += format_number(draw_probability(model, seed, t)) + '\n';
    }
  };
  write_lines(lines, transactions, path, makers);
}

}  // namespace atl
