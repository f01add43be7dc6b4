#include <gtest/gtest.h>

#include "src/core/error.hpp"
#include "src/run/data/text_form.hpp"
#include "tests/core/message_of.hpp"

namespace atl {
namespace {

using Words = std::vector<std::string>;

TextForm of_run() {
  TextForm form;
  form.format = "csv";
  form.delimiter = "|";
  form.header = false;
  form.encoding = "latin1";
  form.missing = Words{"none"};
  form.decimal = "comma";
  form.nominal = Words{"code"};
  form.schema = "";
  return form;
}

TEST(TextForm, OtherTextsHaveTheWordsOfTheRunAndTheirOwnForm) {
  const TextForm form = or_as_of_run({}, of_run());
  EXPECT_EQ(form.missing, Words{"none"});
  EXPECT_EQ(form.decimal, "comma");
  EXPECT_EQ(form.schema, "");
  EXPECT_EQ(form.encoding_otherwise, "latin1");
  EXPECT_FALSE(form.format || form.delimiter || form.header || form.encoding || form.nominal);
}

TEST(TextForm, WhatIsGivenComesOnTopOrFirst) {
  TextForm given;
  given.missing = Words{"void"};
  given.decimal = "point";
  const TextForm both = or_as_of_run(given, of_run());
  EXPECT_EQ(both.missing, (Words{"none", "void"}));
  EXPECT_EQ(both.decimal, "point");
  given.missing_only = Words{"x"};
  EXPECT_EQ(or_as_of_run(given, of_run()).missing, Words{"void"});
}

TEST(TextForm, TransactionsAreInTheFormOfThoseOfTheRun) {
  TextForm run;
  run.format = "baskets";
  run.delimiter = ",";
  EXPECT_EQ(or_as_of_run({}, run).delimiter, ",");
  TextForm given;
  given.format = "fimi";
  EXPECT_EQ(or_as_of_run(given, run).format, "fimi");
  EXPECT_FALSE(or_as_of_run(given, run).delimiter);
  EXPECT_FALSE(or_as_of_run(given, of_run()).missing);
}

TEST(TextForm, MessagesNameTheOptionsOfTheCommand) {
  TextForm form;
  form.options = "--on-";
  form.decimal = "dot";
  EXPECT_EQ(message_of([&] { expect_text_form(form); }),
            "--on-decimal: 'dot' is none of auto, point, comma, plain");
  form.decimal.reset();
  form.format = "fimi";
  form.delimiter = ",";
  EXPECT_EQ(message_of([&] { expect_text_form(form); }),
            "--on-delimiter is of baskets and long, and of onehot");
  form.delimiter.reset();
  form.missing = Words{"x"};
  EXPECT_EQ(message_of([&] { expect_text_form(form); }),
            "--on-missing is of tables, not of transactions");
}

TEST(TextForm, SaysAllOfATable) {
  TextForm form = of_run();
  form.schema.reset();
  form.ignore = Words{"id"};
  form.decimal = ",";
  io::ImportOptions options;
  set_table_form(form, options);
  EXPECT_EQ(options.format, io::TextFormat::csv);
  EXPECT_EQ(options.delimiter, '|');
  EXPECT_EQ(options.header, false);
  EXPECT_EQ(options.encoding, "latin1");
  EXPECT_EQ(options.missing, Words{"none"});
  EXPECT_EQ(options.decimal, io::DecimalMark::comma);
  EXPECT_EQ(options.nominal, Words{"code"});
  EXPECT_EQ(options.ignore, Words{"id"});
}

}  // namespace
}  // namespace atl
