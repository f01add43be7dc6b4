#include "io/results/true_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "io/results/json_list.hpp"
#include "io/results/rule_file.hpp"
#include "io/tables/csv/csv_reader.hpp"
#include "src/core/error.hpp"
#include "src/core/text/number.hpp"
#include "src/measures/measures.hpp"
#include "src/rules/rule_text.hpp"

namespace atl::io {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 7> columns = {"antecedent",   "consequent",   "items", "n",
                                                     "n_antecedent", "n_consequent", "n_both"};
constexpr std::size_t most_bytes = std::size_t{1} << 31;  // of JSON

std::string read_all(TextSource& source, const std::string& name) {
  std::string text;
  std::array<char, 1 << 16> piece;
  while (const std::size_t bytes = source.read(piece.data(), piece.size())) {
    text.append(piece.data(), bytes);
    if (text.size() > most_bytes) throw BadData(name, "has more than 2 GiB");
  }
  return text;
}

/// Its first line, or as much of it as matters.
std::string first_line(TextSource& source) {
  std::array<char, 4096> bytes;
  const std::string_view text(bytes.data(), source.read(bytes.data(), bytes.size()));
  return std::string(text.substr(0, text.find('\n')));
}

/// Keeps the rules of the greatest values; of equal ones the first.
class BestRules {
 public:
  BestRules(Measure measure, std::size_t most) : measure_(measure), most_(most) {}

  template <typename Make>
  void offer(const ContingencyTable& table, const Make& make) {
    const double value = evaluate(measure_, table);
    const std::uint64_t number = all_++;
    if (kept_.size() == most_ && !(by_measure(value, kept_.front().value) < 0)) return;
    if (kept_.size() == most_) {
      std::ranges::pop_heap(kept_, is_better);
      kept_.pop_back();
    }
    kept_.push_back({value, number, make()});
    std::ranges::push_heap(kept_, is_better);
  }

  TrueRules take() && {
    std::ranges::sort(kept_, {}, &Kept::number);
    TrueRules rules;
    for (Kept& kept : kept_) rules.rules.push_back(std::move(kept.rule));
    rules.all = all_;
    return rules;
  }

 private:
  struct Kept {
    double value;
    std::uint64_t number;
    RuleText rule;
  };
  static bool is_better(const Kept& a, const Kept& b) {
    const auto order = by_measure(a.value, b.value);
    return order != 0 ? order < 0 : a.number < b.number;
  }

  Measure measure_;
  std::size_t most_;
  std::uint64_t all_ = 0;
  std::vector<Kept> kept_;  // a heap with the worst on top
};

/// Removes the apostrophe that append_csv_line() puts before what looks like a formula.
std::string_view unguarded(std::string_view field) {
  const std::size_t first = field.find_first_not_of('\'');
  const bool guarded = first != 0 && first != std::string_view::npos &&
                       std::string_view("=+-@\t\r").find(field[first]) != std::string_view::npos;
  return guarded ? field.substr(1) : field;
}

/// One row of the table of rules.
class RuleRow {
 public:
  RuleRow(const RowBlock& block, std::size_t row, std::size_t width, const std::string& name)
      : fields_(block.fields.data() + row * width), line_(block.lines[row]), name_(name) {}

  ContingencyTable table() const {
    const ContingencyTable table{count(3), count(4), count(5), count(6)};
    const bool possible = std::max(table.n_antecedent, table.n_consequent) <= table.n &&
                          table.n_both <= std::min(table.n_antecedent, table.n_consequent) &&
                          table.n_antecedent - table.n_both <= table.n - table.n_consequent;
    if (!possible) {
      throw BadCell(name_, line_, 7, std::string(fields_[6]), "counts that transactions can have");
    }
    return table;
  }
  RuleText text(const ContingencyTable& table) const {
    return {std::string(unguarded(fields_[0])), std::string(unguarded(fields_[1])), table,
            "line " + std::to_string(line_)};
  }

 private:
  std::uint64_t count(std::size_t column) const {
    const std::string_view text = fields_[column];
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > ~std::uint32_t{0}) {
      throw BadCell(name_, line_, column + 1, std::string(text), "a number of transactions");
    }
    return value;
  }

  const std::string_view* fields_;
  std::uint64_t line_;
  const std::string& name_;
};

TrueRules read_csv(const TextInput& input, Measure measure, std::size_t most) {
  CsvReader reader(input.open(), input.name(), CsvDialect{});
  const std::size_t width = reader.columns().size();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i < width && reader.columns()[i].name == columns[i]) continue;
    throw BadCell(input.name(), 1, i + 1, i < width ? reader.columns()[i].name : "",
                  "the column " + std::string(columns[i]));
  }
  BestRules best(measure, most);
  RowBlock block;
  while (reader.next(block)) {
    for (std::size_t row = 0; row < block.rows; ++row) {
      const RuleRow its(block, row, width, input.name());
      const ContingencyTable table = its.table();
      best.offer(table, [&] { return its.text(table); });
    }
    block.clear();
  }
  return std::move(best).take();
}

