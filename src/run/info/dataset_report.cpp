#include "src/run/info/dataset_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/hdf5/data_file.hpp"
#include "io/hdf5/dataset_tables.hpp"
#include "io/hdf5/transaction_file.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/data/date.hpp"
#include "src/data/duplicates.hpp"
#include "src/rules/item_text.hpp"
#include "src/run/data/dependences.hpp"

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

/// The report of `info` on transactions, as text or JSON, with a newline at the end.
/// @param name  what the text calls their file
std::string transaction_report(const io::StoredTransactions& stored, const std::string& name,
                               bool json) {
  return json ? as_json(stored) : as_text(stored, name);
}

using Json = nlohmann::ordered_json;

bool is_constant(const Attribute& attribute) {
  return attribute.distinct() <= 1 && attribute.missing == 0;
}

/// Another value in every row, and not a measured quantity.
bool is_identifier_like(const Attribute& attribute, std::uint64_t rows) {
  constexpr std::uint64_t few = 20;  // a small table may have that by chance
  if (rows < few || attribute.distinct() != rows - attribute.missing) return false;
  return attribute.kind == AttributeKind::nominal ||
         (attribute.kind == AttributeKind::numeric &&
          std::all_of(attribute.low.begin(), attribute.low.end(),
                      [](double value) { return value == std::floor(value); }));
}

std::string remarks(const Attribute& attribute, std::uint64_t rows) {
  std::string text;
  if (attribute.role == AttributeRole::target) text += "  class";
  if (is_constant(attribute)) text += "  constant";
  if (is_identifier_like(attribute, rows)) text += "  identifier-like";
  return text;
}

std::string values(const Attribute& attribute) {
  if (attribute.distinct() == 0) return "";
  if (has_numbers(attribute.kind)) {
    return value_text(attribute.low.front(), attribute.kind) + " to " +
           value_text(attribute.high.back(), attribute.kind);
  }
  constexpr std::size_t shown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, attribute.labels.size()); ++i) {
    text += (i == 0 ? "" : ", ") + printable(attribute.labels[i], 20);
  }
  return text + (attribute.labels.size() > shown ? ", ..." : "");
}

std::string as_text(const std::string& name, const io::DatasetSummary& summary,
                    const Duplicates& duplicates, const Dependences& dependences) {
  std::string out =
      fmt::format("{}: dataset of {}, {}\nfingerprint {}\n", name, counted(summary.rows, "row"),
                  counted(summary.attributes.size(), "attribute"), to_hex(summary.fingerprint));
  std::size_t width = 4;
  std::size_t kind_width = 8;
  for (const Attribute& a : summary.attributes) {
    width = std::max(width, printable(a.name).size());
    kind_width = std::max(kind_width, std::string_view(to_string(a.kind)).size());
  }
  out += fmt::format("{:{}}  {:{}}{:>10}{:>12}  values\n", "name", width, "kind", kind_width,
                     "distinct", "missing");
  for (const Attribute& a : summary.attributes) {
    out +=
        fmt::format("{:{}}  {:{}}{:>10}{:>12}  {}{}\n", printable(a.name), width, to_string(a.kind),
                    kind_width, a.distinct(), a.missing, values(a), remarks(a, summary.rows));
  }
  for (const io::IgnoredColumn& column : summary.ignored) {
    out += fmt::format("left out: {} ({})\n", printable(column.name), column.reason);
  }
  for (const auto& [column, first] : duplicates.columns) {
    out +=
        fmt::format("duplicate column: {} equals {}\n", printable(summary.attributes[column].name),
                    printable(summary.attributes[first].name));
  }
  out += fmt::format("duplicate rows: {}\n", duplicates.rows);
  const auto lines = dependence_lines(dependences, summary.attributes);
  if (!lines.empty()) out += "attributes that depend on each other:\n";
  for (const std::string& line : lines) out += "  " + line + "\n";
  const auto targets = target_attributes({}, summary.attributes);
  for (const std::string& line : leak_lines(dependences, summary.attributes, targets, {}))
    out += line + "\n";
  return out;
}

std::string as_json(const io::DatasetSummary& summary, const Duplicates& duplicates,
                    const Dependences& dependences) {
  Json attributes = Json::array();
  for (const Attribute& a : summary.attributes) {
    attributes.push_back({{"name", a.name},
                          {"kind", to_string(a.kind)},
                          {"distinct", a.distinct()},
                          {"missing", a.missing},
                          {"role", to_string(a.role)},
                          {"constant", is_constant(a)},
                          {"identifier_like", is_identifier_like(a, summary.rows)}});
  }
  Json ignored = Json::array();
  for (const io::IgnoredColumn& column : summary.ignored) {
    ignored.push_back({{"name", column.name}, {"reason", column.reason}});
  }
  Json columns = Json::array();
  for (const auto& [column, first] : duplicates.columns) {
    columns.push_back(
        {{"name", summary.attributes[column].name}, {"equals", summary.attributes[first].name}});
  }
  const Json report = {{"kind", "dataset"},
                       {"rows", summary.rows},
                       {"attributes", attributes},
                       {"fingerprint", to_hex(summary.fingerprint)},
                       {"ignored", ignored},
                       {"duplicate_columns", columns},
                       {"duplicate_rows", duplicates.rows},
                       {"dependences", dependences_json(dependences, summary.attributes)}};
  return report.dump(2) + "\n";
}

}  // namespace

std::string data_report(const std::string& path, const std::string& name, bool json,
                        const io::Folder* folder) {
  io::Hdf5Reader file = io::open_data(path, folder);
  switch (io::kind_of(file)) {
    case io::DataKind::transactions:
      return transaction_report(io::read_transactions(file), name, json);
    case io::DataKind::table:
      break;
  }
  const io::DatasetSummary summary = io::read_tables(file);
  const Dataset dataset = io::read_dataset(std::move(file), {.max_bins = 0, .attribute_bins = {}});
  const Duplicates duplicates = find_duplicates(dataset);
  ThreadPool pool(available_cpus());
  const Dependences dependences = find_dependences(dataset, pool);
  return json ? as_json(summary, duplicates, dependences)
              : as_text(name, summary, duplicates, dependences);
}

}  // namespace atl
