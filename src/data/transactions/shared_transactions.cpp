#include "src/data/transactions/shared_transactions.hpp"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/core/bytes.hpp"

namespace atl {
namespace {

Bytes encoded(const TransactionSet& transactions) {
  std::vector<std::uint64_t> starts{0};
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    starts.push_back(starts.back() + transactions.transaction(t).size());
  }
  ByteWriter out;
  out.put(std::uint64_t{transactions.item_count()});
  for (const std::string& name : transactions.names()) out.put_text(name);
  out.put_all(std::span<const std::uint64_t>(starts));
  out.put_all(transactions.items());
  out.put_all(std::span<const double>(transactions.probabilities()));
  return std::move(out).take();
}

TransactionSet decoded(const Bytes& bytes) {
  ByteReader in(bytes);
  std::vector<std::string> names(in.get_count(8));
  for (std::string& name : names) name = in.get_text();
  auto starts = in.get_all<std::uint64_t>();
  auto items = in.get_all<std::uint32_t>();
  auto probabilities = in.get_all<double>();
  TransactionSet transactions(std::move(names), std::move(starts), std::move(items));
  if (probabilities.empty()) return transactions;
  return std::move(transactions).with_probabilities(std::move(probabilities));
}

}  // namespace

std::uint64_t bytes_to_share(const TransactionSet& transactions) {
  std::uint64_t bytes = 0;
  for (const std::string& name : transactions.names()) bytes += 8 + name.size();
  return bytes + 8 * std::uint64_t{transactions.size()} + 4 * transactions.items().size() +
         8 * transactions.probabilities().size();
}

Hash128 hash_of(const TransactionSet& transactions) {
  Hasher hasher;
  hasher.update_u64(transactions.item_count());
  for (const std::string& name : transactions.names()) hasher.update_text(name);
  hasher.update_u64(transactions.size());
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    hasher.update_u64(transactions.transaction(t).size());
  }
  hasher.update(std::as_bytes(transactions.items()));
  if (!transactions.probabilities().empty()) {
    hasher.update(std::as_bytes(std::span<const double>(transactions.probabilities())));
  }
  return hasher.digest();
}

TransactionSet share(std::optional<TransactionSet> of_root, Communicator& ranks) {
  if (ranks.size() == 1) return std::move(*of_root);
  const Bytes bytes = ranks.broadcast(of_root ? encoded(*of_root) : Bytes(), 0);
  return of_root ? std::move(*of_root) : decoded(bytes);
}

}  // namespace atl
