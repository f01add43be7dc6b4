"""Tables as people have them: the files of odd_files/, what each holds, and what Atoll has to say about it.

test_odd_files.py imports them, and scripts/compare-readers gives them to other programs, too. A column that
Atoll leaves out is listed with the reason. Where a file can be read with an option only, `options` has it,
and `by_default` what Atoll says without it."""

import dataclasses
import pathlib
import typing

FOLDER = pathlib.Path(__file__).resolve().parent / "odd_files"


@dataclasses.dataclass(frozen=True)
class Column:
    name: str
    kinds: tuple  # of Atoll first, then others that are right, too
    missing: tuple = (0,)  # likewise
    distinct: typing.Optional[int] = None  # None: not compared
    made_up: bool = False  # the file has no such name; other programs make up others
    left_out: str = ""  # by Atoll, for this reason


@dataclasses.dataclass(frozen=True)
class OddFile:
    name: str
    what: str
    rows: typing.Optional[int]  # None: no table, must be refused
    columns: tuple = ()
    says: tuple = ()  # in what stderr has when the file is read
    options: tuple = ()  # without which Atoll does not read it in this way
    refused: str = ""  # in the one line that refuses it, by default
    by_default: str = ""  # in what stderr has if it is read otherwise without the options


def number(name, distinct=None, missing=(0,), **more):
    return Column(name, ("numeric",), missing, distinct, **more)


def labels(name, distinct=None, missing=(0,), **more):
    return Column(name, ("nominal",), missing, distinct, **more)


def either(name, kinds, distinct=None, missing=(0,), **more):
    return Column(name, kinds, missing, distinct, **more)


def empty(name, rows):
    """A column without a name and without a value. A reader may as well leave it out."""
    return Column(name, ("any",), (rows,), made_up=True, left_out="all missing")


ROW_NAMES = Column("column_1", ("any",), made_up=True, left_out="identifier-like")
XKY = (number("x", 29), number("k", 8), labels("y", 2))
X_IS_READ = ("'x' is read as numbers",)


def without(words, missing):
    """Columns of which x has so many rows with one of the words, and what Atoll says of them."""
    return (number("x", missing=missing), *XKY[1:]), ("'x': ",) + tuple(f"'{word}'" for word in words)


def no_value(name, what, missing, *words):
    columns, says = without(words, missing)
    return OddFile(name, what, 30, columns, says)


