#include "io/tables/columns/column_dictionary.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "src/core/error.hpp"
#include "src/core/text/label_number.hpp"
#include "src/core/text/number.hpp"
#include "src/data/dataset.hpp"

namespace atl::io {
namespace {

/// All distinct tokens with their rows; ascending by bytes.
void visit_tokens(ColumnProfile& profile, const TemporaryFile* spool, const TokenVisitor& visit) {
  if (profile.spilled()) {
    profile.runs.merge(*spool, visit);
    return;
  }
  for (const std::uint32_t id : profile.tokens.sorted()) {
    visit(profile.tokens.text(id), profile.tokens.rows(id));
  }
}

/// A token of a column of numbers or dates.
struct TokenValue {
  double value;
  std::uint64_t rows;
  std::uint32_t id;  ///< in the profile's tokens, unless they were spilled
};

/// A label with its rows; of equal rows the smaller label comes first.
struct LabelRows {
  std::uint64_t rows;
  std::string label;
  friend bool operator<(const LabelRows& a, const LabelRows& b) {
    return a.rows != b.rows ? a.rows > b.rows : a.label < b.label;
  }
};

/// More of them are not counted.
constexpr std::uint64_t enough_words = 3;

/// Collects the labels that stay and counts the others.
class LabelCollector {
 public:
  LabelCollector(const ColumnPlan& plan, std::uint32_t most) : plan_(plan), most_(most) {}

  void add(std::string_view token, std::uint64_t rows) {
    if (plan_.is_missing(token)) {
      missing_ += rows;
      return;
    }
    ++distinct_;
    if (!plan_.kind) count_if_number_or_date(token, rows);
    note_if_other(token);
    if (!plan_.kept.empty() && plan_.kept.count(token) == 0) {
      leave_out(rows);
      return;
    }
    kept_.insert({rows, std::string(token)});
    if (most_ > 0 && kept_.size() > most_) {
      const auto last = std::prev(kept_.end());
      leave_out(last->rows);
      kept_.erase(last);
    }
  }

  void finish(ColumnDictionary& out) {
    std::map<std::string, std::uint64_t> labels;
    for (const LabelRows& kept : kept_) labels.emplace(kept.label, kept.rows);
    if (left_out_ > 0) {
      out.other = "other";
      while (others_.count(out.other) > 0) out.other += '_';
      labels.emplace(out.other, other_rows_);
    }
    std::vector<std::string> order = plan_.order;
    if (order.empty()) {
      for (const auto& [label, rows] : labels) order.push_back(label);
    }
    for (const std::string& label : order) {
      const auto found = labels.find(label);
      if (found == labels.end()) continue;
      out.attribute.labels.push_back(label);
      out.attribute.counts.push_back(found->second);
    }
    out.attribute.missing = missing_;
    out.distinct = distinct_;
    out.number_rows = number_rows_;
    out.written_number_rows = written_number_rows_;
    out.date_rows = date_rows_;
    out.numbers = numbers_;
    out.dates = dates_;
    out.words = words_;
  }

 private:
  void leave_out(std::uint64_t rows) {
    ++left_out_;
    other_rows_ += rows;
  }
  void count_if_number_or_date(std::string_view token, std::uint64_t rows) {
    const bool plain = parse_number(token).has_value();
    if (plain || read_written_number(token)) {
      ++numbers_;
      (plain ? number_rows_ : written_number_rows_) += rows;
    } else if (parse_date(token)) {
      ++dates_;
      date_rows_ += rows;
    } else if (words_ < enough_words && !is_usual_no_value(token)) {
      ++words_;
    }
  }
  /// Remembers labels that could be taken for the one made up for the others.
  void note_if_other(std::string_view token) {
    constexpr std::string_view stem = "other";
    if (token.substr(0, stem.size()) == stem &&
        token.find_first_not_of('_', stem.size()) == std::string_view::npos) {
      others_.emplace(token);
    }
  }

