#include "io/tables/columns/schema.hpp"
#include "tests/io/import_support.hpp"

namespace atl::io::test {
namespace {

std::string failure(const std::string& toml) {
  return message_of<BadCell>([&] { parse_schema(toml, "s.toml"); });
}

TEST(Schema, IsWrittenToBeReadByPeople) {
  Column size;
  size.name = "size \"x\"";
  size.kind = AttributeKind::ordinal;
  size.role = ColumnRole::target;
  size.missing = {"", "?"};
  size.order = {"small", "large"};
  size.reason = "ordinal by\nthe schema";
  const std::string toml = to_toml({{size}});
  EXPECT_EQ(toml.substr(toml.find("\n\n") + 2),
            "# ordinal by\\x0athe schema\n[[column]]\nname = \"size \\\"x\\\"\"\n"
            "kind = \"ordinal\"\nrole = \"target\"\nmissing = [\"\", \"?\"]\n"
            "order = [\"small\", \"large\"]\n");
}

TEST(Schema, ReadsBackWhatItWrites) {
  Schema schema;
  const std::string awkward = "tab\t, line\nfeed, \x01 \x7F \\ \" caf\xC3\xA9";
  for (const auto kind : {AttributeKind::numeric, AttributeKind::nominal, AttributeKind::ordinal}) {
    for (const auto role : {ColumnRole::input, ColumnRole::target, ColumnRole::ignore}) {
      Column column;
      column.name = awkward + std::to_string(schema.columns.size());
      column.kind = kind;
      column.role = role;
      column.missing = {awkward, "NA"};
      if (kind == AttributeKind::ordinal) column.order = {awkward, "b"};
      schema.columns.push_back(column);
    }
  }
  const Schema read = parse_schema(to_toml(schema), "s.toml");
  ASSERT_EQ(read.columns.size(), schema.columns.size());
  for (std::size_t i = 0; i < read.columns.size(); ++i) {
    EXPECT_EQ(read.columns[i].name, schema.columns[i].name);
    EXPECT_EQ(read.columns[i].kind, schema.columns[i].kind);
    EXPECT_EQ(read.columns[i].role, schema.columns[i].role);
    EXPECT_EQ(read.columns[i].missing, schema.columns[i].missing);
    EXPECT_EQ(read.columns[i].order, schema.columns[i].order);
  }
}

TEST(Schema, AFormatTellsTheKindOfDates) {
  const std::string column = "[[column]]\nname = 'a'\n";
  const auto kind = [&](const std::string& format) {
    return parse_schema(column + "format = '" + format + "'\n", "s.toml").columns[0].kind;
  };
  EXPECT_EQ(kind("%d.%m.%Y"), AttributeKind::date);
  EXPECT_EQ(kind("%d.%m.%Y %H:%M"), AttributeKind::date_time);
  EXPECT_EQ(kind("%d.%m.%Y %H:%M %z"), AttributeKind::date_time_utc);
  const Schema read =
      parse_schema(column + "kind = 'date'\nformat = '%d \\ \"%m\" %Y'\n", "s.toml");
  EXPECT_EQ(read.columns[0].format, "%d \\ \"%m\" %Y");
  EXPECT_EQ(parse_schema(to_toml(read), "s.toml").columns[0].format, read.columns[0].format);
  EXPECT_EQ(failure(column + "kind = 'date-time'\nformat = '%d.%m.%Y'\n"),
            "s.toml:4:10: found '%d.%m.%Y', expected kind = \"date\", as this format has (column "
            "'a')");
  EXPECT_EQ(failure(column + "format = '%d.%m.'\n"),
            "s.toml:3:10: found '%d.%m.', expected a year (%Y or %y), a month (%m or %b) and a day "
            "(%d) (column 'a')");
  EXPECT_EQ(failure(column + "kind = 'date'\norder = ['1']\n"),
            "s.toml:4:9: found 'order', expected no order for a date column (column 'a')");
}

TEST(Schema, DefaultsRoleAndMissing) {
  const Schema schema = parse_schema("[[column]]\nname='a'\nkind='numeric'\n", "s.toml");
  EXPECT_EQ(schema.columns[0].role, ColumnRole::input);
  EXPECT_EQ(schema.columns[0].missing, default_missing);
}

TEST(Schema, LeavesTheKindOpen) {
  const Schema schema = parse_schema("[[column]]\nname='a'\nrole='ignore'\n", "s.toml");
  EXPECT_EQ(schema.columns[0].kind, std::nullopt);
  EXPECT_EQ(schema.columns[0].role, ColumnRole::ignore);
  EXPECT_EQ(to_toml(schema).find("\nkind"), std::string::npos);
  EXPECT_EQ(failure("[[column]]\nname = 'a'\norder = ['x']\n"),
            "s.toml:3:9: found 'order', expected kind = \"ordinal\" or \"nominal\" beside it "
            "(column 'a')");
}

TEST(Schema, IsStrictAndNamesThePlace) {
  const std::string column = "[[column]]\nname = 'a'\n";
  EXPECT_EQ(failure(column + "kind = 'number'\n"),
            "s.toml:3:8: found 'number', expected numeric, nominal, ordinal, date, date-time "
            "or date-time-utc (column 'a')");
  EXPECT_EQ(failure(column + "kind = 'nominal'\nrole = 'class'\n"),
            "s.toml:4:8: found 'class', expected input, target or ignore (column 'a')");
  EXPECT_EQ(
      failure(column + "kind = 'nominal'\nmising = ['?']\n"),
      "s.toml:4:1: found 'mising', expected name, kind, role, missing, order, format or decimal "
      "(column 'a')");
  EXPECT_EQ(failure(column + "kind = 'nominal'\nmissing = '?'\n"),
            "s.toml:4:11: found 'missing', expected a list of strings (column 'a')");
  EXPECT_EQ(failure(column + "kind = 'ordinal'\n"),
            "s.toml:1:1: found 'no order', expected that of an ordinal column's labels, lowest "
            "first (column 'a')");
  EXPECT_EQ(failure(column + "kind = 'ordinal'\norder = ['x', 'y', 'x']\n"),
            "s.toml:4:20: found 'x', expected each label once (column 'a')");
  EXPECT_EQ(failure(column + "kind = 'numeric'\norder = ['1']\n"),
            "s.toml:4:9: found 'order', expected no order for a numeric column (column 'a')");
  EXPECT_EQ(failure(column + "kind = 'nominal'\n" + column + "kind = 'nominal'\n"),
            "s.toml:4:1: found 'a', expected each column once");
  EXPECT_EQ(failure("[[columns]]\n"), "s.toml:1:3: found 'columns', expected [[column]]");
  EXPECT_EQ(failure("column = 3\n"), "s.toml:1:10: found 'column', expected [[column]] tables");
  EXPECT_EQ(failure("[[column]]\nkind = 'nominal'\n"),
            "s.toml:1:1: found 'a column', expected name = \"...\" in it");
  EXPECT_EQ(failure("\n[[=]]\n"), "s.toml:2:3: found '=]]', expected a name after the bracket");
  EXPECT_EQ(failure("# caf\xC3\xA9\n[[column]]\nname = \"\xC3\xA9\"\n\xC3\xA9 = 1\n"),
            "s.toml:4:1: found '\xC3\xA9 = 1', expected quotes around all but ASCII");
  EXPECT_EQ(failure("a = [}\n"),
            "s.toml:1:6: found '}', expected no closing brace without an opening one");
  EXPECT_EQ(message_of<BadData>([] { parse_schema("[[column]\n", "s.toml"); }).substr(0, 13),
            "s.toml:1:10: ");
  EXPECT_EQ(message_of<BadData>([] { parse_schema("", "s.toml"); }),
            "s.toml: has no [[column]], expected one for each column");
}

}  // namespace
}  // namespace atl::io::test
