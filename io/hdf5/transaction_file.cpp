#include "io/hdf5/transaction_file.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "io/hdf5/h5_tables.hpp"
#include "io/hdf5/transaction_writer.hpp"
#include "src/core/error.hpp"
#include "src/core/memory_limit.hpp"
#include "src/data/attribute.hpp"
#include "src/data/dataset.hpp"
#include "src/rules/item_text.hpp"

namespace atl::io {
namespace {

constexpr const char* transaction_format = "atoll.transactions";
constexpr std::uint64_t transaction_version = 1;
/// Most transactions, and most items in them.
constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max() - 1;

/// The places in the list of all items where each partition begins.
std::vector<std::uint64_t> partition_begins(const std::vector<std::uint32_t>& lengths,
                                            std::uint32_t partition) {
  std::vector<std::uint64_t> begins;
  std::uint64_t at = 0;
  for (std::size_t t = 0; t < lengths.size(); ++t) {
    if (t % partition == 0) begins.push_back(at);
    at += lengths[t];
  }
  return begins;
}

TransactionSummary read_checked_summary(const Hdf5Reader& file) {
  TransactionSummary summary;
  summary.transactions = file.number("transactions");
  require(summary.transactions > 0 && summary.transactions <= most, "no transactions, or too many");
  const std::uint64_t partition = file.number("partition_transactions");
  require(partition > 0 && partition % partition_granule == 0 && partition <= 0xFFFFFFFF,
          "partition_transactions is not a multiple of " + std::to_string(partition_granule));
  summary.partition_transactions = static_cast<std::uint32_t>(partition);
  summary.fingerprint = parse_fingerprint(file.text("fingerprint"));
  summary.has_probabilities = file.has_dataset("transactions/probability");
  summary.names = read_texts(file, "items/name");
  require(std::find(summary.names.begin(), summary.names.end(), "") == summary.names.end(),
          "an item has no name");
  require(all_distinct(summary.names), "two items have the same name");
  summary.supports = file.read<std::uint64_t>("items/support");
  require(summary.supports.size() == summary.names.size(),
          "/items/support has not one number for each item");
  for (const std::uint64_t support : summary.supports) {
    require(support <= summary.transactions, "an item is in more transactions than there are");
    summary.entries += support;
  }
  require(summary.entries <= most, "more items in transactions than the format allows");
  return summary;
}

std::vector<std::uint64_t> starts_of(const std::vector<std::uint32_t>& lengths,
                                     const TransactionSummary& summary) {
  require(lengths.size() == summary.transactions,
          "/transactions/length has not one number for each transaction");
  std::vector<std::uint64_t> starts(1, 0);
  starts.reserve(lengths.size() + 1);
  for (const std::uint32_t length : lengths) starts.push_back(starts.back() + length);
  require(starts.back() == summary.entries,
          "/transactions/length does not add up to the supports of the items");
  return starts;
}

/// Are the items of each transaction known and ascending, and as many as their supports say?
void check_items(const std::vector<std::uint64_t>& starts, const std::vector<std::uint32_t>& items,
                 const TransactionSummary& summary) {
  require(items.size() == summary.entries,
          "/transactions/item has not the items that the lengths ask for");
  std::vector<std::uint64_t> supports(summary.names.size(), 0);
  for (std::size_t t = 0; t + 1 < starts.size(); ++t) {
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(starts[t]);
    const auto end = items.begin() + static_cast<std::ptrdiff_t>(starts[t + 1]);
    require(std::adjacent_find(begin, end, std::greater_equal<>()) == end &&
                (begin == end || *(end - 1) < supports.size()),
            "the items of transaction " + std::to_string(t + 1) + " are unknown or do not ascend");
    for (auto item = begin; item != end; ++item) ++supports[*item];
  }
  require(supports == summary.supports, "/items/support is not what the transactions have");
}

StoredTransactions read_checked_transactions(const Hdf5Reader& file) {
  TransactionSummary summary = read_checked_summary(file);
  expect_memory_for(
      4 * summary.entries + (summary.has_probabilities ? 20 : 12) * summary.transactions,
      "the transactions");
  const auto lengths = file.read<std::uint32_t>("transactions/length");
  auto starts = starts_of(lengths, summary);
  require(file.read<std::uint64_t>("partitions/begin") ==
              partition_begins(lengths, summary.partition_transactions),
          "/partitions/begin is not where the partitions begin");
  auto items = file.read<std::uint32_t>("transactions/item");
  check_items(starts, items, summary);
  std::vector<double> probabilities;
  if (summary.has_probabilities) {
    probabilities = file.read<double>("transactions/probability");
    require(probabilities.size() == summary.transactions &&
                std::all_of(probabilities.begin(), probabilities.end(),
                            [](double p) { return p > 0 && p <= 1; }),
            "/transactions/probability is not a number above 0 and at most 1 for each transaction");
  }
  TransactionHasher hasher;
  hasher.add(lengths, items);
  require(hasher.digest(summary.names, lengths.size(), probabilities) == summary.fingerprint,
          "the fingerprint is not that of the content");
  for (std::string& name : summary.names) name = item_text(name);
  TransactionSet transactions(std::move(summary.names), std::move(starts), std::move(items));
  if (summary.has_probabilities) {
    transactions = std::move(transactions).with_probabilities(std::move(probabilities));
  }
  return {std::move(transactions), summary.fingerprint, summary.partition_transactions};
}

template <typename Read>
auto naming_file(const Hdf5Reader& file, Read&& read) {
  if (!holds_transactions(file)) {
    throw BadData(file.path(), "holds no transactions, though a file of atoll");
  }
  const std::uint64_t version = file.number("version");
  if (version > transaction_version) {
    throw BadData(file.path(), "format version " + std::to_string(version) +
                                   " of transactions is newer than this program's, which reads up "
                                   "to version " +
                                   std::to_string(transaction_version));
  }
  try {
    return read(file);
  } catch (const TableProblem& problem) {
    throw BadData(file.path(), problem.text);
  }
}

}  // namespace

void put_transaction_format(Hdf5Writer& file) {
  file.put("format", transaction_format);
  file.put("version", transaction_version);
}

Hdf5Names transaction_names() {
  return {{"format", "version", "transactions", "partition_transactions", "fingerprint"},
          {"items/name_text", "items/name_end", "items/support", "partitions/begin",
           "transactions/length", "transactions/item", "transactions/probability"}};
}

bool holds_transactions(const Hdf5Reader& file) {
  return file.has("format") && file.text("format") == transaction_format;
}

TransactionSummary read_transaction_summary(const Hdf5Reader& file) {
  return naming_file(file, read_checked_summary);
}

StoredTransactions read_transactions(const Hdf5Reader& file) {
  return naming_file(file, read_checked_transactions);
}

}  // namespace atl::io