NAMES = [
    OddFile("names_and_numbers.csv", "some of the names are numbers", 30,
            (labels("target", 2), number("age", 8), number("1", 2), number("2", 2), number("3", 2),
             number("income", 29))),
    OddFile("index_of_pandas.csv", "`df.to_csv()` of a matrix: names `,0,1,2,y`", 30,
            (ROW_NAMES, number("0"), number("1"), number("2"), labels("y", 2)), says=("'column_1'",)),
    OddFile("genes.csv", "names such as `1053`", 30,
            (labels("sample", 10), number("1007_s_at"), number("1053", 8), number("117"), labels("class", 2))),
    OddFile("ranges_as_names.csv", "names `0-9`, `10-19`, `20+`, `2e3`", 30,
            (labels("survey", 6), number("0-9", 8), number("10-19", 8), number("20+", 5), number("2e3"),
             labels("label", 2))),
    OddFile("header_of_years.csv", "years as names", 3,
            (labels("region", 3), number("2021", 3), number("2022", 3), number("2023", 3))),
    OddFile("years_above_numbers.csv", "nothing but years above numbers", 30,
            (number("1990", 29), number("2000", 8), number("2010"))),
    OddFile("year_above_labels.csv", "a year as a name above labels", 3, (labels("city", 3), labels("2020", 2)),
            says=("as nothing tells otherwise",)),
    OddFile("numbers_above_labels.csv", "names `1,2,class` above labels", 3,
            (labels("1", 2), labels("2", 2), labels("class", 2))),
    OddFile("counted_names.csv", "names `0,1,2` above 30 rows of numbers, some of them 1", 30,
            (number("0", 29), number("1", 8), number("2", 2))),
    OddFile("counted_names_short.csv", "the same above 3 rows", 3, (number("0", 3), number("1", 2), number("2", 3))),
    OddFile("no_header.csv", "no names", 30,
            (number("column_1", 29, made_up=True), number("column_2", 8, made_up=True),
             labels("column_3", 2, made_up=True)),
            says=("no header",)),
    OddFile("no_header_numbers.csv", "no names, nothing but numbers", 30,
            (number("column_1", 29, made_up=True), number("column_2", 8, made_up=True),
             number("column_3", 28, made_up=True), number("column_4", 2, made_up=True)), says=("no header",)),
    OddFile("labels_only.csv", "names above labels", 4, (labels("name", 4), labels("city", 3), labels("grade", 2)),
            says=("as nothing tells otherwise",)),
    OddFile("semicolon_at_line_ends.csv", "`;` between fields and at the end of each line", 4,
            (labels("name", 4), labels("city", 3), labels("grade", 2), empty("column_4", 4)), says=("'column_4'",)),
    OddFile("column_without_name.csv", "a column without a name and values", 3,
            (labels("name", 3), empty("column_2", 3), labels("grade", 2)), says=("'column_2'",)),
    OddFile("empty_names.csv", "names `,,y`", 30,
            (number("column_1", 29, made_up=True), number("column_2", 8, made_up=True), labels("y", 2)),
            says=("'column_1'", "'column_2'")),
    OddFile("repeated_names.csv", "names `x,x,y`", 30,
            (number("x", 29), number("x_2", 8, made_up=True), labels("y", 2)), says=("'x_2'",)),
    OddFile("header_again.csv", "two files joined by `cat`: the names again in line 17", 30, XKY, says=("line 17",)),
    OddFile("r_row_names.csv", "R's `write.table(sep = ',')`: one name fewer than columns", 30, (ROW_NAMES, *XKY),
            says=("one name fewer than columns", "'column_1'")),
    OddFile("r_write_csv.csv", "R's `write.csv`: the first name is empty", 30, (ROW_NAMES, *XKY), says=("'column_1'",)),
]

OTHER_LINES = [
    OddFile("sep_line_decimal_comma.csv", "Excel's `sep=;` above, and `3,14`", 30, XKY,
            says=("line 1 above", *X_IS_READ)),
    OddFile("title_above.csv", "a title and an empty line above", 3,
            (labels("region", 3), number("units", 3), labels("class", 2)), says=("lines 1 to 2 above", "'Sales 2020'")),
    OddFile("title_of_two_fields.csv", "a title above with a comma in it", 30, XKY, refused="title_of_two_fields.csv:"),
    OddFile("comments_above.csv", "lines above that begin with `#`", 30, XKY,
            says=("lines 1 to 2 above", "line 3 holds")),
    OddFile("comment_of_names.csv", "names `#x,k,y`", 30, XKY),
    OddFile("comments_between.csv", "`# part 5` between rows", 30, XKY, refused="comments_between.csv:7:"),
    OddFile("blank_lines.csv", "empty lines between rows", 30, XKY),
    OddFile("total_row.csv", "`Total` in the last row", 30,
            (number("x", missing=(1,)), number("k"), labels("y", 2, (1,))),
            options=("--missing", "Total"), by_default="'Total' in line 31 is not a number"),
    OddFile("note_below.csv", "a note below the table", 30, XKY, refused="note_below.csv:33:"),
]

