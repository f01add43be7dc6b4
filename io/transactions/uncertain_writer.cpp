#include "io/transactions/uncertain_writer.hpp"

#include <array>
#include <charconv>
#include <utility>

#include "io/results/csv_line.hpp"
#include "io/results/json_text.hpp"
#include "src/rules/scanner.hpp"

namespace atl::io {
namespace {

constexpr std::size_t uncertain_piece = std::size_t{1} << 18;
constexpr int probability_decimals = 9;
constexpr int moment_decimals = 9;

std::string probability_text(double probability) {
  std::array<char, 16> text;  // "1.000000000"
  const auto end = std::to_chars(text.data(), text.data() + text.size(), probability,
                                 std::chars_format::fixed, probability_decimals);
  return {text.data(), end.ptr};
}

/// Rounded, as its terms are (cover_sums.hpp), without zeros behind.
std::string moment_text(double moment) {
  std::array<char, 32> text;  // of at most 2^32 transactions
  const auto written = std::to_chars(text.data(), text.data() + text.size(), moment,
                                     std::chars_format::fixed, moment_decimals);
  const char* end = written.ptr;
  while (end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  return {text.data(), static_cast<std::size_t>(end - text.data())};
}

/// A name without the double quotes that it has in a line of items.
std::string plain_name(const std::string& name) {
  static const std::string source = "an item";
  if (name.empty() || name.front() != '"') return name;
  Scanner scanner(name, source, Scanner::Comments::none);
  const std::string plain = scanner.name_or_value("", "an item");
  return scanner.at_end() ? plain : name;
}

/// The parts that all forms share: the items of the set at hand, and text that waits.
class UncertainWriter : public UncertainText {
 public:
  UncertainWriter(const std::vector<std::string>& names,
                  std::function<void(std::string_view)> write)
      : names_(names), write_(std::move(write)) {}

  void add(std::uint32_t item) override { items_.push_back(item); }
  void remove() override { items_.pop_back(); }
  void found(const UncertainSupport& support) final {
    append(text_, support);
    if (text_.size() >= uncertain_piece) flush();
  }
  void finish() override { flush(); }

 protected:
  virtual void append(std::string& text, const UncertainSupport& support) = 0;

  const std::string& name(std::uint32_t item) const { return names_[item]; }
  const std::vector<std::uint32_t>& items() const noexcept { return items_; }
  std::string& text() noexcept { return text_; }

 private:
  void flush() {
    if (!text_.empty()) write_(text_);
    text_.clear();
  }

  const std::vector<std::string>& names_;
  std::function<void(std::string_view)> write_;
  std::vector<std::uint32_t> items_;
  std::string text_;
};

class LineWriter final : public UncertainWriter {
 public:
  using UncertainWriter::UncertainWriter;

 private:
  void append(std::string& text, const UncertainSupport& support) override {
    for (const std::uint32_t item : items()) text.append(name(item)).append(1, ' ');
    text.append(1, '(').append(probability_text(support.probability)).append(")\n");
  }
};

class CsvWriter final : public UncertainWriter {
 public:
  CsvWriter(const std::vector<std::string>& names, std::function<void(std::string_view)> write)
      : UncertainWriter(names, std::move(write)) {
    text() = "items,length,probability,expected_support,variance,transactions\n";
  }

 private:
  void append(std::string& text, const UncertainSupport& support) override {
    std::string joined;
    for (const std::uint32_t item : items()) {
      joined.append(joined.empty() ? "" : " AND ").append(name(item));
    }
    const std::array<std::string, 6> fields = {std::move(joined),
                                               std::to_string(items().size()),
                                               probability_text(support.probability),
                                               moment_text(support.expected),
                                               moment_text(support.variance),
                                               std::to_string(support.rows)};
    append_csv_line(text, fields);
  }
};

class JsonWriter final : public UncertainWriter {
 public:
  JsonWriter(const std::vector<std::string>& names, std::function<void(std::string_view)> write)
      : UncertainWriter(names, std::move(write)) {
    text() = "[";
  }

  void finish() override {
    text() += "\n]\n";
    UncertainWriter::finish();
  }

 private:
  void append(std::string& text, const UncertainSupport& support) override {
    text += std::exchange(first_, false) ? "\n" : ",\n";
    text +=
        "{\"items\": [" +
        json_join(items(), [&](std::uint32_t item) { return json_quote(plain_name(name(item))); }) +
        "], \"probability\": " + probability_text(support.probability) +
        ", \"expected_support\": " + moment_text(support.expected) +
        ", \"variance\": " + moment_text(support.variance) +
        ", \"transactions\": " + std::to_string(support.rows) + "}";
  }

  bool first_ = true;
};

}  // namespace

UncertainForm uncertain_form(const std::string& output) {
  if (output.ends_with(".csv")) return UncertainForm::csv;
  return output.ends_with(".json") ? UncertainForm::json : UncertainForm::lines;
}

const char* to_string(UncertainForm form) noexcept {
  constexpr std::array<const char*, 3> words = {"lines", "csv", "json"};
  return words[static_cast<std::size_t>(form)];
}

std::unique_ptr<UncertainText> make_uncertain_writer(UncertainForm form,
                                                     const std::vector<std::string>& names,
                                                     std::function<void(std::string_view)> write) {
  switch (form) {
    case UncertainForm::csv:
      return std::make_unique<CsvWriter>(names, std::move(write));
    case UncertainForm::json:
      return std::make_unique<JsonWriter>(names, std::move(write));
    case UncertainForm::lines:
      break;
  }
  return std::make_unique<LineWriter>(names, std::move(write));
}

}  // namespace atl::io
