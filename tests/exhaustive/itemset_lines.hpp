// Text of itemsets, to compare with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/exhaustive/itemsets/itemsets.hpp"
#include "tests/exhaustive/itemset_reference.hpp"

namespace atl::test {

/// A line for each set, in small pieces.
class Lines : public ItemsetText {
 public:
  explicit Lines(WriteText write) : write_(std::move(write)) {}
  void add(std::uint32_t item) override {
    sizes_.push_back(prefix_.size());
    prefix_ += std::to_string(item) + ' ';
  }
  void remove() override {
    prefix_.resize(sizes_.back());
    sizes_.pop_back();
  }
  void found(std::uint32_t support) override {
    text_ += prefix_ + std::to_string(support) + '\n';
    ++sets_;
    if (text_.size() > 1000) write();
  }
  void found(const ItemsetBlock& block) override {
    for_each_set(block, [&](const std::vector<std::uint32_t>& items, std::uint32_t support) {
      for (const std::uint32_t item : items) add(item);
      found(support);
      for (std::size_t i = 0; i < items.size(); ++i) remove();
    });
  }
  std::uint64_t finish() override {
    write();
    return std::exchange(sets_, 0);
  }

 private:
  void write() {
    write_(text_);
    text_.clear();
  }

  WriteText write_;
  std::string prefix_, text_;
  std::vector<std::size_t> sizes_;
  std::uint64_t sets_ = 0;
};

inline std::unique_ptr<ItemsetText> make_lines(WriteText write) {
  return std::make_unique<Lines>(std::move(write));
}

}  // namespace atl::test
