#include "src/rules/expression_codec.hpp"

#include <cstdint>
#include <stdexcept>

namespace atl {
namespace {

constexpr std::size_t comparison_bytes = 3 * sizeof(std::uint32_t) + 1;

Comparison decode_comparison(ByteReader& in, std::span<const Attribute> attributes) {
  Comparison comparison;
  comparison.attribute = in.get<std::uint32_t>();
  comparison.low = in.get<std::uint32_t>();
  comparison.high = in.get<std::uint32_t>();
  const auto negated = in.get<std::uint8_t>();
  if (comparison.attribute >= attributes.size())
    throw BadBytes("a comparison names an attribute that does not exist");
  if (negated > 1) throw BadBytes("a comparison is neither plain nor negated");
  comparison.negated = negated == 1;
  if (comparison == is_missing(comparison.attribute)) return comparison;
  if (comparison.low > comparison.high ||
      comparison.high >= attributes[comparison.attribute].distinct())
    throw BadBytes("a comparison names codes that do not exist");
  return comparison;
}

}  // namespace

void encode(ByteWriter& out, const Expression& expression) {
  out.put_all(expression.program());
  out.put(static_cast<std::uint64_t>(expression.comparisons().size()));
  for (const Comparison& comparison : expression.comparisons()) {
    out.put(comparison.attribute);
    out.put(comparison.low);
    out.put(comparison.high);
    out.put(static_cast<std::uint8_t>(comparison.negated));
  }
}

Expression decode_expression(ByteReader& in, std::span<const Attribute> attributes) {
  const Ops program = in.get_all<Op>();
  Comparisons comparisons(in.get_count(comparison_bytes));
  for (Comparison& comparison : comparisons) comparison = decode_comparison(in, attributes);
  try {
    return Expression(program, comparisons);
  } catch (const std::invalid_argument& error) {
    throw BadBytes(error.what());
  }
}

}  // namespace atl
