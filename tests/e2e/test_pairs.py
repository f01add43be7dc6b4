"""atoll itemsets --algorithm pairs: the bytes of the default search, its options, ranks, and its bench."""

import itertools
import json
import os
import pathlib
import random
import sys
import unittest

from harness import EndToEnd

PAIRS = ("--algorithm", "pairs")
FORMS = ("auto", "batmap", "bitmap", "lists", "product")
REAL = {"connect": 20000, "T10I4D100K": 20, "BMS-WebView-1": 30}


class Pairs(EndToEnd):
    def transactions(self):
        draw = random.Random(5)
        return [[i for i in range(150) if draw.random() < 0.9 / (1 + i / 8)] for _ in range(400)]

    def data(self):
        return self.write("baskets.dat", "".join(" ".join(map(str, t)) + "\n" for t in self.transactions()))

    def out(self, *arguments, **more):
        return self.atoll("itemsets", *arguments, "-o", "-", **more)[0]

    def test_output_is_that_of_the_default(self):
        data = self.data()
        for options in (("--min-count", 3), ("--min-support", "5%"), ("--min-count", 401),
                        ("--min-count", 3, "--count-only")):
            expected = self.out(data, *options, "--min-length", 2, "--max-length", 2)
            for form in FORMS:
                self.assertEqual(self.out(data, *options, *PAIRS, "--representation", form, "--threads", 2), expected)
            self.assertEqual(self.out(data, *options, *PAIRS, "--backend", "reference", "--max-length", 2), expected)

    def test_supports_are_those_of_a_brute_count(self):
        rows = [set(t) for t in self.transactions()]
        expected = {}
        for pair in itertools.combinations(range(150), 2):
            support = sum(row.issuperset(pair) for row in rows)
            if support >= 9:
                expected[pair] = support
        found = {}
        for line in self.out(self.data(), "--min-count", 9, *PAIRS).splitlines():
            a, b, support = line.split()
            found[tuple(sorted((int(a), int(b))))] = int(support.strip("()"))
        self.assertEqual(found, expected)

    def test_it_says_what_counts(self):
        _, err = self.atoll("itemsets", self.data(), "--min-count", 1, "--count-only", *PAIRS, "--representation", "batmap")
        self.assertRegex(err, r"counting \d+ pairs of \d+ items: all by batmap\n\d+ sets in at least 1 of 400")
        rare = self.write("rare.dat", "".join(f"{i % 3} {3 + i % 97} {100 + i % 89}\n" for i in range(2000)))
        _, err = self.atoll("itemsets", rare, "--min-count", 1, "--count-only", *PAIRS)
        self.assertIn("counting 17766 pairs of 189 items: 11.3% by bitmap, 88.7% by lists\n", err)

    def test_rules_are_those_of_the_default(self):
        data = self.data()
        for options in ((), ("--min-confidence", "60%"), ("--sort", "lift"), ("--sort", "leverage", "--top", 20),
                        ("--sort", "lift", "--top", 5, "--min-confidence", 0.3, "--measures", "all")):
            what = (data, "--min-count", 5, "--rules", *options)
            expected = self.out(*what, "--max-length", 2)
            self.assertGreater(expected.count("\n"), 4)
            self.assertEqual(self.out(*what, *PAIRS), expected)
        self.assertEqual(self.out(data, "--min-count", 401, "--rules", *PAIRS),
                         self.out(data, "--min-count", 401, "--rules"))
        _, err = self.atoll("itemsets", data, "-o", "-", "--min-count", 5, "--rules", "--sort", "lift", "--top", 3, *PAIRS)
        self.assertRegex(err, r"the best 3 of \d+ rules in at least 5 of 400 transactions\n")

    def test_ranks_change_nothing(self):
        self.need_mpi()
        data = self.data()
        for options in ((), ("--count-only",), ("--rules", "--sort", "lift", "--top", 30), ("--rules",)):
            what = (data, "--min-count", 2, *PAIRS, *options)
            expected, said = self.atoll("itemsets", *what, "-o", "-")
            for ranks in (2, 4):
                out, err = self.atoll("itemsets", *what, "-o", "-", "--threads", 1, ranks=ranks)
                self.assertEqual(out, expected)
                self.assertEqual(err, said)

    def test_labels_of_a_table(self):
        table = self.write("t.csv", "a,b,c\nx,u,k\nx,v,k\ny,u,l\nx,u,l\n")
        out = self.out(table, "--format", "table", "--min-count", 2, *PAIRS)
        self.assertEqual(out, self.out(table, "--format", "table", "--min-count", 2, "--min-length", 2, "--max-length", 2))
        self.assertIn("b=u a=x (2)\n", out)

    def test_another_form_goes_on(self):
        draw = random.Random(1)
        data = self.write("many.dat", "".join(
            " ".join(str(i) for i in range(700) if draw.random() < 0.15) + "\n" for _ in range(300)))
        what = ("itemsets", data, "--min-count", 2, *PAIRS, "-o", "out", "--rules", "--measures", "lift")
        self.atoll(*what, "--stop-after", "0.001s", "--threads", 1, status=75)
        _, err = self.atoll(*what, "--representation", "batmap")
        self.assertIn("going on from", err)
        self.atoll(*what[:-4], "whole", *what[-3:])
        self.assertTrue((self.folder / "out").read_bytes() == (self.folder / "whole").read_bytes())

    def test_wrong_options(self):
        data = self.data()
        for options, says in ((PAIRS + ("--closed",), "--algorithm pairs knows no --closed"),
                              (PAIRS + ("--max-length", 3), "--algorithm pairs finds sets of two items"),
                              (PAIRS + ("--min-length", 3), "--algorithm pairs finds sets of two items"),
                              (PAIRS + ("--representation", "bits"),
                               "--representation: 'bits', expected auto, batmap, bitmap, lists or product"),
                              (PAIRS + ("--backend", "cuda", "--representation", "lists"), "the cores count lists"),
                              (("--representation", "lists"), "--representation is of --algorithm pairs"),
                              (("--algorithm", "eclat"), "--algorithm: 'eclat', expected apriori, pairs or probabilistic")):
            self.fails("itemsets", data, "-o", "x", "--min-count", 20, *options, status=64, says=says)
        rows = (" ".join(str((i * 7 + j * 53) % 3001) for j in range(20)) for i in range(60000))
        wide = self.write("wide.dat", "\n".join(rows) + "\n")
        self.fails("itemsets", wide, "-o", "x", "--min-count", 2, *PAIRS, "--representation", "bitmap", "--threads", 1,
                   "--memory-limit", "36M", status=64, says="more than the memory limit of 36 MiB: take a greater support")
        self.fails("itemsets", wide, "-o", "x", "--min-count", 2, *PAIRS, "--threads", 1, "--memory-limit", "16M",
                   status=64, says="more than the memory limit of 16 MiB: take a greater")

    def test_bench(self):
        options = ("bench", "pairs", "--entries", 40000, "--items", 100, "--threads", 1, "--repeats", 3, "--format", "json")
        records = json.loads(self.atoll(*options)[0])
        self.assertEqual([r["figure"] for r in records], [5, 8, 8, 8, 8, 9, "three sets", 10, 11, "merging"])
        for record in records:
            self.assertEqual(record["bench"], "pairs")
            if record["figure"] in (5, 8, 9, 10):
                self.assertEqual(record["pairs"], record["items"] * (record["items"] - 1) // 2)
                for form in FORMS[1:]:
                    self.assertGreater(record[form]["count_seconds"], 0)
        self.fails("bench", "pairs", "--backend", "reference", status=64, says="bench pairs")


class RealPairs(EndToEnd):
    def test_output_is_that_of_the_default(self):
        if "ATOLL_DATA" not in os.environ:
            print("SKIPPED: ATOLL_DATA names no folder of real transactions", file=sys.stderr)
            self.skipTest("no real transactions")
        for name, support in REAL.items():
            file = next(pathlib.Path(os.environ["ATOLL_DATA"]).glob(name + "*.dat*"))
            with self.subTest(name=name):
                what = ("itemsets", file, "-o", "-", "--min-count", support)
                expected = self.atoll(*what, "--min-length", 2, "--max-length", 2)[0]
                for form in FORMS:
                    self.assertTrue(self.atoll(*what, *PAIRS, "--representation", form)[0] == expected)


if __name__ == "__main__":
    unittest.main()
