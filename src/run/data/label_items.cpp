#include "src/run/data/label_items.hpp"

#include <cstdint>
#include <optional>
#include <utility>

#include "io/tables/input_tables.hpp"
#include "io/transactions/probability_reader.hpp"
#include "src/core/error.hpp"
#include "src/core/text/near_names.hpp"
#include "src/core/text/number.hpp"
#include "src/rules/item_table.hpp"
#include "src/run/data/run_data.hpp"
#include "src/run/data/text_form.hpp"
#include "src/work/temporary_folder.hpp"

namespace atl {
namespace {

/// Is it a table of 0 and 1 alone, as far as it has numbers?
/// @param but  the name of an attribute that is none of the table's own
bool has_ones(const Dataset& dataset, const std::string& but) {
  bool numbers = false;
  for (const Attribute& attribute : dataset.attributes()) {
    if (!has_numbers(attribute.kind) || attribute.name == but) continue;
    if (attribute.low != std::vector<double>{0, 1}) return false;
    numbers = true;
  }
  return numbers;
}

TransactionSet labels_of(const Dataset& dataset, const std::string& data, const std::string& but,
                         const Report& report) {
  const bool ones = has_ones(dataset, but);
  tell_left_out(dataset, report,
                ones ? "--format onehot makes items of the ones of a text" : nominal_hint(data),
                {but});
  TransactionSet transactions = label_items(dataset);
  if (transactions.item_count() == 0) {
    throw BadData(data, std::string("no attribute has labels, which would be the items") +
                            (ones ? "; --format onehot makes items of the ones" : ""));
  }
  return transactions;
}

std::vector<double> column_of_text(const io::TextInput& input, const TextForm& text,
                                   const std::string& column) {
  io::ImportOptions options;
  set_table_form(text, options);
  options.inputs = {input.name()};
  options.opened = std::shared_ptr<const io::TextInput>(std::shared_ptr<void>(), &input);
  const Report silent = [](Severity, const std::string&) {};
  const io::InputTables tables(options, silent);
  return io::read_probability_column(*tables.open(0), input.name(), column, options.decimal);
}

/// @pre the attribute keeps every value
std::vector<double> column_of_file(const Dataset& dataset, const std::string& data,
                                   const std::string& column) {
  const auto place = dataset.find(column);
  if (!place) {
    std::vector<std::string> names;
    for (const Attribute& attribute : dataset.attributes()) names.push_back(attribute.name);
    throw UsageError("--probability-column: " + data + " has no column " + in_quotes(column) +
                     suggestion(column, names));
  }
  const Attribute& attribute = dataset.attributes()[*place];
  if (attribute.kind != AttributeKind::numeric) {
    throw BadData(data,
                  "column " + in_quotes(column) + " holds no numbers, expected probabilities");
  }
  std::vector<double> probabilities;
  for (const std::uint32_t code : all_codes(dataset, *place)) {
    std::optional<double> value;
    if (code != missing_code) value = attribute.low[code];
    if (!io::is_probability(value)) {
      throw BadData(data, "column " + in_quotes(column) + ", row " +
                              std::to_string(probabilities.size() + 1) + ": found " +
                              (value ? "'" + format_number(*value) + "'" : "no value") +
                              ", expected " + io::expected_probability);
    }
    probabilities.push_back(*value);
  }
  return probabilities;
}

}  // namespace

TransactionSet with_probabilities(TransactionSet transactions, std::vector<double> probabilities,
                                  const std::string& data) {
  if (probabilities.size() != transactions.size()) {
    throw IoError(data, "changed while it was read");
  }
  return std::move(transactions).with_probabilities(std::move(probabilities));
}

TransactionSet read_label_items(const std::string& data, TextForm text,
                                const std::string& probability_column, const Report& report,
                                std::shared_ptr<const io::TextInput> opened) {
  const bool has_column = !probability_column.empty();
  text.is_table = true;
  std::vector<double> probabilities;
  const bool is_file = !opened && is_hdf5(data);
  if (has_column && !is_file) {
    if (!opened) opened = open_text(data, text, temporary_place());
    // Left out, it is not taken for an item, and its name tells the header in both passes.
    if (!text.ignore) text.ignore.emplace();
    text.ignore->push_back(probability_column);
    probabilities = column_of_text(*opened, text, probability_column);
  }
  io::ImportOptions import;
  import.opened = std::move(opened);
  io::LoadOptions load;
  load.exact = {probability_column};
  const Dataset dataset = read_data(data, load, report, std::move(import), text);
  TransactionSet transactions = labels_of(dataset, data, probability_column, report);
  if (!has_column) return transactions;
  if (is_file) probabilities = column_of_file(dataset, data, probability_column);
  return with_probabilities(std::move(transactions), std::move(probabilities), data);
}

}  // namespace atl
