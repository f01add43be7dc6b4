"""atoll itemsets --closed and --maximal: which sets they are, and their numbers in real data."""

import csv
import itertools
import os
import pathlib
import random
import sys
import unittest

from harness import EndToEnd

# Numbers of sets by length, from 1 on, as pyfim 6.28 finds them; for mushroom one more closed set of length 1,
# an item of all transactions, which that program leaves out.
REAL = {
    ("chess", 1800): {
        "closed": [25, 251, 1366, 4785, 11708, 21232, 29689, 32625, 28217, 18806, 9161, 3056, 635, 67,
             3],
        "maximal": [0, 1, 5, 10, 78, 182, 497, 743, 886, 1001, 1048, 674, 231, 34, 3],
    },
    ("connect", 62000): {
        "closed": [7, 28, 81, 186, 348, 501, 541, 405, 186, 38, 2],
        "maximal": [0, 0, 0, 0, 5, 7, 23, 29, 62, 25, 2],
    },
    ("mushroom", 500): {
        "closed": [1, 23, 151, 463, 858, 1513, 2094, 2162, 1497, 687, 245, 72, 47, 1, 25, 25],
        "maximal": [0, 0, 0, 9, 27, 82, 114, 270, 351, 234, 69, 16, 14, 0, 23, 25],
    },
    ("pumsb", 3200): {
        "closed": [21, 161, 722, 2302, 5595, 10900, 17263, 21753, 21218, 15752, 8515, 3069, 661, 88,
             10],
        "maximal": [0, 4, 9, 35, 82, 210, 419, 913, 1454, 1680, 1436, 953, 336, 56, 10],
    },
    ("accidents", 3000): {
        "closed": [29, 370, 2752, 12581, 36756, 71622, 96586, 91913, 61441, 27997, 8264, 1465, 132, 1],
        "maximal": [0, 0, 1, 12, 61, 258, 708, 1383, 2190, 2327, 1672, 541, 121, 1],
    },
    ("T10I4D100K", 50): {
        "closed": [832, 19613, 10418, 7842, 4714, 2270, 922, 308, 69, 5],
        "maximal": [6, 10541, 607, 381, 254, 141, 65, 32, 30, 5],
    },
    ("kosarak", 100): {
        "closed": [365, 1194, 1639, 1260, 539, 118, 6],
        "maximal": [31, 89, 259, 326, 168, 87, 6],
    },
    ("BMS-WebView-1", 36): {
        "closed": [368, 4412, 12327, 17301, 14149, 8648, 4321, 1907, 802, 301, 128, 56, 30, 10, 2],
        "maximal": [73, 1354, 2350, 3236, 2942, 2208, 1416, 839, 454, 163, 76, 34, 22, 10, 2],
    },
    ("BMS-WebView-2", 40): {
        "closed": [1822, 3963, 5495, 9004, 13177, 14901, 12193, 7451, 3694, 1657, 701, 262, 67, 3],
        "maximal": [937, 1994, 1614, 1384, 1141, 1099, 991, 590, 225, 29, 9, 23, 46, 3],
    },
}


class ItemsetFamilies(EndToEnd):
    def setUp(self):
        super().setUp()
        draw = random.Random(5)
        self.rows = [{i for i in range(9) if draw.random() < 0.95 - i / 12} | {9} for _ in range(60)]
        text = "".join(" ".join(map(str, sorted(row))) + "\n" for row in self.rows)
        self.data = self.write("baskets.dat", text)

    def expected(self, min_count):
        sets = {}
        for length in range(1, 11):
            for items in itertools.combinations(range(10), length):
                support = sum(row.issuperset(items) for row in self.rows)
                if support >= min_count:
                    sets[frozenset(items)] = support
        larger = {items: [sets[more] for more in (items | {i} for i in range(10)) if more != items and more in sets]
                  for items in sets}
        return {"--closed": {items: n for items, n in sets.items() if n not in larger[items]},
                "--maximal": {items: n for items, n in sets.items() if not larger[items]}}

    def sets(self, *options):
        out, _ = self.atoll("itemsets", self.data, "-o", "-", *options)
        found = {}
        for line in out.splitlines():
            items, _, support = line.rpartition(" ")
            found[frozenset(map(int, items.split()))] = int(support.strip("()"))
        self.assertEqual(len(found), len(out.splitlines()))
        return found

    def test_sets_are_those_of_the_definition(self):
        for min_count in (3, 12, 60):
            for option, sets in self.expected(min_count).items():
                self.assertEqual(self.sets(option, "--min-count", min_count), sets)

    def test_lengths_choose_from_them(self):
        for option, sets in self.expected(5).items():
            chosen = {items: n for items, n in sets.items() if 3 <= len(items) <= 5}
            limits = (option, "--min-count", 5, "--min-length", 3, "--max-length", 5)
            self.assertEqual(self.sets(*limits), chosen)
            table, _ = self.atoll("itemsets", self.data, "--count-only", *limits)
            lengths = [len(items) for items in chosen]
            self.assertEqual(table.splitlines()[1:],
                             [f"{k}\t{lengths.count(k)}" for k in (3, 4, 5) if k in lengths])

    def test_they_exclude_each_other(self):
        self.fails("itemsets", self.data, "-o", "-", "--min-count", 5, "--closed", "--maximal", status=64,
                   says="give either --closed or --maximal")
        self.fails("itemsets", self.data, "-o", "-", "--min-count", 5, "--rules", "--maximal", status=64,
                   says="--rules needs supports that --maximal sets do not tell: give --closed")

    def rules(self, *words):
        """What is said of each rule, by its sides."""
        lines = list(csv.reader(self.atoll(*words)[0].splitlines()))[1:]
        rules = {tuple(frozenset(int(item.strip('"')) for item in side.split(" AND ")) for side in line[:2]): line[2:]
                 for line in lines}
        self.assertEqual(len(rules), len(lines))
        return rules

    def test_rules_of_closed_sets(self):
        words = ("itemsets", self.data, "-o", "-", "--min-count", 5, "--rules", "--min-confidence", 0.5,
                 "--max-consequent", 3)
        closed = self.expected(5)["--closed"]
        for more in ((), ("--min-length", 4, "--max-length", 6)):
            every = self.rules(*words, *more)
            expected = {sides: its for sides, its in every.items() if frozenset.union(*sides) in closed}
            self.assertEqual(self.rules(*words, *more, "--closed"), expected)
            self.assertLess(10, len(expected))
            self.assertLess(len(expected), len(every))
        best, err = self.atoll(*words, "--closed", "--sort", "lift", "--top", 3)
        self.assertEqual(len(best.splitlines()), 4)
        self.assertIn("the best 3 of ", err)


class RealFamilies(EndToEnd):
    def test_numbers_are_those_of_pyfim(self):
        if "ATOLL_DATA" not in os.environ:
            print("SKIPPED: ATOLL_DATA names no folder of real transactions", file=sys.stderr)
            self.skipTest("no real transactions")
        for (name, support), families in REAL.items():
            file = next(pathlib.Path(os.environ["ATOLL_DATA"]).glob(name + "*.dat*"))
            for family, counts in families.items():
                with self.subTest(name=name, family=family):
                    out, _ = self.atoll("itemsets", file, "--count-only", "--min-count", support, "--" + family,
                                        "--threads", 2)
                    expected = [f"{k}\t{n}" for k, n in enumerate(counts, 1) if n]
                    self.assertEqual(out.splitlines()[1:], expected)


if __name__ == "__main__":
    unittest.main()
