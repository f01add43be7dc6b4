#include "src/data/shared_transactions.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/core/bytes.hpp"

namespace atl {

TransactionSet share(std::optional<TransactionSet> of_root, Communicator& ranks) {
  if (ranks.size() == 1) return std::move(*of_root);
  const bool is_root = ranks.rank() == 0;
  ByteWriter names;
  std::vector<std::uint64_t> starts{0};
  if (is_root) {
    names.put(std::uint64_t{of_root->item_count()});
    for (const std::string& name : of_root->names()) names.put_text(name);
    for (std::uint32_t t = 0; t < of_root->size(); ++t) {
      starts.push_back(starts.back() + of_root->transaction(t).size());
    }
  }
  const auto broadcast = [&](auto values) {
    using Value = typename decltype(values)::value_type;
    const auto bytes = std::as_bytes(values);
    const Bytes got = ranks.broadcast(is_root ? Bytes(bytes.begin(), bytes.end()) : Bytes(), 0);
    std::vector<std::remove_const_t<Value>> all(got.size() / sizeof(Value));
    if (!got.empty()) std::memcpy(all.data(), got.data(), got.size());
    return all;
  };
  const Bytes name_bytes = ranks.broadcast(std::move(names).take(), 0);
  auto all_starts = broadcast(std::span<const std::uint64_t>(starts));
  auto items = broadcast(is_root ? of_root->items() : std::span<const std::uint32_t>());
  if (is_root) return std::move(*of_root);
  ByteReader in(name_bytes);
  std::vector<std::string> all_names(in.get_count(8));
  for (std::string& name : all_names) name = in.get_text();
  return {std::move(all_names), std::move(all_starts), std::move(items)};
}

}  // namespace atl
