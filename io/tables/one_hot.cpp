#include "io/tables/one_hot.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "io/tables/answer.hpp"
#include "src/core/error.hpp"
#include "src/core/text/ascii.hpp"
#include "src/core/text/near_names.hpp"

namespace atl::io {
namespace {

constexpr std::size_t least_columns = 3;
constexpr std::uint32_t yes = 1;  ///< the code
constexpr std::string_view separators = one_hot_separators;

bool says_yes_or_no(const Conclusion& column) {
  const Attribute& attribute = column.attribute;
  if (!column.ignored.empty() || attribute.role == AttributeRole::target || attribute.has_missing ||
      attribute.distinct() != 2) {
    return false;
  }
  if (attribute.kind == AttributeKind::numeric) return attribute.low == std::vector<double>{0, 1};
  if (attribute.kind != AttributeKind::nominal) return false;
  const CellAnswer first = answer_in(attribute.labels[0]);
  const CellAnswer second = answer_in(attribute.labels[1]);
  return first.answer == Answer::no && second.answer == Answer::yes && first.words == second.words;
}

/// Lengths of the beginnings of a name that others may have, too.
std::vector<std::size_t> beginnings(const std::string& name) {
  constexpr std::size_t longest_name = 1024;  // all of them are kept
  if (name.size() > longest_name) return {};
  const std::size_t number =
      name.size() - static_cast<std::size_t>(
                        std::find_if_not(name.rbegin(), name.rend(), is_digit) - name.rbegin());
  std::vector<std::size_t> lengths;
  for (std::size_t length = 1; length < name.size(); ++length) {
    const bool separated = separators.find(name[length - 1]) != std::string_view::npos;
    if (separated || length == number) lengths.push_back(length);
  }
  return lengths;
}

/// A group by names and numbers of rows, which the rows have yet to confirm.
struct Suspect {
  std::string beginning;
  std::vector<std::size_t> columns;  ///< ascending
  std::string refuted;               ///< by which row; empty if by none
};

std::vector<Suspect> find_suspects(const FirstPass& pass) {
  std::map<std::string, std::vector<std::size_t>> by_beginning;
  for (std::size_t i = 0; i < pass.columns.size(); ++i) {
    if (!says_yes_or_no(pass.columns[i])) continue;
    const std::string& name = pass.columns[i].column.name;
    for (const std::size_t length : beginnings(name)) {
      by_beginning[name.substr(0, length)].push_back(i);
    }
  }
  std::vector<Suspect> suspects;
  for (auto& [beginning, columns] : by_beginning) {
    std::uint64_t rows = 0;
    for (const std::size_t i : columns) rows += pass.columns[i].attribute.counts[yes];
    const bool named = beginning.find_first_not_of(separators) != std::string::npos;
    if (named && columns.size() >= least_columns && rows == pass.rows) {
      suspects.push_back({beginning, std::move(columns), {}});
    }
  }
  std::stable_sort(suspects.begin(), suspects.end(), [](const Suspect& a, const Suspect& b) {
    return a.beginning.size() > b.beginning.size();
  });
  return suspects;
}

/// Looks at all rows.
void try_to_refute(std::vector<Suspect>& suspects, const FirstPass& pass,
                   const InputTables& tables) {
  RowBlock block;
  std::vector<std::uint32_t> codes, said;
  for (std::size_t input = 0; input < tables.size(); ++input) {
    const auto reader = tables.open(input);
    while (reader->next(block)) {
      codes.resize(block.rows);
      for (Suspect& suspect : suspects) {
        if (!suspect.refuted.empty()) continue;
        said.assign(block.rows, 0);
        for (const std::size_t i : suspect.columns) {
          pass.columns[i].coder.code(block, i, pass.columns.size(), 0, block.rows, codes.data(),
                                     tables.name(input));
          for (std::size_t row = 0; row < block.rows; ++row) said[row] += codes[row];
        }
        const auto other =
            std::find_if(said.begin(), said.end(), [](std::uint32_t times) { return times != 1; });
        if (other == said.end()) continue;
        const auto row = static_cast<std::size_t>(other - said.begin());
        suspect.refuted = std::to_string(*other) + " of them in line " +
                          std::to_string(block.lines[row]) + " of " + tables.name(input);
      }
    }
  }
}

std::string names_of(const Suspect& suspect, const FirstPass& pass) {
  std::vector<std::string> names;
  for (const std::size_t i : suspect.columns)
    names.push_back(in_quotes(pass.columns[i].column.name));
  return counted(names.size(), "column") + " " + listed(names);
}

OneHotGroup group_of(const Suspect& suspect, const FirstPass& pass) {
  std::map<std::string, std::size_t> by_label;
  for (const std::size_t i : suspect.columns) {
    by_label.emplace(pass.columns[i].column.name.substr(suspect.beginning.size()), i);
  }
  OneHotGroup group;
  group.name = suspect.beginning.substr(0, suspect.beginning.find_last_not_of(separators) + 1);
  for (const auto& [label, column] : by_label) {
    group.labels.push_back(label);
    group.columns.push_back(column);
  }
  return group;
}

}  // namespace

std::vector<OneHotGroup> find_one_hot_groups(const FirstPass& pass, const InputTables& tables,
                                             const Report& report) {
  std::vector<Suspect> suspects = find_suspects(pass);
  if (!suspects.empty()) try_to_refute(suspects, pass, tables);
  std::set<std::string> names;
  for (const Conclusion& column : pass.columns) names.insert(column.column.name);
  std::vector<OneHotGroup> groups;
  std::set<std::size_t> taken;
  for (const Suspect& suspect : suspects) {
    const bool overlaps = std::any_of(suspect.columns.begin(), suspect.columns.end(),
                                      [&](std::size_t i) { return taken.count(i) > 0; });
    if (overlaps) continue;
    const std::string columns = names_of(suspect, pass);
    if (!suspect.refuted.empty()) {
      report(Severity::info, columns + " are not one-hot, " + suspect.refuted + " say yes");
      continue;
    }
    OneHotGroup group = group_of(suspect, pass);
    if (!names.insert(group.name).second) {
      report(Severity::info,
             columns + " are one-hot, but there is a column " + in_quotes(group.name) + " already");
      continue;
    }
    report(Severity::info, columns + " are one-hot, folded into " + in_quotes(group.name));
    taken.insert(group.columns.begin(), group.columns.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

namespace {

/// Labels become codes of yes and no. @return a label that is neither, if there is one
std::optional<std::string> code_yes_and_no(Conclusion& column) {
  Attribute& attribute = column.attribute;
  if (attribute.has_missing) return "no value";
  std::vector<std::uint32_t> codes;  // [labels]
  std::vector<std::uint64_t> counts(2, 0);
  for (std::uint32_t label = 0; label < attribute.distinct(); ++label) {
    const Answer answer = answer_in(attribute.labels[label]).answer;
    if (answer != Answer::yes && answer != Answer::no) return in_quotes(attribute.labels[label]);
    codes.push_back(answer == Answer::yes ? yes : 0);
    counts[codes.back()] += attribute.counts[label];
  }
  attribute.counts = std::move(counts);
  for (std::uint32_t& code : column.coder.codes) {
    if (code < codes.size()) code = codes[code];
  }
  return std::nullopt;
}

}  // namespace

std::vector<OneHotGroup> fold_again(FirstPass& pass, const InputTables& tables,
                                    const ImportOptions& options) {
  std::vector<std::string> names;
  for (const Conclusion& column : pass.columns) names.push_back(column.column.name);
  std::vector<OneHotGroup> groups = folded_before(names, options.needed);
  for (const OneHotGroup& group : groups) {
    const auto fail = [&](const std::string& problem) {
      throw BadData(tables.name(0), missing_column(group.name, {}) +
                                        "; nor are the columns that begin so one-hot: " + problem);
    };
    for (const std::size_t i : group.columns) {
      const auto neither = code_yes_and_no(pass.columns[i]);
      if (neither) fail(in_quotes(names[i]) + " has " + *neither + ", expected yes or no");
    }
    std::vector<Suspect> suspects = {{group.name, group.columns, {}}};
    try_to_refute(suspects, pass, tables);
    if (!suspects.front().refuted.empty()) fail(suspects.front().refuted + " say yes, expected 1");
  }
  return groups;
}

Attribute folded(const OneHotGroup& group, const FirstPass& pass) {
  Attribute attribute;
  attribute.name = group.name;
  attribute.kind = AttributeKind::nominal;
  attribute.labels = group.labels;
  for (const std::size_t i : group.columns) {
    attribute.counts.push_back(pass.columns[i].attribute.counts[yes]);
  }
  attribute.exact_distinct = group.labels.size();
  return attribute;
}

void code_columns(const std::vector<PlacedCoder>& columns, const RowBlock& block,
                  std::size_t block_columns, std::size_t first, std::size_t count,
                  std::uint32_t* out, const std::string& file) {
  const auto code = [&](const PlacedCoder& column, std::uint32_t* into) {
    column.coder.code(block, column.place, block_columns, first, count, into, file);
  };
  if (columns.size() == 1) {
    code(columns.front(), out);
    return;
  }
  const auto none = static_cast<std::uint32_t>(columns.size());
  std::fill_n(out, count, none);
  std::vector<std::uint32_t> said(count);
  for (std::uint32_t label = 0; label < none; ++label) {
    code(columns[label], said.data());
    for (std::size_t row = 0; row < count; ++row) {
      if (said[row] != yes) continue;
      if (out[row] != none) throw IoError(file, "changed while it was read");
      out[row] = label;
    }
  }
  if (std::find(out, out + count, none) != out + count) {
    throw IoError(file, "changed while it was read");
  }
}

}  // namespace atl::io