  const ColumnPlan& plan_;
  std::uint32_t most_;
  std::set<LabelRows> kept_;
  std::set<std::string> others_;
  std::uint64_t number_rows_ = 0, written_number_rows_ = 0, date_rows_ = 0;
  std::uint64_t numbers_ = 0, dates_ = 0, words_ = 0;
  std::uint64_t distinct_ = 0, left_out_ = 0, other_rows_ = 0, missing_ = 0;
};

void close(ColumnDictionary& dictionary) {
  dictionary.attribute.has_missing = dictionary.attribute.missing > 0;
  dictionary.attribute.exact_distinct = dictionary.attribute.distinct();
}

void code_missing(const std::vector<std::string>& tokens, ColumnCoder& coder) {
  for (const std::string& token : tokens) {
    if (coder.tokens.find(token) != TokenMap::none) continue;
    coder.tokens.add(token);
    coder.codes.push_back(missing_code);
  }
}

}  // namespace

void ColumnCoder::code(const RowBlock& block, std::size_t column, std::size_t columns,
                       std::size_t first, std::size_t count, std::uint32_t* out,
                       const std::string& file) const {
  visit_keys(tokens, block.fields.data() + first * columns + column, columns, count,
             [&](std::uint64_t key, std::string_view token) {
               const std::uint32_t id = tokens.find(key, token);
               *out++ = id != TokenMap::none ? codes[id] : code_of_new(token, file);
             });
}

std::uint32_t ColumnCoder::code_of_new(std::string_view token, const std::string& file) const {
  if (!missing_numbers.empty()) {
    const std::optional<double> number = values.empty() ? parse_number(token) : reader.value(token);
    if (number && std::find(missing_numbers.begin(), missing_numbers.end(), *number) !=
                      missing_numbers.end()) {
      return missing_code;
    }
  }
  if (other != TokenMap::none) return other;
  if (!values.empty()) {
    const std::optional<double> value = reader.value(token);
    if (value) {
      const auto place = std::lower_bound(values.begin(), values.end(), *value);
      if (place != values.end() && *place == *value) {
        return static_cast<std::uint32_t>(place - values.begin());
      }
    }
  }
  throw IoError(file, "changed while it was read");
}

ColumnDictionary number_dictionary(ColumnProfile& profile, const ValueReader& reader,
                                   const std::vector<std::string>& words,
                                   const TemporaryFile* spool) {
  ColumnDictionary out;
  Attribute& attribute = out.attribute;
  attribute.kind = reader.kind;
  std::vector<TokenValue> values;
  std::uint32_t id = 0;
  out.word_rows.assign(words.size(), 0);
  // However they are written: -999,00 is -999 in a column with decimal commas.
  const std::vector<double>& missing = profile.plan().missing_numbers;
  const auto add = [&](std::string_view token, std::uint64_t rows) {
    const auto word = std::find(words.begin(), words.end(), token);
    if (word != words.end()) {
      out.word_rows[static_cast<std::size_t>(word - words.begin())] += rows;
      attribute.missing += rows;
    } else if (profile.plan().is_missing(token)) {
      attribute.missing += rows;
    } else {
      const double value = reader.value(token).value();
      if (std::find(missing.begin(), missing.end(), value) != missing.end()) {
        attribute.missing += rows;
      } else {
        values.push_back({value, rows, id});
      }
    }
  };
  if (profile.spilled()) {
    profile.runs.merge(*spool, add);
  } else {
    values.reserve(profile.tokens.size());
    for (; id < profile.tokens.size(); ++id) add(profile.tokens.text(id), profile.tokens.rows(id));
    out.coder.codes.assign(id, missing_code);
    out.coder.tokens = std::move(profile.tokens);
  }
  std::sort(values.begin(), values.end(),
            [](const TokenValue& a, const TokenValue& b) { return a.value < b.value; });
  for (const TokenValue& token : values) {
    if (attribute.low.empty() || attribute.low.back() != token.value) {
      attribute.low.push_back(token.value);
      attribute.counts.push_back(0);
    }
    attribute.counts.back() += token.rows;
    if (!profile.spilled()) out.coder.codes[token.id] = attribute.distinct() - 1;
  }
  attribute.high = attribute.low;
  out.distinct = attribute.low.size();
  if (profile.spilled()) {
    out.coder.values = attribute.low;
    out.coder.reader = reader;
    code_missing(profile.plan().missing, out.coder);
    code_missing(words, out.coder);
    out.coder.missing_numbers = profile.plan().missing_numbers;
  }
  close(out);
  return out;
}

namespace {

using LabelTexts = std::map<std::string, std::string, std::less<>>;

/// Says what each token of a class becomes: where all are numbers, equal ones are one class. Where
/// each has one text these texts stay, and nothing is returned, else each is written in its
/// shortest form.
LabelTexts class_texts(const ColumnProfile& profile) {
  std::map<double, std::vector<std::string>> texts;
  bool several = false;
  for (std::uint32_t id = 0; id < profile.tokens.size(); ++id) {
    const std::string_view token = profile.tokens.text(id);
    if (profile.plan().is_missing(token)) continue;
    const std::optional<double> number = label_number(token);
    if (!number) return {};
    std::vector<std::string>& of_number = texts[*number];
    of_number.emplace_back(token);
    several = several || of_number.size() > 1;
  }
  LabelTexts classes;
  if (!several) return classes;
  for (const auto& [number, of_number] : texts) {
    for (const std::string& text : of_number) classes.emplace(text, plain_number(number));
  }
  return classes;
}

/// Tokens that stand for a label that is written otherwise. So many labels that they were spilled
/// keep their texts.
LabelTexts other_texts(const ColumnProfile& profile) {
  const ColumnPlan& plan = profile.plan();
  LabelTexts texts;
  if (profile.spilled()) return texts;
  if (plan.classes && plan.order.empty() && plan.kept.empty() && plan.allowed.empty()) {
    return class_texts(profile);
  }
  if (plan.order.empty()) return texts;
  for (std::uint32_t id = 0; id < profile.tokens.size(); ++id) {
    const std::string_view token = profile.tokens.text(id);
    if (plan.is_missing(token)) continue;
    if (const std::string* const label = plan.same_number(token)) texts.emplace(token, *label);
  }
  return texts;
}

}  // namespace

ColumnDictionary label_dictionary(ColumnProfile& profile, const TemporaryFile* spool,
                                  std::uint32_t max_categories) {
  const ColumnPlan& plan = profile.plan();
  ColumnDictionary out;
  out.attribute.kind = plan.order.empty() ? AttributeKind::nominal : AttributeKind::ordinal;
  const bool choose = plan.order.empty() && plan.kept.empty();
  LabelCollector collector(plan, choose ? max_categories : 0);
  const LabelTexts texts = other_texts(profile);
  if (texts.empty()) {
    visit_tokens(profile, spool,
                 [&](std::string_view token, std::uint64_t rows) { collector.add(token, rows); });
  } else {
    std::map<std::string, std::uint64_t, std::less<>> joined;  // rows
    visit_tokens(profile, spool, [&](std::string_view token, std::uint64_t rows) {
      const auto found = texts.find(token);
      joined[found == texts.end() ? std::string(token) : found->second] += rows;
    });
    for (const auto& [label, rows] : joined) collector.add(label, rows);
  }
  collector.finish(out);

  TokenMap codes;  // ids are codes
  for (const std::string& label : out.attribute.labels) codes.add(label);
  const std::uint32_t other = out.other.empty() ? TokenMap::none : codes.find(out.other);
  if (profile.spilled()) {
    out.coder.other = other;
    for (std::uint32_t code = 0; code < codes.size(); ++code) out.coder.codes.push_back(code);
    out.coder.tokens = std::move(codes);
    code_missing(plan.missing, out.coder);
    out.coder.missing_numbers = plan.missing_numbers;
  } else {
    out.coder.tokens = std::move(profile.tokens);
    for (std::uint32_t id = 0; id < out.coder.tokens.size(); ++id) {
      const std::string_view token = out.coder.tokens.text(id);
      const auto joined = texts.find(token);
      const std::uint32_t code = codes.find(joined == texts.end() ? token : joined->second);
      out.coder.codes.push_back(plan.is_missing(token)   ? missing_code
                                : code == TokenMap::none ? other
                                                         : code);
    }
  }
  close(out);
  return out;
}

}  // namespace atl::io
