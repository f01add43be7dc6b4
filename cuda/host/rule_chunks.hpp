// Rules as the published pipeline uploads them: tokens in chunks that fit in constant memory. Host
// code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/host/published_format.hpp"
#include "src/data/attribute.hpp"
#include "src/data/dataset.hpp"
#include "src/rules/rule.hpp"

namespace atl::cuda {

/// @param out  [padded_rows(rows)] overwritten: an attribute's codes, then missing_code
void write_padded_column(const Dataset& dataset, std::uint32_t attribute,
                         std::vector<std::uint32_t>& out);

/// Antecedents or consequents of a chunk.
struct ChunkSide {
  std::size_t first_word = 0;  ///< in words()
  std::uint32_t words = 0;
  std::size_t first_condition = 0;  ///< among those of all chunks
  std::uint32_t conditions = 0;
};

struct RuleChunk {
  std::size_t first_rule = 0;
  std::uint32_t rules = 0;
  std::uint32_t levels = 0;  ///< of the interpreter's stack
  /// The sides: antecedents, then consequents; their words, as their conditions, are next to each
  /// other.
  std::array<ChunkSide, 2> sides;

  std::uint32_t words() const noexcept { return sides[0].words + sides[1].words; }
  std::uint32_t conditions() const noexcept { return sides[0].conditions + sides[1].conditions; }
};

/// The most that a chunk may take; a single rule takes any number of results.
struct ChunkLimits {
  std::uint32_t words = constant_words;
  std::uint64_t results = ~std::uint64_t{0};  ///< bytes a row: of conditions and both sides
};

class RuleChunks {
 public:
  /// Rules in order, as many in a chunk as fit. A condition's index follows program order.
  /// Operands change places where the stack stays lower by it.
  /// @throws UnknownAttribute, and UsageError for a rule of more words than a chunk's
  void build(std::span<const Rule> rules, std::span<const Attribute> attributes,
             const ChunkLimits& limits);

  std::span<const RuleChunk> chunks() const noexcept { return chunks_; }
  /// Words of all chunks, one after the other.
  std::span<const std::uint32_t> words() const noexcept { return words_; }
  /// Number of conditions of all chunks.
  std::size_t conditions() const noexcept { return conditions_; }

 private:
  struct Operand {
    std::size_t begin;  ///< of its tokens
    std::uint32_t levels;
  };
  struct Side {
    std::vector<std::uint32_t> begins;            ///< [expressions] in tokens
    std::vector<std::uint32_t> first_conditions;  ///< [expressions]
    std::vector<std::uint32_t> tokens;
    std::uint32_t conditions = 0;

    std::uint32_t words() const noexcept;
    void clear() noexcept;
  };

  /// Adds a rule to the chunk. False, and nothing is changed, if it does not fit in the chunk.
  bool append(const Rule& rule, std::span<const Attribute> attributes, const ChunkLimits& limits);
  void append(const Expression& expression, std::span<const Attribute> attributes, Side& side);
  void end_chunk();

  std::vector<RuleChunk> chunks_;
  std::vector<std::uint32_t> words_;
  std::size_t conditions_ = 0;

  RuleChunk chunk_;  ///< being filled
  std::array<Side, 2> sides_;
  std::vector<Operand> operands_;
};

}  // namespace atl::cuda