FIELDS = [
    OddFile("blanks_between.txt", "a blank between fields", 30, XKY, options=("--delimiter", " "),
            refused="blanks_between.txt"),
    OddFile("r_write_table.txt", "R's `write.table`: blanks, and one name fewer", 30, (ROW_NAMES, *XKY),
            says=("one name fewer than columns", "delimiter blank")),
    OddFile("pipes_between.txt", "`|` between fields", 30, XKY, says=("delimiter '|'",)),
    OddFile("blank_after_comma.csv", "a blank after each comma", 30, XKY),
    OddFile("trailing_comma.csv", "a comma at the end of each line", 30, (*XKY, empty("column_4", 30)),
            says=("'column_4'",)),
    OddFile("trailing_comma_of_rows.csv", "the same, but not behind the names", 30, (*XKY, empty("column_4", 30)),
            says=("'column_4'",)),
    OddFile("semicolons_behind_rows.csv", "`;;` behind each row of `1,2,x`", 3,
            (number("a", 3), number("b", 2), labels("c", 2)), refused="';;' behind each row"),
    OddFile("row_too_short.csv", "a row with a field too few", 30, (*XKY[:2], labels("y", 2, (1,))),
            refused="row_too_short.csv:22:"),
    OddFile("row_too_long.csv", "a row with a field too many", None, refused="row_too_long.csv:22:"),
    OddFile("single_quotes.csv", "single quotes around fields, and a comma within", 3,
            (number("a", 2), labels("b", 2), labels("c", 2)), says=("single quotes",)),
    OddFile("inch_marks.csv", '`5" pipe` without quotes around it', 30, (XKY[0], labels("size", 8), XKY[2])),
    OddFile("doubled_quotes.csv", '`""` and a comma within quotes', 30, (XKY[0], labels("text", 8), XKY[2])),
    OddFile("line_end_in_quotes.csv", "line ends within quotes", 30, (XKY[0], labels("text", 8), XKY[2])),
    OddFile("cut_off.csv", "ends within quotes", None, refused="cut_off.csv:31:"),
]

NO_VALUE = [
    no_value("none_of_python.csv", "`None` among numbers", (8,), "None"),
    no_value("dashes.csv", "`-` among numbers", (6,), "-"),
    no_value("hash_na_of_excel.csv", "`#N/A` among numbers", (8,), "#N/A"),
    no_value("points_of_sas.csv", "`.` among numbers", (6,), "."),
    no_value("infinity.csv", "`Infinity` among numbers", (8, 0), "Infinity"),
    no_value("nan_of_c.csv", "`1.#IND`, `-nan`, `NaT`, `#DIV/0!` among numbers", (10,),
             "1.#IND", "-nan", "NaT", "#DIV/0!"),
    no_value("none_empty_and_na.csv", "`None`, nothing and `NA` among numbers", (15,), "None"),
    OddFile("word_of_its_own.csv", "`offen` among numbers", 30, without((), (6,))[0], options=("--missing", "offen"),
            by_default="'offen' in line 3 is not a number"),
]

NUMBERS = [
    OddFile("decimal_comma.csv", "R's `write.csv2`: `3,14` between `;`", 30, XKY, says=X_IS_READ),
    OddFile("thousands_and_decimal_comma.csv", "`1.234,50` between `;`", 30, (number("x", 30), *XKY[1:]),
            says=X_IS_READ),
    OddFile("thousands_and_point.csv", "`1,234.50` in quotes", 30, XKY, says=X_IS_READ),
    OddFile("thousands_alone.csv", "`1,234` in quotes, which may be 1234 or 1.234", 30, XKY,
            options=("--decimal", "point"), by_default="'x' is taken as labels: '7,380' in line 2"),
    OddFile("points_alone.csv", "`1.230` in every row, which may be 1.23 or 1230", 30, XKY,
            says=("'x': every point has three digits behind it",)),
    OddFile("minus_signs.csv", "`−5` with the sign that typesetters use", 30, XKY),
    OddFile("percent_signs.csv", "`25%`", 30, (number("x", 8), *XKY[1:]), says=X_IS_READ),
    OddFile("dollar_signs.csv", "`$7.38`", 30, XKY, says=X_IS_READ),
    OddFile("euro_signs.csv", "`7,38 €` between `;`", 30, XKY, says=X_IS_READ),
    OddFile("integers_beyond_2_53.csv", "10 integers that float64 does not tell apart", 30,
            (either("card", ("nominal", "numeric"), 10), *XKY[1:])),
    OddFile("leading_zeros.csv", "codes such as `01003`", 30, (labels("code", 8), *XKY[1:])),
    OddFile("class_in_four_forms.csv", "a class of `0`, `0.0`, `1` and `1.0`", 30,
            (*XKY[:2], number("class", 2))),
    OddFile("identifier_and_constant.csv", "an identifier and a constant", 30,
            (number("id", left_out="identifier-like"), labels("site", left_out="constant"), number("x", 8),
             labels("y", 2)),
            says=("'id' (identifier-like)", "'site' (constant)")),
    OddFile("rising_prices.csv", "integers that all differ and rise", 30,
            (number("rooms", 8), number("price", left_out="identifier-like")), says=("'price' (identifier-like)",)),
    OddFile("dates_of_germany.csv", "dates such as `31.03.2024`", 30,
            (either("day", ("nominal", "date"), 28), *XKY[1:])),
    OddFile("dates_and_times_mixed.csv", "one date with a time among dates", 30,
            (either("when", ("nominal", "date"), 28), *XKY[1:]), options=("--nominal", "when"),
            refused="dates_and_times_mixed.csv:22:1:"),
]

