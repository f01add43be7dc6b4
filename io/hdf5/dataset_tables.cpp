#include "io/hdf5/dataset_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "io/hdf5/h5_tables.hpp"
#include "io/hdf5/transaction_file.hpp"
#include "src/core/error.hpp"
#include "src/data/binning.hpp"
#include "src/data/date.hpp"

namespace atl::io {
namespace {

template <typename T>
std::vector<T> read_column(const Hdf5Reader& file, const std::string& name, std::size_t size) {
  auto values = file.read<T>("attributes/" + name);
  require(values.size() == size, "/attributes/" + name + " has " + std::to_string(values.size()) +
                                     " rows, not one for each of the " + std::to_string(size) +
                                     " attributes");
  return values;
}

/// Takes the next `count` of a list.
template <typename T>
class Cursor {
 public:
  explicit Cursor(std::vector<T> values) : values_(std::move(values)) {}
  std::uint64_t at() const noexcept { return at_; }
  std::vector<T> take(std::uint64_t count, const std::string& name) {
    require(count <= values_.size() - at_, name + " ends early");
    const auto first = std::make_move_iterator(values_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ += count;
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  void expect_end(const std::string& name) const {
    require(at_ == values_.size(), name + " goes on after the last attribute");
  }

 private:
  std::vector<T> values_;
  std::uint64_t at_ = 0;
};

void check_dictionary(const Attribute& attribute, std::uint64_t rows) {
  const std::string of = "attribute " + printable(attribute.name) + ": ";
  if (has_numbers(attribute.kind)) {
    require(std::all_of(attribute.low.begin(), attribute.low.end(),
                        [](double value) {
                          return std::isfinite(value) && (value != 0 || !std::signbit(value));
                        }) &&
                std::is_sorted(attribute.low.begin(), attribute.low.end(), std::less_equal<>()),
            of + "its numbers are not finite and ascending");
    require(!is_date(attribute.kind) ||
                std::all_of(attribute.low.begin(), attribute.low.end(),
                            [&](double value) { return is_date_value(value, attribute.kind); }),
            of + "its numbers are no dates");
  } else if (attribute.kind == AttributeKind::nominal) {
    require(std::is_sorted(attribute.labels.begin(), attribute.labels.end(), std::less_equal<>()),
            of + "its labels do not ascend");
  } else {
    require(all_distinct(attribute.labels), of + "two of its labels are the same");
  }
  std::uint64_t left = rows;  // subtracting cannot overflow
  for (const std::uint64_t count : attribute.counts) {
    require(count <= left, of + "more values than rows");
    left -= count;
  }
  require(left == attribute.missing && (left == 0 || attribute.has_missing),
          of + "its counts and missing values do not add up to the rows");
}

std::vector<Attribute> read_attributes(const Hdf5Reader& file, std::uint64_t rows) {
  auto names = read_texts(file, "attributes/name");
  const std::size_t size = names.size();
  require(std::find(names.begin(), names.end(), "") == names.end(), "an attribute has no name");
  require(all_distinct(names), "two attributes have the same name");
  const auto kind = read_column<std::uint8_t>(file, "kind", size);
  const auto role = read_column<std::uint8_t>(file, "role", size);
  const auto has_missing = read_column<std::uint8_t>(file, "has_missing", size);
  const auto missing = read_column<std::uint64_t>(file, "missing", size);
  const auto distinct = read_column<std::uint64_t>(file, "distinct", size);
  const auto offset = read_column<std::uint64_t>(file, "offset", size);
  const auto planes = read_column<std::uint32_t>(file, "planes", size);
  const auto first_plane = read_column<std::uint64_t>(file, "first_plane", size);
  Cursor<double> numbers(file.read<double>("dictionaries/number"));
  Cursor<std::string> labels(read_texts(file, "dictionaries/label"));
  Cursor<std::uint64_t> counts(file.read<std::uint64_t>("counts"));

  std::vector<Attribute> attributes(size);
  std::uint64_t next_plane = 0;
  for (std::size_t i = 0; i < size; ++i) {
    Attribute& attribute = attributes[i];
    attribute.name = std::move(names[i]);
    const std::string of = "attribute " + printable(attribute.name) + ": ";
    require(kind[i] <= static_cast<std::uint8_t>(AttributeKind::date_time_utc),
            of + "unknown kind");
    require(role[i] <= static_cast<std::uint8_t>(AttributeRole::target), of + "unknown role");
    require(has_missing[i] <= 1, of + "has_missing is neither 0 nor 1");
    attribute.kind = static_cast<AttributeKind>(kind[i]);
    attribute.role = static_cast<AttributeRole>(role[i]);
    attribute.has_missing = has_missing[i] == 1;
    attribute.missing = missing[i];
    require(distinct[i] < missing_code, of + "more values than there are codes");
    attribute.exact_distinct = distinct[i];
    const bool numeric = has_numbers(attribute.kind);
    require(offset[i] == (numeric ? numbers.at() : labels.at()), of + "wrong offset");
    if (numeric) {
      attribute.low = numbers.take(distinct[i], "/dictionaries/number");
      attribute.high = attribute.low;
    } else {
      attribute.labels = labels.take(distinct[i], "/dictionaries/label");
    }
    attribute.counts = counts.take(distinct[i], "/counts");
    require(planes[i] == planes_for(distinct[i]), of + "wrong number of planes");
    require(first_plane[i] == next_plane, of + "wrong first plane");
    next_plane += stored_planes(attribute);
    check_dictionary(attribute, rows);
  }
  numbers.expect_end("/dictionaries/number");
  labels.expect_end("/dictionaries/label");
  counts.expect_end("/counts");
  return attributes;
}

/// Each attribute has tokens of its own in memory, of which a file could ask for far more than it
/// holds.
constexpr std::uint64_t most_token_bytes = std::uint64_t{1} << 30;

/// Reads what the import made of tokens, where that is not the usual.
void read_import(const Hdf5Reader& file, std::vector<Attribute>& attributes) {
  if (!file.has_dataset("import/missing_set")) return;
  const auto set_of = file.read<std::uint32_t>("import/missing_set");
  auto others = read_texts(file, "import/other");
  require(set_of.size() == attributes.size() && others.size() == attributes.size(),
          "/import has not one entry for each attribute");
  std::vector<std::string> forms;  // files of before have none
  if (file.has_dataset("import/number_form_end")) {
    forms = read_texts(file, "import/number_form");
    require(forms.size() == attributes.size(), "/import has not one form for each attribute");
  }
  auto tokens = read_texts(file, "import/token");
  const auto set_of_token = file.read<std::uint32_t>("import/token_set");
  require(tokens.size() == set_of_token.size(), "/import has not one set for each token");
  std::map<std::uint32_t, std::vector<std::string>> sets;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    sets[set_of_token[i]].push_back(std::move(tokens[i]));
  }
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    Attribute& attribute = attributes[i];
    if (set_of[i] != 0) {
      for (const std::string& token : sets[set_of[i]]) bytes += sizeof(token) + token.size();
      require(bytes <= most_token_bytes, "/import/missing_set asks for too many tokens");
      attribute.missing_tokens = sets[set_of[i]];
    }
    if (!forms.empty()) attribute.number_form = std::move(forms[i]);
    attribute.other = std::move(others[i]);
    require(attribute.other.empty() || std::find(attribute.labels.begin(), attribute.labels.end(),
                                                 attribute.other) != attribute.labels.end(),
            "attribute " + printable(attribute.name) + ": /import/other is none of its labels");
  }
}

void write_import(Hdf5Writer& file, std::span<const Attribute> attributes) {
  std::map<std::vector<std::string>, std::uint32_t> numbers;
  std::vector<std::uint32_t> set_of, set_of_token;
  std::vector<std::string> others, tokens, forms;
  bool usual = true;
  bool plain = true;
  for (const Attribute& attribute : attributes) {
    others.push_back(attribute.other);
    forms.push_back(attribute.number_form);
    plain = plain && attribute.number_form.empty();
    set_of.push_back(0);
    usual = usual && attribute.other.empty() && !attribute.missing_tokens;
    if (!attribute.missing_tokens) continue;
    const auto next = static_cast<std::uint32_t>(numbers.size() + 1);
    const auto [set, is_new] = numbers.emplace(*attribute.missing_tokens, next);
    set_of.back() = set->second;
    if (!is_new) continue;
    tokens.insert(tokens.end(), set->first.begin(), set->first.end());
    set_of_token.resize(tokens.size(), next);
  }
  if (usual && plain) return;
  file.create_group("import");
  file.write<std::uint32_t>("import/missing_set", set_of);
  write_texts(file, "import/token", tokens);
  file.write<std::uint32_t>("import/token_set", set_of_token);
  write_texts(file, "import/other", others);
  if (!plain) write_texts(file, "import/number_form", forms);
}

std::vector<IgnoredColumn> read_ignored(const Hdf5Reader& file) {
  auto names = read_texts(file, "ignored/name");
  auto reasons = read_texts(file, "ignored/reason");
  require(names.size() == reasons.size(), "/ignored has not one reason for each name");
  std::vector<IgnoredColumn> ignored(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    ignored[i] = {std::move(names[i]), std::move(reasons[i])};
  }
  return ignored;
}

DatasetSummary read_checked(const Hdf5Reader& file) {
  DatasetSummary summary;
  summary.rows = file.number("rows");
  const std::uint64_t partition_rows = file.number("partition_rows");
  require(summary.rows > 0, "no rows");
  require(
      partition_rows > 0 && partition_rows % partition_granule == 0 && partition_rows <= 0xFFFFFFFF,
      "partition_rows is not a multiple of " + std::to_string(partition_granule));
  summary.partition_rows = static_cast<std::uint32_t>(partition_rows);
  summary.fingerprint = parse_fingerprint(file.text("fingerprint"));
  summary.attributes = read_attributes(file, summary.rows);
  require(!summary.attributes.empty(), "no attributes");
  read_import(file, summary.attributes);
  summary.ignored = read_ignored(file);
  require(file.extent("planes") ==
              planes_extent(summary.rows, summary.partition_rows, summary.attributes),
          "/planes has not the size that rows and attributes ask for");
  return summary;
}

}  // namespace

LoadPlan make_load_plan(DatasetSummary summary, const LoadOptions& options) {
  LoadPlan plan;
  plan.rows = summary.rows;
  plan.partition_rows = summary.partition_rows;
  plan.fingerprint = summary.fingerprint;
  plan.extent = planes_extent(summary.rows, summary.partition_rows, summary.attributes);
  BinPlan bins = plan_bins(std::move(summary.attributes), {options.max_bins, options.attribute_bins,
                                                           options.exact, options.labels});
  plan.attributes = std::move(bins.attributes);
  plan.bin_ends = std::move(bins.bin_ends);
  return plan;
}

Hdf5Index planes_extent(std::uint64_t rows, std::uint32_t partition_rows,
                        std::span<const Attribute> attributes) {
  const std::uint64_t partitions = rows / partition_rows + (rows % partition_rows == 0 ? 0 : 1);
  const std::uint64_t longest = std::min<std::uint64_t>(rows, partition_rows);
  std::uint64_t planes = 0;
  for (const Attribute& attribute : attributes) planes += stored_planes(attribute);
  return {partitions, planes, (longest + 511) / 512 * 8};
}

std::uint32_t stored_planes(const Attribute& attribute) noexcept {
  return planes_for(attribute.exact_distinct) + (attribute.has_missing ? 1U : 0U);
}

void write_tables(Hdf5Writer& file, std::span<const Attribute> attributes,
                  std::span<const IgnoredColumn> ignored) {
  std::vector<std::string> names, labels, ignored_names, ignored_reasons;
  std::vector<std::uint8_t> kind, role, has_missing;
  std::vector<std::uint64_t> missing, distinct, offset, first_plane, counts;
  std::vector<std::uint32_t> planes;
  std::vector<double> numbers;
  std::uint64_t next_plane = 0;
  for (const Attribute& attribute : attributes) {
    names.push_back(attribute.name);
    kind.push_back(static_cast<std::uint8_t>(attribute.kind));
    role.push_back(static_cast<std::uint8_t>(attribute.role));
    has_missing.push_back(attribute.has_missing ? 1 : 0);
    missing.push_back(attribute.missing);
    distinct.push_back(attribute.distinct());
    offset.push_back(has_numbers(attribute.kind) ? numbers.size() : labels.size());
    planes.push_back(attribute.planes());
    first_plane.push_back(next_plane);
    next_plane += stored_planes(attribute);
    numbers.insert(numbers.end(), attribute.low.begin(), attribute.low.end());
    labels.insert(labels.end(), attribute.labels.begin(), attribute.labels.end());
    counts.insert(counts.end(), attribute.counts.begin(), attribute.counts.end());
  }
  for (const IgnoredColumn& column : ignored) {
    ignored_names.push_back(column.name);
    ignored_reasons.push_back(column.reason);
  }
  file.create_group("attributes");
  write_texts(file, "attributes/name", names);
  file.write<std::uint8_t>("attributes/kind", kind);
  file.write<std::uint8_t>("attributes/role", role);
  file.write<std::uint8_t>("attributes/has_missing", has_missing);
  file.write<std::uint64_t>("attributes/missing", missing);
  file.write<std::uint64_t>("attributes/distinct", distinct);
  file.write<std::uint64_t>("attributes/offset", offset);
  file.write<std::uint32_t>("attributes/planes", planes);
  file.write<std::uint64_t>("attributes/first_plane", first_plane);
  file.create_group("dictionaries");
  file.write<double>("dictionaries/number", numbers);
  write_texts(file, "dictionaries/label", labels);
  file.write<std::uint64_t>("counts", counts);
  file.create_group("ignored");
  write_texts(file, "ignored/name", ignored_names);
  write_texts(file, "ignored/reason", ignored_reasons);
  write_import(file, attributes);
}

Hdf5Names dataset_names() {
  return {{"format", "version", "rows", "partition_rows", "fingerprint"},
          {"attributes/name_text",
           "attributes/name_end",
           "attributes/kind",
           "attributes/role",
           "attributes/has_missing",
           "attributes/missing",
           "attributes/distinct",
           "attributes/offset",
           "attributes/planes",
           "attributes/first_plane",
           "dictionaries/number",
           "dictionaries/label_text",
           "dictionaries/label_end",
           "counts",
           "ignored/name_text",
           "ignored/name_end",
           "ignored/reason_text",
           "ignored/reason_end",
           "import/missing_set",
           "import/token_text",
           "import/token_end",
           "import/token_set",
           "import/other_text",
           "import/other_end",
           "import/number_form_text",
           "import/number_form_end",
           "planes"}};
}

DatasetSummary read_tables(const Hdf5Reader& file) {
  const std::string& path = file.path();
  if (holds_transactions(file)) throw BadData(path, "holds transactions, expected a table");
  if (!file.has("format") || file.text("format") != dataset_format) {
    throw BadData(path, "not a dataset of atoll, though a file of atoll");
  }
  const std::uint64_t version = file.number("version");
  if (version > dataset_version) {
    throw BadData(path, "dataset format version " + std::to_string(version) +
                            " is newer than this program's, which reads up to version " +
                            std::to_string(dataset_version));
  }
  try {
    return read_checked(file);
  } catch (const TableProblem& problem) {
    throw BadData(path, problem.text);
  }
}

}  // namespace atl::io
