#include "src/run/info/transaction_report.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/rules/item_name.hpp"

namespace atl {

namespace {

using Json = nlohmann::ordered_json;

struct Lengths {
  std::uint64_t longest = 0, empty = 0;
  double mean = 0;
};

Lengths lengths_of(const TransactionSet& transactions) {
  Lengths lengths;
  for (std::uint32_t t = 0; t < transactions.size(); ++t) {
    const std::uint64_t length = transactions.transaction(t).size();
    lengths.longest = std::max(lengths.longest, length);
    lengths.empty += length == 0 ? 1 : 0;
  }
  lengths.mean = static_cast<double>(transactions.entries()) / transactions.size();
  return lengths;
}

/// The most frequent items; of equally frequent ones the first.
std::vector<std::uint32_t> most_frequent(const TransactionSet& transactions) {
  constexpr std::size_t shown = 10;
  const auto& supports = transactions.supports();
  std::vector<std::uint32_t> items(supports.size());
  std::iota(items.begin(), items.end(), 0U);
  const auto end = items.begin() + static_cast<std::ptrdiff_t>(std::min(shown, items.size()));
  std::partial_sort(items.begin(), end, items.end(), [&](std::uint32_t a, std::uint32_t b) {
    return supports[a] != supports[b] ? supports[a] > supports[b] : a < b;
  });
  items.erase(end, items.end());
  return items;
}

struct Probabilities {
  explicit Probabilities(const std::vector<double>& all)
      : mean(std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size())),
        least(*std::min_element(all.begin(), all.end())),
        greatest(*std::max_element(all.begin(), all.end())) {}
  double mean, least, greatest;
};

std::string as_json(const io::StoredTransactions& stored) {
  const TransactionSet& transactions = stored.transactions;
  const Lengths lengths = lengths_of(transactions);
  Json items = Json::array();
  for (const std::uint32_t item : most_frequent(transactions)) {
    items.push_back({{"item", item_name(transactions.name(item))},
                     {"transactions", transactions.supports()[item]}});
  }
  Json probabilities;
  if (!transactions.probabilities().empty()) {
    const Probabilities of(transactions.probabilities());
    probabilities = {{"mean", of.mean}, {"least", of.least}, {"greatest", of.greatest}};
  }
  const Json report = {{"kind", "transactions"},
                       {"transactions", transactions.size()},
                       {"items", transactions.item_count()},
                       {"entries", transactions.entries()},
                       {"mean_items", lengths.mean},
                       {"most_items", lengths.longest},
                       {"without_items", lengths.empty},
                       {"probabilities", probabilities},
                       {"fingerprint", to_hex(stored.fingerprint)},
                       {"most_frequent", items}};
  return report.dump(2) + "\n";
}

std::string as_text(const io::StoredTransactions& stored, const std::string& name) {
  const TransactionSet& transactions = stored.transactions;
  const Lengths lengths = lengths_of(transactions);
  std::string out =
      fmt::format("{}: {}, {}\nfingerprint {}\n", name, counted(transactions.size(), "transaction"),
                  counted(transactions.item_count(), "item"), to_hex(stored.fingerprint));
  out += fmt::format("items of a transaction: {:.2f} in the mean, {} at most; {} without items\n",
                     lengths.mean, lengths.longest, lengths.empty);
  if (!transactions.probabilities().empty()) {
    const Probabilities of(transactions.probabilities());
    out += fmt::format("probabilities of transactions: {:.4g} in the mean, from {} to {}\n",
                       of.mean, format_number(of.least), format_number(of.greatest));
  }
  const auto items = most_frequent(transactions);
  if (!items.empty()) out += "most frequent items:\n";
  for (const std::uint32_t item : items) {
    const std::uint32_t support = transactions.supports()[item];
    out += fmt::format("{:>12}  {:>5.1f}%  {}\n", support, 100.0 * support / transactions.size(),
                       printable(transactions.name(item)));
  }
  return out;
}

}  // namespace

std::string transaction_report(const io::StoredTransactions& stored, const std::string& name,
                               bool json) {
  return json ? as_json(stored) : as_text(stored, name);
}

}  // namespace atl