TrueRules read_json(const TextInput& input, Measure measure, std::size_t most) {
  const std::string text = read_all(*input.open(), input.name());
  BestRules best(measure, most);
  std::optional<std::string> fingerprint;
  const BadData other(input.name(), "not the JSON of atoll enumerate");
  const auto take = [&](const Json& json) {
    if (!json.is_object() || !json.contains("method")) throw other;
    if (json.at("method") == "beam") {
      throw BadData(input.name(), "rules of a beam search, which need not be the best");
    }
    if (json.at("method") != "exact" || !json.contains("rules")) throw other;
    if (json.contains("fingerprint")) fingerprint = json.at("fingerprint").get<std::string>();
    for (const WrittenRule& rule : parse_rules_json(json.at("rules").dump(), input.name())) {
      best.offer(rule.table, [&]() -> RuleText {
        const auto [antecedent, consequent] = sides_of(rule.text);
        return {std::string(antecedent), std::string(consequent), rule.table,
                "rule " + std::to_string(rule.id)};
      });
    }
  };
  try {
    with_json(text, input.name(), take);
  } catch (const BadCell&) {  // no JSON at all
    throw other;
  }
  TrueRules rules = std::move(best).take();
  rules.fingerprint = std::move(fingerprint);
  rules.best_by = Measure::leverage;
  return rules;
}

/// A line such as "bread milk (3)", or "bread milk (0.750000000)" of an uncertain support.
struct SetLine {
  std::string_view items;
  double support = 0;  ///< or its probability
  bool is_likely = false;
};

std::optional<SetLine> set_line(std::string_view line) {
  const std::size_t open = line.rfind(" (");
  if (open == std::string_view::npos || open == 0 || !line.ends_with(')')) return std::nullopt;
  const std::string_view number = line.substr(open + 2, line.size() - open - 3);
  constexpr std::size_t decimals = 9;
  const std::size_t point = number.find('.');
  const bool is_likely = point == 1 && number.size() == 2 + decimals;
  const auto value = parse_number(number);
  if (!value || *value < 0 || number.find_first_not_of("0123456789.") != std::string_view::npos) {
    return std::nullopt;
  }
  if (is_likely ? *value > 1 : point != std::string_view::npos) return std::nullopt;
  return SetLine{line.substr(0, open), *value, is_likely};
}

/// Is `longer` the other set with items more?
bool adds_to(const SetLine& longer, const SetLine& set) {
  return longer.items.size() > set.items.size() && longer.items.starts_with(set.items) &&
         longer.items[set.items.size()] == ' ' && longer.support <= set.support;
}

std::optional<FoundKind> kind_of_sets(std::string_view start) {
  bool numbers = true, adds = false;
  SetLine before;
  for (std::size_t lines = 0; !start.empty(); ++lines) {
    const std::size_t end = start.find('\n');
    if (end == std::string_view::npos && lines > 0) break;  // it may be cut off
    const auto set = set_line(start.substr(0, end));
    if (!set || (lines > 0 && set->is_likely != before.is_likely)) return std::nullopt;
    start.remove_prefix(end == std::string_view::npos ? start.size() : end + 1);
    numbers = numbers && set->items.find_first_not_of("0123456789 ") == std::string_view::npos;
    adds = adds || (lines > 0 && (adds_to(*set, before) || adds_to(before, *set)));
    before = *set;
  }
  if (before.items.empty() || !(numbers || adds)) return std::nullopt;
  if (before.is_likely) return FoundKind::uncertain_itemsets;
  return before.support > 0 ? std::optional(FoundKind::itemsets) : std::nullopt;
}

}  // namespace

std::optional<FoundKind> found_kind(std::string_view start) {
  for (const char* const method : {"exact", "beam"}) {
    const std::string begins = std::string("{\n \"method\": \"") + method + "\",\n \"top\": ";
    if (start.starts_with(begins)) return FoundKind::enumerated_rules;
  }
  std::string header;
  for (const std::string_view column : columns) header.append(column).append(",");
  header.pop_back();
  if (start.starts_with(header)) return FoundKind::itemset_rules;
  if (start.starts_with("items,length,probability,expected_support,variance,transactions\n") ||
      start.starts_with("[\n{\"items\": [")) {
    return FoundKind::uncertain_itemsets;
  }
  return kind_of_sets(start);
}

TrueRules read_true_rules(const TextInput& input, Measure measure, std::size_t most) {
  const std::string line = first_line(*input.open());
  if (line.starts_with('{')) return read_json(input, measure, most);
  if (line.starts_with("antecedent,")) return read_csv(input, measure, most);
  if (line.ends_with(')')) {
    throw BadData(input.name(), "sets of items; expected rules: atoll itemsets --rules makes them");
  }
  throw BadData(input.name(),
                "expected rules of atoll itemsets --rules (CSV) or of atoll enumerate (JSON)");
}

}  // namespace atl::io
