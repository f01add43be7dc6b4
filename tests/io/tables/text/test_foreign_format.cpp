#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/tables/text/foreign_format.hpp"

namespace atl::io::test {
namespace {

using namespace std::string_literals;

/// The name alone.
std::string format_of(const std::string& bytes) {
  const auto found = foreign_format(bytes);
  return found ? found->substr(0, found->find(", expected a text table; ")) : "";
}

/// An archive with such entries, whose contents are of no matter.
std::string zip(const std::vector<std::string>& names) {
  std::string archive;
  for (const std::string& name : names) {
    archive += "PK\x03\x04\x14"s + std::string(21, '\0') + static_cast<char>(name.size()) +
               std::string(3, '\0') + name + "packed\1\2";
  }
  return archive;
}

TEST(ForeignFormat, IsToldWithWhatToDo) {
  EXPECT_EQ(foreign_format("PAR1\x15\x04\x15\x80"s),
            "a Parquet file, expected a text table; in pandas: "
            "pd.read_parquet(FILE).to_csv('data.csv', index=False)");
  EXPECT_EQ(foreign_format("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"s + std::string(504, '\0')),
            "an Excel workbook of the old kind (.xls), expected a text table; save the sheet as "
            "CSV, or in pandas: pd.read_excel(FILE).to_csv('data.csv', index=False)");
  EXPECT_EQ(format_of("r\2\1\0\3\0\2\0"s), "a Stata file") << "as pandas writes it";
  EXPECT_EQ(foreign_format("{\"a\": 1, \"b\": \"x\"}\n{\"a\": 2, \"b\": \"y\"}\n"),
            "JSON lines, expected a text table; in pandas: "
            "pd.read_json(FILE, lines=True).to_csv('data.csv', index=False)");
}

TEST(ForeignFormat, TellsArchivesByTheirEntries) {
  EXPECT_EQ(format_of("PK\x03\x04"s + std::string(26, '\x01') + "[Content_Types].xml\x01"),
            "an Excel workbook");
  EXPECT_EQ(format_of(zip({"xl/workbook.xml", "[Content_Types].xml"})), "an Excel workbook");
  EXPECT_EQ(format_of(zip({"_rels/.rels", "docProps/app.xml", "xl/workbook.xml"})),
            "an Excel workbook");
  EXPECT_EQ(format_of(zip({"[Content_Types].xml", "word/document.xml"})), "a Word document");
  EXPECT_EQ(format_of(zip({"content.xml", "META-INF/manifest.xml"})), "an OpenDocument file");
  EXPECT_EQ(format_of(zip({"arr_0.npy"})), "a NumPy archive (.npz)");
  EXPECT_EQ(format_of(zip({"data.csv"})), "a zip archive");
}

TEST(ForeignFormat, TellsBinaryTables) {
  EXPECT_EQ(format_of("ARROW1\0\0\xFF\xFF"s), "an Arrow (Feather) file");
  EXPECT_EQ(format_of("FEA1\0\0"s), "a Feather file");
  EXPECT_EQ(format_of("\xFF\xFF\xFF\xFF\x10\x01\0\0\x10\0\0\0"s), "an Arrow stream");
  EXPECT_EQ(format_of("\x93NUMPY\1\0v\0"s), "a NumPy file");
  EXPECT_EQ(format_of("\x28\xB5\x2F\xFD\x24\0"s), "compressed twice");
  EXPECT_EQ(format_of("BZh91AY&SY\0\xFF"s), "compressed twice");
  EXPECT_EQ(format_of("\x78\x9C\x01\x02"s), "compressed with zlib, as joblib does");
}

TEST(ForeignFormat, TellsPicklesOfAllProtocols) {
  for (const std::string& start :
       {"ccopy_reg\n_reconstructor\np0\n(cpandas.core.frame\n"s, "(lp0\nI1\naI2\na."s,
        "(dp0\nVa\np1\n"s, "cpandas.core.frame\nDataFrame\np0\n"s, "]q\0(K\1K\2e."s, "}q\0X\1\0"s,
        "\x80\x02]q\0"s, "\x80\x03]q\0"s, "\x80\x04\x95\x1F\0"s, "\x80\x05\x95\x1F\0"s}) {
    EXPECT_EQ(format_of(start), "a pickle of Python") << start;
  }
}

TEST(ForeignFormat, TellsTextThatIsNoTable) {
  EXPECT_EQ(format_of("{\"a\": 1}\n"), "JSON");
  EXPECT_EQ(format_of("\xEF\xBB\xBF{\"a\": 1}\r\n{\"a\": 2}\r\n"), "JSON lines");
  EXPECT_EQ(format_of("[1, \"x\"]\n[2, \"y\"]\n"), "JSON lines");
  EXPECT_EQ(format_of("  [\n  {\"a\": 1, \"b\": [2, nu"), "JSON");
  EXPECT_EQ(format_of("{\n \"a\": 1\n}\n{\n \"a\": 2\n}\n"), "JSON lines");
  EXPECT_EQ(format_of("{\"a\": \"" + std::string(70000, 'x')), "JSON");
  EXPECT_EQ(format_of("{'a': 1, 'b': 'x'}\n{'a': 2}\n"), "lines of Python's dictionaries");
  EXPECT_EQ(format_of("<!DOCTYPE HTML>\n<html>"), "an HTML page");
  EXPECT_EQ(format_of("<html lang='en'>\n<head>"), "an HTML page");
  EXPECT_EQ(format_of("\n<!-- x -->\n<table border=1><tr>"), "an HTML page");
  EXPECT_EQ(format_of("<?xml version='1.0'?>\n<data>"), "XML");
  EXPECT_EQ(format_of("<data>\n <row>\n  <a>1</a>"), "XML");
  EXPECT_EQ(format_of("<?xml version='1.0'?>\n<?mso-application progid=\"Excel.Sheet\"?>"),
            "an Excel workbook in XML");
  EXPECT_EQ(format_of("| a | b |\n|---|:--|\n| 1 | x |\n"), "a table in Markdown");
  EXPECT_EQ(format_of("INSERT INTO t VALUES (1,'a');\n"), "SQL");
  EXPECT_EQ(format_of("+1 1:0.5 3:1\n-1 2:0.1 3:1\n"), "in the form of SVMlight and LIBSVM");
  EXPECT_EQ(format_of("version https://git-lfs.github.com/spec/v1\n"), "a pointer of Git LFS");
  EXPECT_EQ(foreign_format("{\"a\": 1}\n", "{\"a\": 1}\n", true), std::nullopt);
}

TEST(ForeignFormat, ATableMayBeginLikeAnother) {
  for (const std::string& text : {"{,y\n{,1\n"s,
                                  "[1;5\n[2;6\n"s,
                                  "[1,5),x\n[5,9),y\n"s,
                                  "\"[1,5)\",x\n"s,
                                  "[1]\n2\n[1]\n"s,
                                  "{\"a\"},y\nq,1\n"s,
                                  "{\"a\": 1}\tq\n{\"a\": 2}\tr\n"s,
                                  "{a b},x\n{c},y\n"s,
                                  "<5,y\n<9,2\n"s,
                                  "<low>,y\n<low>,1\n"s,
                                  "<low>\n<high>\n<low>\n"s,
                                  "<table>,y\n<x>,2\n"s,
                                  "<html>,<head>\nx,1\n"s,
                                  "| a | b |\n| 1 | x |\n"s,
                                  "(lp0,x\n1,2\n"s,
                                  "1 10:30\n2 11:45\n"s,
                                  "insert into,x\n1,2\n"s,
                                  "x^2,y\n1,2\n"s,
                                  "x^2,gr\xF6\xDF"s + "e\n1,2\n"s,
                                  "PAR1,gr\xF6\xDF"s + "e\n1,2\n"s,
                                  "{'a',x\n1,2\n"s,
                                  "[\nx\n[\n"s,
                                  "{}\nx\n"s}) {
    EXPECT_EQ(foreign_format(text), std::nullopt) << text;
  }
}

TEST(ForeignFormat, WhatMayBeTextIsNone) {
  EXPECT_EQ(foreign_format(""), std::nullopt);
  EXPECT_EQ(foreign_format("a"), std::nullopt);
  EXPECT_EQ(foreign_format("PAR1,PAR2\r\n1,2\r\n"), std::nullopt);
  EXPECT_EQ(foreign_format("BZh,\xC3\xA4\n1,2\n"), std::nullopt);
  // The block ends within a letter.
  EXPECT_EQ(foreign_format("ORC,price\n1,\xE2\x82"), std::nullopt);
  EXPECT_EQ(foreign_format("% a comment of ARFF\n@relation r\n"), std::nullopt);
  // The readers tell where.
  EXPECT_EQ(foreign_format("a,b\n\0,1\n"s), std::nullopt);
}

}  // namespace
}  // namespace atl::io::test
