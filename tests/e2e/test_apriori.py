"""atoll itemsets --algorithm apriori: the bytes of the default search, its options, and its bench."""

import json
import os
import pathlib
import random
import sys
import unittest

from harness import EndToEnd

APRIORI = ("--algorithm", "apriori", "--backend", "cpu")

# name -> a support at which the search takes a second at most
REAL = {"chess": 2000, "connect": 62000, "mushroom": 1000, "pumsb": 3600, "accidents": 6000,
        "T10I4D100K": 100, "kosarak": 100, "BMS-WebView-1": 60, "BMS-WebView-2": 40}


class Apriori(EndToEnd):
    def data(self):
        draw = random.Random(5)
        lines = [[str(i) for i in range(40) if draw.random() < 0.8 / (1 + i / 6)] for _ in range(300)]
        return self.write("baskets.dat", "".join(" ".join(line) + "\n" for line in lines))

    def out(self, *arguments):
        return self.atoll("itemsets", *arguments, "-o", "-")[0]

    def test_output_is_that_of_the_default(self):
        data = self.data()
        for options in (("--min-count", 20), ("--min-support", "5%", "--min-length", 2, "--max-length", 4),
                        ("--min-count", 20, "--max-length", 1), ("--min-count", 20, "--count-only"),
                        ("--min-count", 20, "--min-length", 3, "--count-only"),
                        ("--min-count", 301), ("--min-count", 25, "--rules", "--min-confidence", "60%"),
                        ("--min-count", 25, "--rules", "--max-consequent", 3, "--sort", "lift",
                         "--top", 20)):
            expected = self.out(data, *options)
            for machine in (("--threads", 1), ("--threads", 3), ("--backend", "reference")):
                more = APRIORI[:2] + machine if "--backend" in machine else APRIORI + machine
                self.assertEqual(self.out(data, *options, *more), expected, (options, machine))
        self.assertGreater(len(self.out(data, "--min-count", 20).splitlines()), 500)

    def test_says_what_counts(self):
        data = self.data()
        _, err = self.atoll("itemsets", data, "-o", "x", "--min-count", 20, *APRIORI, "--threads", 2)
        self.assertIn("apriori on the CPU, 2 threads\n", err)
        _, err = self.atoll("itemsets", data, "-o", "y", "--min-count", 20, "--algorithm", "apriori",
                            "--threads", 1)
        self.assertIn("apriori on the CPU, 1 thread: 300 rows are fewer than the 50000 from which", err)

    def test_memory_is_bounded(self):
        many = self.write("long.dat", (" ".join(map(str, range(40))) + "\n") * 2)
        limit = (*APRIORI, "--memory-limit", "16M")
        self.fails("itemsets", many, "-o", "x", "--min-count", 2, *limit, status=64, says="take a greater support")
        wide = self.write("wide.dat", "".join(f"{i % 3000} {3000 + i % 2999}\n" for i in range(50000)))
        self.fails("itemsets", wide, "--count-only", "--min-count", 2, *limit, status=64,
                   says="for the bit columns of 5999 frequent items")
        self.assertFalse((self.folder / "x").exists())
        self.assertEqual(self.out(many, "--min-count", 2, "--count-only", "--max-length", 3, *limit),
                         "length\tsets\n1\t40\n2\t780\n3\t9880\n")

    def test_wrong_options(self):
        data = self.data()
        for options, says in ((("--algorithm", "eclat"), "--algorithm: 'eclat', expected apriori, pairs or probabilistic"),
                              (("--backend", "reference"), "--backend: 'reference', expected auto, cpu or cuda"),
                              (("--algorithm", "apriori", "--closed"), "knows no --closed"),
                              (("--algorithm", "apriori", "--backend", "gpu"), "--backend: 'gpu'"),
                              (("--algorithm", "apriori", "--memory-limit", "much"), "--memory-limit"),
                              (("--algorithm", "apriori", "--threads", "x"), "--threads")):
            self.fails("itemsets", data, "-o", "x", "--min-count", 20, *options, status=64, says=says)

    def test_bench(self):
        records = json.loads(self.atoll("bench", "apriori", "--backend", "cpu", "--threads", 1, "--format",
                                        "json")[0])
        self.assertEqual([(r["figure"], r["transactions"]) for r in records],
                         [(f, t) for t in (1000, 5000, 10000) for f in (7, 8)])
        self.assertEqual([r["published"].get("saved", r["published"].get("slower")) for r in records],
                         [True, 0.38, 0.201, 0.32, 0.161, 0.253])
        for record in records:
            self.assertGreater(record["loop_seconds"], record["ours"]["one_core_seconds"])
            self.assertEqual(record["candidates"], record["items"] * (record["items"] - 1) // 2)
            self.assertNotIn("plain_seconds", record)
        self.fails("bench", "apriori", "--rows", 10, status=64, says="--rows: bench apriori takes")
        self.fails("bench", "apriori", "--backend", "reference", status=64, says="take cpu or cuda")


class RealApriori(EndToEnd):
    def test_output_is_that_of_the_default(self):
        if "ATOLL_DATA" not in os.environ:
            print("SKIPPED: ATOLL_DATA names no folder of real transactions", file=sys.stderr)
            self.skipTest("no real transactions")
        for name, support in REAL.items():
            file = next(pathlib.Path(os.environ["ATOLL_DATA"]).glob(name + "*.dat*"))
            with self.subTest(name=name):
                expected = self.atoll("itemsets", file, "-o", "-", "--min-count", support)[0]
                found = self.atoll("itemsets", file, "-o", "-", "--min-count", support, *APRIORI)[0]
                self.assertTrue(expected == found)


if __name__ == "__main__":
    unittest.main()
