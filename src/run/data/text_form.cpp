#include "src/run/data/text_form.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/utf8.hpp"

namespace atl {
namespace {

io::TextFormat table_format(const TextForm& form) {
  const std::string name = form.format_name();
  if (name == "csv") return io::TextFormat::csv;
  if (name == "arff") return io::TextFormat::arff;
  if (name == "keel") return io::TextFormat::keel;
  if (name == "auto") return io::TextFormat::automatic;
  throw UsageError(form.options + "format: '" + printable(name) +
                   "' is none of auto, csv, arff, keel, fimi, baskets, long, onehot");
}

char table_delimiter(const TextForm& form) {
  const std::string& text = *form.delimiter;
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1 || text == "\"" || text == "\n" || text == "\r") {
    throw UsageError(form.options + "delimiter: '" + printable(text) +
                     "', expected one character or tab");
  }
  return text.front();
}

io::DecimalMark decimal_mark(const TextForm& form) {
  using io::DecimalMark;
  constexpr std::array<std::pair<const char*, DecimalMark>, 6> marks = {
      {{"auto", DecimalMark::detected},
       {"point", DecimalMark::point},
       {".", DecimalMark::point},
       {"comma", DecimalMark::comma},
       {",", DecimalMark::comma},
       {"plain", DecimalMark::plain}}};
  const std::string name = form.decimal.value_or("auto");
  for (const auto& [of, mark] : marks) {
    if (name == of) return mark;
  }
  throw UsageError(form.options + "decimal: '" + printable(name) +
                   "' is none of auto, point, comma, plain");
}

/// Has messages of transactions, which begin with the option's usual name, speak of these options.
template <typename Work>
auto naming_options(const TextForm& form, Work&& work) {
  try {
    return work();
  } catch (const UsageError& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("--")) throw;
    throw UsageError(form.options + std::string(message.substr(2)));
  }
}

bool is_utf8(const io::TextInput& input) {
  std::string block(std::size_t{1} << 16, '\0');
  std::string text;
  try {
    const auto source = input.open();
    while (const std::size_t got = source->read(block.data(), block.size())) {
      text.append(block, 0, got);
      const std::size_t valid = first_invalid_utf8(text);
      if (valid + 4 <= text.size()) return false;
      text.erase(0, valid);  // the rest may be a letter that goes on
    }
  } catch (const BadData&) {
    return false;
  }
  return text.empty();
}

TransactionForm form_of_transactions(const TextForm& form) {
  return naming_options(form, [&] {
    return transaction_form(form.format_name(), form.delimiter.value_or(""), form.header);
  });
}

}  // namespace

void expect_of_transactions(const TextForm& form) {
  for (const auto& [option, given] : {std::pair{"missing", form.missing.has_value()},
                                      {"missing-only", form.missing_only.has_value()},
                                      {"decimal", form.decimal.has_value()},
                                      {"nominal", form.nominal.has_value()},
                                      {"ignore", form.ignore.has_value()},
                                      {"schema", form.schema.has_value()}}) {
    if (given) throw UsageError(form.options + option + " is of tables, not of transactions");
  }
}

void expect_text_form(const TextForm& form, TextKinds kinds) {
  if (form.names_transactions()) {
    if (kinds == TextKinds::tables) {
      throw UsageError(form.options + "format: " + form.format_name() +
                       " is of transactions, expected a table");
    }
    (void)form_of_transactions(form);
    expect_of_transactions(form);
  } else {
    io::ImportOptions ignored;
    set_table_form(form, ignored);
  }
}

std::shared_ptr<const io::TextInput> open_text(const std::string& data, const TextForm& form,
                                               const std::string& folder) {
  const auto open = [&](const std::string& encoding) {
    return std::make_shared<const io::TextInput>(data, folder, encoding);
  };
  auto input = open(form.encoding.value_or(""));
  std::error_code absent;
  const bool may_be_other =
      form.encoding_otherwise && !form.encoding && std::filesystem::is_regular_file(data, absent);
  return may_be_other && !is_utf8(*input) ? open(*form.encoding_otherwise) : input;
}

std::optional<TransactionForm> transactions_in(const io::TextInput& input, const TextForm& form,
                                               const Report& report) {
  if (form.names_transactions()) return form_of_transactions(form);
  const bool tells = form.format_name() == "auto" && !form.delimiter && !form.header;
  if (!tells || form.is_table || !tells_transactions(input, form.options, report))
    return std::nullopt;
  return TransactionForm{.format = TransactionFormat::fimi};
}

void set_table_form(const TextForm& form, io::ImportOptions& options) {
  options.option_prefix = form.options;
  options.format = table_format(form);
  if (form.delimiter) options.delimiter = table_delimiter(form);
  if (options.delimiter && options.format != io::TextFormat::csv &&
      options.format != io::TextFormat::automatic) {
    throw UsageError(form.options + "delimiter is of csv, baskets and long, and of onehot");
  }
  options.header = form.header;
  options.encoding = form.encoding.value_or("");
  if (form.missing) options.missing = *form.missing;
  options.missing_only = form.missing_only;
  options.decimal = decimal_mark(form);
  if (form.nominal) options.nominal = *form.nominal;
  if (form.ignore) options.ignore = *form.ignore;
  if (form.schema)
    options.schema = io::parse_schema(*form.schema, form.schema_file.value_or("schema"));
}

TextForm or_as_of_run(TextForm form, const TextForm& of_run) {
  form.encoding_otherwise = of_run.encoding;
  const bool says_nothing = form.format_name() == "auto" && !form.delimiter;
  if (of_run.names_transactions()) {
    if (!says_nothing) return form;
    form.format = of_run.format;
    form.delimiter = of_run.delimiter;
    if (!form.header) form.header = of_run.header;
    return form;
  }
  if (form.names_transactions()) return form;
  if (!form.missing_only) {
    form.missing_only = of_run.missing_only;
    if (of_run.missing) {
      std::vector<std::string> words = *of_run.missing;
      if (form.missing) words.insert(words.end(), form.missing->begin(), form.missing->end());
      form.missing = std::move(words);
    }
  }
  if (!form.decimal) form.decimal = of_run.decimal;
  if (!form.schema) {
    form.schema = of_run.schema;
    form.schema_file = of_run.schema_file;
  }
  return form;
}

}  // namespace atl
