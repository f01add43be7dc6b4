"""Tables with dates, from the text to the rules."""

import csv
import datetime
import json
import unittest

from harness import EndToEnd, digest

SMALL = ("--generations", 20, "--population", 60, "--target", "paid=*")
DAY = datetime.timedelta(days=1)


def value(attribute, text):
    """What a date of the table or of a rule stands for."""
    if attribute == "day":
        return datetime.date.fromisoformat(text)
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))  # Python 3.9 takes no Z


def holds(comparison, row):
    cell = row[comparison["attribute"]]
    if comparison["values"] == [None]:
        return (cell == "") == (comparison["relation"] == "=")
    if cell == "":
        return False
    if "kind" not in comparison:
        number = isinstance(comparison["values"][0], (int, float))
        cell, values = float(cell) if number else cell, comparison["values"]
    else:
        cell = value(comparison["attribute"], cell)
        values = [value(comparison["attribute"], v) for v in comparison["values"]]
    relation = comparison["relation"]
    if relation in ("in", "not in"):
        return (values[0] <= cell <= values[1]) == (relation == "in")
    return {"=": cell == values[0], "!=": cell != values[0], "<=": cell <= values[0],
            ">": cell > values[0]}[relation]


class Dates(EndToEnd):
    def payments(self, rows=3000, first=datetime.date(1969, 6, 1)):
        """Days before and after 1970 with gaps, times with zones, times without."""
        lines = ["day,seen,local,amount,paid"]
        state = 12345
        start = datetime.datetime.combine(first, datetime.time(), datetime.timezone.utc)
        for row in range(rows):
            state = (state * 1103515245 + 12345) % 2**31
            days, amount, late = state >> 8 & 511, state >> 17 & 63, state >> 4 & 15
            seen = start + days * DAY + datetime.timedelta(minutes=state % 1440)
            zone = datetime.timezone(datetime.timedelta(hours=state % 5 - 2))
            local = seen.replace(tzinfo=None) + datetime.timedelta(microseconds=250_000 * (row % 3))
            paid = "no" if 100 < days <= 220 or late == 0 else "yes"
            day = "" if row % 50 == 7 else str((start + days * DAY).date())
            lines.append(f"{day},{seen.astimezone(zone).isoformat()},{local.isoformat(' ')},{amount},"
                         f"{paid}")
        return "\n".join(lines) + "\n"

    def recount(self, rules, text, of=lambda rule: rule):
        rows = list(csv.DictReader(text.splitlines()))
        for rule in rules:
            left = [all(holds(c, row) for c in rule["antecedent"]) for row in rows]
            right = [all(holds(c, row) for c in rule["consequent"]) for row in rows]
            counts = of(rule)["counts"]
            self.assertEqual(counts["antecedent"], sum(left), rule["rule"])
            self.assertEqual(counts["consequent"], sum(right), rule["rule"])
            self.assertEqual(counts["both"], sum(map(lambda a, b: a and b, left, right)), rule["rule"])

    def test_bounds_are_dates_and_counts_are_right(self):
        text = self.payments()
        self.write("t.csv", text)
        _, err = self.atoll("import", "t.csv", "-o", "t.h5")
        self.assertIn("5 attributes (1 numeric, 1 nominal, 1 date, 1 date-time, 1 date-time-utc)", err)
        out, _ = self.atoll("info", "t.h5")
        self.assertRegex(out, r"\nday +date +510 +60  1969-06-01 to 1970-10-25\n")
        self.assertRegex(out, r"\nseen +date-time-utc .*  1969-06-01T04:49:00Z to 1970-10-25T17:04:00Z\n")
        kinds = [a["kind"] for a in json.loads(self.atoll("info", "t.h5", "--json")[0])["attributes"]]
        self.assertEqual(kinds, ["date", "date-time-utc", "date-time", "numeric", "nominal"])
        self.atoll("mine", "t.h5", "-o", "run", *SMALL)
        rules = json.loads((self.folder / "run" / "rules.json").read_text())
        self.recount(rules, text)
        self.assertRegex(rules[0]["rule"], r"(19(69|70)-\d\d-\d\d)(T[0-9:.]+Z?)?")
        of_kind = {c["kind"] for r in rules for c in r["antecedent"] if "kind" in c}
        self.assertLess(1, len(of_kind))
        self.assertLessEqual(of_kind, {"date", "date-time", "date-time-utc"})
        written = list(csv.DictReader((self.folder / "run" / "rules.csv").read_text().splitlines()))
        self.assertEqual([r["rule"] for r in written],
                         [r["rule"] for r in rules if r["kind"] != "variant"])
        table, _ = self.atoll("rules", "run", "--top", 3)
        self.assertIn(rules[0]["rule"].split(" => ")[0].split(" AND ")[0], table)
        # The text reads back: as a grammar's only comparisons, it finds the same rule.
        first = next(r for r in rules if len(r["antecedent"]) == 1)
        self.write("grammar", '<rule> ::= "{}" => "{}"\n'.format(*first["rule"].split(" => ")))
        self.atoll("mine", "t.h5", "-o", "direct", "--islands", 1, "--generations", 2, "--bounds",
                   "binned", "--max-bins", 0, "--grammar", "grammar")
        again = json.loads((self.folder / "direct" / "rules.json").read_text())
        self.assertEqual([(r["rule"], r["counts"]) for r in again], [(first["rule"], first["counts"])])

    def test_the_same_rules_on_ranks_and_other_data(self):
        text = self.payments()
        self.write("t.csv", text)
        options = SMALL + ("--top", 20, "--exclude", "seen,local")
        self.atoll("mine", "t.csv", "-o", "run", *options)
        other = self.payments(first=datetime.date(1969, 9, 1))
        self.write("other.csv", other)
        for data in ("other.csv", "other.h5"):
            if data == "other.h5":
                self.atoll("import", "other.csv", "-o", "other.h5")
            rules = json.loads(self.atoll("rules", "run", "--on", data, "--format", "json")[0])
            self.assertTrue(any("kind" in c for r in rules for c in r["antecedent"]))
            self.recount(rules, other, of=lambda rule: rule["on"])
            self.recount(rules, text)
        self.write("days.csv", "day,seen,local,amount,paid\n" +
                   "1970-01-01T00:00,1970-01-01T00:00Z,1970-01-01T00:00,3,yes\n" * 3)
        self.fails("rules", "run", "--on", "days.csv", status=65,
                   says="days.csv:2:1: found '1970-01-01T00:00', expected a date such as 2024-03-01, as "
                        "the run says")
        self.atoll("import", "other.csv", "-o", "labels.h5", "--nominal", "day")
        self.fails("rules", "run", "--on", "labels.h5", status=65,
                   says="column 'day' is nominal, the run's rules have date values for it")
        self.need_mpi()
        self.atoll("mine", "t.csv", "-o", "ranks", *options, ranks=2)
        self.assertEqual(digest(self.folder / "ranks"), digest(self.folder / "run"))

    def test_targets(self):
        text = self.payments()
        self.write("t.csv", text)
        self.atoll("import", "t.csv", "-o", "t.h5")
        options = ("--generations", 5, "--population", 40, "--top", 5, "--force")
        for target in ("day > 1970-01-31", "local <= 1970-01-01", 'local <= "1970-01-01 12:00"',
                       "seen > 1970-01-01T12:00+02:00"):
            self.atoll("mine", "t.h5", "-o", "run", "--max-bins", 0, "--target", target, *options)
            rules = json.loads((self.folder / "run" / "rules.json").read_text())
            self.assertTrue(rules)
            self.recount(rules, text)
        for target, says in (
                ("mean(day)", "'day' is date, expected a numeric attribute"),
                ("quantile(seen, 0.9)", "'seen' is date-time-utc, expected a numeric attribute"),
                ("day > soon", "found 'soon', expected a date such as 2024-03-01"),
                ("seen > 1970-01-01T00:00", "expected a time with its zone such as"),
                ("day > 1970-01-31T12:00", "expected a date such as 2024-03-01")):
            self.fails("mine", "t.h5", "-o", "no", "--target", target, status=64, says=says)
        self.fails("mine", "t.h5", "-o", "no", "--max-bins", 8, "--target", "day > 1970-01-31", status=64,
                   says="--max-bins 'day=0' keeps every value")
        _, err = self.atoll("enumerate", "t.csv", "-o", "e.json", status=65)
        self.assertIn("numeric attributes and dates are left out: day, seen, local, amount", err)

    def test_other_formats_by_a_schema(self):
        rows = ["am;betrag"] + [f"{1 + i % 28}.{1 + i % 12}.2024 {i % 24}:05;{i % 7}" for i in range(200)]
        self.write("t.csv", "\n".join(rows) + "\n")
        out, _ = self.atoll("import", "t.csv", "--print-schema")
        self.assertIn('name = "am"\nkind = "nominal"\n', out)
        self.write("s.toml", out.replace('name = "am"\nkind = "nominal"\n',
                                         'name = "am"\nformat = "%d.%m.%Y %H:%M"\n'))
        self.atoll("import", "t.csv", "--schema", "s.toml", "-o", "t.h5")
        out, _ = self.atoll("info", "t.h5")
        self.assertRegex(out, r"\nam +date-time .* 2024-01-01T00:05:00 to 2024-12-28T\d\d:05:00\n")
        again, _ = self.atoll("import", "t.csv", "--schema", "s.toml", "--print-schema")
        self.assertIn('kind = "date-time"\n', again)
        self.assertIn('format = "%d.%m.%Y %H:%M"\n', again)

    def test_one_or_two_dates_are_no_flags(self):
        """Neither what is there and what is absent, nor a one-hot column, nor labels."""
        days = "2024-01-01", "2024-01-02"
        self.write("two.csv", "d,x\n" + "".join(f"{days[i % 2]},{'ab'[i % 2]}\n" for i in range(40)))
        self.write("one.csv", "d,x,y\n" + "".join(
            f"{days[0]},{'ab'[i % 2]},{'pq'[i % 2]}\n" for i in range(40)))
        self.write("one.toml", '[[column]]\nname = "d"\nkind = "date"\n')
        self.atoll("import", "one.csv", "--schema", "one.toml", "-o", "one.h5")
        for data in ("two.csv", "one.h5"):
            for preset in ("niching", "g3parm", "random-search"):
                self.atoll("mine", data, "-o", "run", "--force", "--preset", preset, *SMALL[:4],
                           "--min-support", "10%")
            out, _ = self.atoll("info", data)
            self.assertIn("date", out)
        self.assertIn("d is constant (2024-01-01)", self.atoll("info", "one.h5")[0])

    def test_what_is_no_column_of_dates(self):
        def table(*cells):
            self.write("t.csv", "when,c\n" + "".join(f"{cell},{i % 2}\n" for i, cell in enumerate(cells)))
        for cells, says in (
                (("2024-03-01", "2024-03-01T12:00"), "t.csv:3:1: found '2024-03-01T12:00', expected a "
                 "date without a time, as '2024-03-01' in line 2"),
                (("2024-03-01T12:00", "2024-03-01T12:00Z"), "expected a date with a time, no zone"),
                (("2016-12-31T23:59:60", "2017-01-01T00:00"), "expected no leap second"),
                (("2300-01-01T00:00:00.000001", "2017-01-01T00:00"),
                 "expected whole seconds this far from 1970")):
            table(*cells)
            self.fails("import", "t.csv", "-o", "t.h5", status=65, says=says)
        table("2024-02-29", "2024-02-30")
        _, err = self.atoll("import", "t.csv", "-o", "t.h5")
        self.assertIn("(1 numeric, 1 nominal)", err)
        table("20240301", "20240302")
        _, err = self.atoll("import", "t.csv", "-o", "t.h5", "--force")
        self.assertIn("(2 numeric)", err)


if __name__ == "__main__":
    unittest.main()