BYTES = [
    OddFile("utf16_of_excel.txt", 'Excel\'s "Unicode text": UTF-16, tabs', 30, (*XKY[:2], labels("ville", 2)),
            says=("delimiter tab",)),
    OddFile("utf8_mark.csv", "UTF-8 with a mark, CR LF", 30, XKY),
    OddFile("latin1.csv", "ISO 8859-1", 30, (*XKY[:2], labels("ville", 2)), options=("--encoding", "latin1"),
            refused="latin1.csv:2:"),
    OddFile("cr_only.csv", "lines that end in CR alone", 30, XKY, says=("carriage returns alone",)),
    OddFile("cr_cr_lf.csv", "lines that end in CR CR LF", 30, XKY, refused="cr_cr_lf.csv:1:"),
    OddFile("nul_byte.csv", "a NUL byte", None, refused="nul_byte.csv:4:"),
    OddFile("packed.csv.gz", "packed by gzip", 30, XKY),
    OddFile("packed.csv.bz2", "packed by bzip2", 30, XKY),
    OddFile("packed.csv.zst", "packed by zstd", 30, XKY),
]

NO_TABLES = [
    OddFile("json_lines.ndjson", "JSON lines", None, refused="JSON lines"),
    OddFile("web_page.xls", "a page of HTML that is named a workbook", None, refused="HTML"),
    OddFile("workbook.xlsx", "a workbook", None, refused="Excel workbook"),
]

ARFF = [
    OddFile("comments_after_attributes.arff", "comments after attributes", 3, (number("a", 2), labels("label", 2))),
    OddFile("comments_after_rows.arff", "comments after rows", 4, (number("a", 4), labels("s", 2))),
    OddFile("percent_in_quotes.arff", "`%` within quotes", 3, (number("a", 2), labels("s", 2))),
    OddFile("blanks_between.arff", "blanks between fields", 4,
            (number("rep", 2), number("fold", missing=(1,)), labels("kind", 2))),
    OddFile("tabs_between.arff", "tabs between fields", 3, (number("a", 3), number("b", 2), labels("kind", 2))),
    OddFile("comma_at_line_ends.arff", "a comma at the end of each row", 3,
            (number("a", 3), number("b", 2), labels("kind", 2))),
    OddFile("integer_with_range.arff", "`INTEGER [0,9]`, blanks before labels", 4,
            (number("legs", 3), labels("type", 3))),
    OddFile("dates.arff", "a date with a format", 3, (Column("when", ("date-time", "date"), (1,), 2), labels("y", 2))),
    OddFile("list_over_lines.arff", "a list of labels over two lines", None, refused="list_over_lines.arff:2:"),
]

FILES = NAMES + OTHER_LINES + FIELDS + NO_VALUE + NUMBERS + BYTES + NO_TABLES + ARFF
