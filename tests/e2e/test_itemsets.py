"""atoll itemsets: the sets, their numbers, the options, and what is wrong with an input."""

import csv
import gzip
import io
import itertools
import lzma
import os
import pathlib
import random
import sys
import unittest

from harness import PATIENCE, EndToEnd

# Numbers of sets by length, from 1 on, of three supports each, as fim.apriori of pyfim 6.28 finds them; for
# mushroom one more of length 1, an item of all transactions, which that program leaves out.
REAL = {
    "chess": {
        2600: [19, 132, 506, 1169, 1674, 1507, 834, 260, 34],
        2200: [27, 253, 1336, 4295, 9060, 13155, 13563, 10046, 5227, 1809, 373, 36, 1],
        1800: [35, 441, 2913, 11882, 32848, 65243, 95442, 103248, 81795, 46526, 18468, 4923, 827, 76,
             3],
    },
    "connect": {
        64000: [17, 108, 357, 670, 749, 509, 206, 46, 5],
        62000: [19, 150, 647, 1700, 2893, 3274, 2455, 1177, 332, 46, 2],
        59000: [23, 221, 1188, 4017, 9131, 14521, 16460, 13288, 7484, 2807, 637, 69, 1],
    },
    "mushroom": {
        2000: [35, 250, 804, 1478, 1714, 1314, 689, 257, 69, 12, 1],
        1000: [54, 642, 3259, 9328, 17397, 23273, 23980, 19934, 13557, 7423, 3166, 1007, 224, 31, 2],
        500: [67, 1151, 8380, 34089, 90449, 172038, 248909, 283214, 256424, 183907, 102889, 43847,
             13734, 2980, 400, 25],
    },
    "pumsb": {
        4000: [17, 87, 211, 237, 130, 36, 4],
        3600: [25, 244, 1371, 4468, 8567, 9914, 6941, 2861, 642, 68, 3],
        3200: [32, 350, 2304, 10509, 34066, 81056, 140838, 175258, 153567, 93439, 38757, 10660, 1872,
             197, 10],
    },
    "accidents": {
        9000: [19, 113, 324, 518, 478, 251, 69, 8],
        6000: [32, 305, 1376, 3554, 5687, 5803, 3769, 1498, 326, 30, 1],
        3000: [50, 729, 5261, 22561, 62280, 115916, 149578, 135312, 85324, 36592, 10174, 1683, 135,
             1],
    },
    "T10I4D100K": {
        500: [569, 342, 110, 43, 9],
        50: [839, 19694, 11606, 9659, 6327, 3329, 1409, 437, 80, 5],
        5: [869, 174835, 691262, 516628, 314073, 146756, 55195, 17473, 4804, 1127, 208, 27, 2],
    },
    "kosarak": {
        1000: [16, 34, 21, 4],
        100: [366, 1399, 2165, 1668, 664, 126, 6],
        36: [1333, 9794, 28991, 57787, 103811, 174786, 251044, 294889, 285346, 231119, 157723, 90273,
             42791, 16478, 5015, 1159, 191, 20, 1],
    },
    "BMS-WebView-1": {
        500: [82, 16],
        60: [343, 1573, 1492, 522, 59, 2],
        36: [368, 4551, 17380, 44050, 75129, 93272, 88694, 67168, 41150, 19986, 7387, 1982, 362, 40,
             2],
    },
    "BMS-WebView-2": {
        400: [160, 114, 83, 21, 2],
        40: [1822, 3963, 5505, 9252, 14554, 18814, 19038, 15693, 10979, 6145, 2479, 638, 85, 3],
        10: [2885, 28003, 55120, 111136, 206928, 338172, 493584, 638317, 712247, 672851, 532202,
             348943, 186708, 79561, 26132, 6348, 1076, 115, 6],
    },
}


class Itemsets(EndToEnd):
    def transactions(self):
        draw = random.Random(3)
        return [sorted(i for i in range(9) if draw.random() < 0.9 - i / 12) for _ in range(60)]

    def data(self, name="baskets.dat"):
        text = "".join(" ".join(map(str, t)) + "\n" for t in self.transactions())
        packed = {".gz": gzip.compress, ".xz": lzma.compress}.get(pathlib.Path(name).suffix, bytes)
        return self.write(name, packed(text.encode()))

    def expected(self, min_count):
        rows = [set(t) for t in self.transactions()]
        sets = {}
        for length in range(1, 10):
            for items in itertools.combinations(range(9), length):
                support = sum(row.issuperset(items) for row in rows)
                if support >= min_count:
                    sets[items] = support
        return sets

    def sets(self, text):
        found = {}
        for line in text.splitlines():
            items, _, support = line.rpartition(" ")
            found[tuple(sorted(map(int, items.split())))] = int(support.strip("()"))
        self.assertEqual(len(found), len(text.splitlines()))
        return found

    def test_all_sets_are_listed_with_their_supports(self):
        _, err = self.atoll("itemsets", self.data(), "-o", "OUT.txt", "--min-count", 12)
        expected = self.expected(12)
        self.assertEqual(self.sets((self.folder / "OUT.txt").read_text()), expected)
        self.assertIn(f"{len(expected)} sets in at least 12 of 60 transactions", err)

    def test_forms_of_support_and_of_the_file_are_alike(self):
        plain, _ = self.atoll("itemsets", self.data(), "-o", "-", "--min-count", 15)
        self.assertEqual(self.sets(plain), self.expected(15))
        for name in ("b.dat.gz", "b.dat.xz"):
            self.assertEqual(self.atoll("itemsets", self.data(name), "-o", "-", "--min-support", "25%")[0],
                             plain)
        with open(self.folder / "baskets.dat", "rb") as file:
            self.assertEqual(self.atoll("itemsets", "-", "-o", "-", "--min-support", "15rows", stdin=file)[0],
                             plain)

    def test_numbers_by_length(self):
        counts = [0] * 10
        for items in self.expected(10):
            counts[len(items)] += 1
        table = [f"{length}\t{n}" for length, n in enumerate(counts) if n]
        out, _ = self.atoll("itemsets", self.data(), "--count-only", "--min-count", 10)
        self.assertEqual(out.splitlines(), ["length\tsets", *table])
        self.atoll("itemsets", self.data(), "--count-only", "--min-count", 10, "-o", "counts.txt")
        self.assertEqual((self.folder / "counts.txt").read_text(), out)
        out, _ = self.atoll("itemsets", self.data(), "--count-only", "--min-count", 10, "--min-length", 2,
                            "--max-length", 3)
        self.assertEqual(out.splitlines(), ["length\tsets", *table[1:3]])

    def test_lengths_bound_the_list(self):
        out, _ = self.atoll("itemsets", self.data(), "-o", "-", "--min-count", 10, "--min-length", 2,
                            "--max-length", 3)
        self.assertEqual(self.sets(out), {items: support for items, support in self.expected(10).items()
                                          if 2 <= len(items) <= 3})

    def test_bytes_are_the_same_on_any_number_of_threads(self):
        data = self.data()
        for options in (("-o", "-"), ("--count-only",)):
            one, _ = self.atoll("itemsets", data, *options, "--min-count", 5, "--threads", 1)
            for threads in (2, 5):
                out, _ = self.atoll("itemsets", data, *options, "--min-count", 5, "--threads", threads)
                self.assertEqual(out, one)
        self.fails("itemsets", data, "-o", "-", "--min-count", 5, "--threads", "two", status=64, says="--threads")

    def test_memory_is_limited(self):
        draw = random.Random(3)
        rows = [" ".join(str(i) for i in range(24) if draw.random() < 0.8) for _ in range(40)]
        dense = self.write("dense.dat", "\n".join(rows) + "\n")
        many = self.write("many.dat", "".join(f"{i} {i * 7 % 400009}\n" for i in range(400000)))
        limit = ("--memory-limit", "16M", "-o", "out.txt")
        self.fails("itemsets", many, "--min-count", 1, *limit, status=64,
                   says="many.dat takes more than the memory limit of 16 MiB: take a greater --memory-limit")
        self.fails("itemsets", dense, "--min-count", 2, *limit, "--rules", status=64,
                   says="to make rules of take 12 bytes each, more than the memory limit of 16 MiB")
        self.fails("itemsets", dense, "--min-count", 12, *limit, "--rules", "--sort", "lift", status=64,
                   says="rules take more than the memory limit of 16 MiB: take a greater support")
        rows = (" ".join(str((i * 7 + j * 53) % 997) for j in range(20)) for i in range(80000))
        wide = self.write("wide.dat", "\n".join(rows) + "\n")
        self.fails("itemsets", wide, "--min-count", 600, "--max-length", 2, *limit, "--threads", 1, status=64,
                   says="the search takes more than the memory limit of 16 MiB: take a greater support")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["dense.dat", "many.dat", "wide.dat"])
        self.fails("itemsets", dense, "--min-count", 4, "-o", "-", "--memory-limit", "1M", status=64,
                   says="--memory-limit: expected 16M or more")
        out, _ = self.atoll("itemsets", dense, "--min-count", 20, "--count-only", "--memory-limit", "16M",
                            "--threads", 2)
        self.assertTrue(out.startswith("length\tsets\n"))
    def test_backends_count_alike_or_say_why_not(self):
        data = self.data()
        options = ("itemsets", data, "--count-only", "--min-count", 5)
        out, _ = self.atoll(*options)
        self.assertEqual(self.atoll(*options, "--backend", "cpu")[0], out)
        hidden = os.environ | {"CUDA_VISIBLE_DEVICES": ""}
        self.assertEqual(self.atoll(*options, "--backend", "auto", env=hidden)[0], out)
        self.fails(*options, "--backend", "cuda", status=69, says="cuda", env=hidden)
        self.fails(*options, "--backend", "gpu", status=64, says="--backend: 'gpu', expected auto, reference, cpu or cuda")
        self.fails(*options, "--device-memory", "much", status=64, says="--device-memory")
        _, err = self.atoll("itemsets", data, "-o", "-", "--min-count", 5, "--backend", "cuda", env=hidden)
        self.assertIn("the cores search", err)

    def test_a_search_ends_when_nobody_reads_on(self):
        line = " ".join(map(str, range(60)))
        process = self.start("itemsets", self.write("same.dat", f"{line}\n{line}\n"), "-o", "-",
                             "--min-count", 2, "--threads", 3)
        self.assertEqual(process.stdout.readline(), "0 (2)\n")
        process.stdout.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        process.stderr.close()

    def rules(self, text):
        lines = list(csv.DictReader(io.StringIO(text)))
        found = {(line["antecedent"], line["consequent"]): line for line in lines}
        self.assertEqual(len(found), len(lines))
        return found

    def test_rules_are_all_those_that_are_confident(self):
        out, err = self.atoll("itemsets", self.data(), "-o", "-", "--min-count", 12, "--rules",
                              "--min-confidence", "80%", "--measures", "confidence,lift")
        sets = self.expected(12)
        expected = {}
        for items, both in sets.items():
            for consequent in items if len(items) > 1 else ():
                antecedent = tuple(i for i in items if i != consequent)
                if both >= 0.8 * sets[antecedent]:
                    expected[antecedent, consequent] = (both, sets[antecedent], sets[consequent,])
        found = {}
        for (antecedent, consequent), line in self.rules(out).items():
            key = tuple(sorted(map(int, antecedent.split(" AND ")))), int(consequent)
            counts = found[key] = tuple(int(line[n]) for n in ("n_both", "n_antecedent", "n_consequent"))
            self.assertEqual(line["n"], "60")
            self.assertAlmostEqual(float(line["confidence"]), counts[0] / counts[1])
            self.assertAlmostEqual(float(line["lift"]), 60 * counts[0] / counts[1] / counts[2])
        self.assertGreater(len(expected), 10)
        self.assertEqual(found, expected)
        self.assertIn(f"{len(expected)} rules in at least 12 of 60 transactions", err)

    def test_lengths_of_rules(self):
        def lengths(*options):
            out, _ = self.atoll("itemsets", self.data(), "-o", "-", "--min-count", 20, "--rules", *options)
            return {(int(line["items"]), 1 + line["consequent"].count(" AND "))
                    for line in self.rules(out).values()}

        self.assertEqual(lengths("--max-length", 3), {(2, 1), (3, 1)})
        self.assertEqual(lengths("--min-length", 3, "--max-length", 4, "--max-consequent", 2),
                         {(3, 1), (3, 2), (4, 1), (4, 2)})

    def test_the_best_rules_come_first(self):
        options = ("itemsets", self.data(), "-o", "-", "--min-count", 12, "--rules", "--measures", "lift")
        everything = list(self.rules(self.atoll(*options)[0]).values())
        best = sorted(everything, key=lambda line: -float(line["lift"]))  # stable
        self.assertNotEqual(best, everything)
        self.assertEqual(list(self.rules(self.atoll(*options, "--sort", "lift")[0]).values()), best)
        out, err = self.atoll(*options, "--sort", "lift", "--top", 7)
        self.assertEqual(list(self.rules(out).values()), best[:7])
        self.assertIn(f"making rules of {len(self.expected(12))} sets", err)
        self.assertIn(f"the best 7 of {len(everything)} rules in at least 12", err)

    def test_baskets_of_names(self):
        self.write("shop.csv", 'milk,red wine\n"bread, dark",milk\nmilk , red wine,,\n')
        out, err = self.atoll("itemsets", "shop.csv", "-o", "-", "--min-count", 2)
        self.assertEqual(out, 'milk (3)\n"red wine" (2)\n"red wine" milk (2)\n')
        self.assertIn("assumed baskets of names with ',' between them", err)
        self.assertEqual(self.atoll("itemsets", "shop.csv", "-o", "-", "--min-count", 2, "--delimiter",
                                    ",")[0], out)
        tabs = self.write("tabs.txt", "a,b\tc\nc\ta,b\n")
        self.assertEqual(self.atoll("itemsets", tabs, "-o", "-", "--min-count", 2, "--delimiter", "tab")[0],
                         '"a,b" (2)\nc (2)\nc "a,b" (2)\n')
        rules, _ = self.atoll("itemsets", "shop.csv", "-o", "-", "--min-count", 2, "--rules",
                              "--min-confidence", 1)
        self.assertEqual(list(self.rules(rules)), [('"red wine"', "milk")])
        self.assertNotIn("--format table", err)
        square = self.write("square.csv", "a,b\n1,2\n3,4\n")
        for how, warned in (((), True), (("--format", "baskets"), False), (("--delimiter", ","), False)):
            _, err = self.atoll("itemsets", square, "-o", "-", "--min-count", 1, *how)
            self.assertEqual("if it is a table, give --format table" in err, warned, how)
        self.fails("itemsets", self.write("open.csv", 'a\nb,"c\n'), "-o", "x", "--min-count", 1, status=65,
                   says="open.csv:2:3: found '\"c', expected a closing quote in the same line")

    def test_labels_of_a_table(self):
        table = self.write("t.csv", "a,b,n\nx,u,1\nx,v,2.5\ny,u,3\nx,u,4\n")
        out, err = self.atoll("itemsets", table, "--format", "table", "-o", "-", "--min-count", 2)
        self.assertEqual(out, "a=x (3)\nb=u (3)\nb=u a=x (2)\n")
        self.assertIn("numeric attributes are left out: n", err)
        self.atoll("import", table, "-o", "t.h5")
        self.assertEqual(self.atoll("itemsets", "t.h5", "-o", "-", "--min-count", 2)[0], out)
        # One line of 40 items has 2^40 - 1 sets.
        self.fails("itemsets", self.write("long.dat", " ".join(map(str, range(40)))), "-o", "x",
                   "--min-count", 1, "--rules", status=64, says="1099511627775 sets, at most 4294967294")
        self.fails("itemsets", self.write("n.csv", "a,b\n1,2\n3,4\n"), "--format", "table", "-o", "x",
                   "--min-count", 1, status=65, says="no attribute has labels")

    def test_wrong_options(self):
        data = self.data()
        for options, says in ((("-o", "x"), "give either --min-support or --min-count"),
                              (("-o", "x", "--min-support", "1%", "--min-count", 2), "give either"),
                              (("--min-count", 2), "-o is missing"),
                              (("-o", "x", "--min-support", "20"), "--min-support"),
                              (("-o", "x", "--min-count", 0), "--min-count"),
                              (("-o", "x", "--min-count", 1, "--min-confidence", 0.5), "of --rules, which"),
                              (("-o", "x", "--min-count", 1, "--measures", "lift"), "of --rules, which"),
                              (("-o", "x", "--min-count", 1, "--rules", "--min-confidence", 2),
                               "--min-confidence: '2'"),
                              (("--min-count", 1, "--rules", "--count-only"), "--rules or --count-only"),
                              (("-o", "x", "--min-count", 1, "--sort", "lift"), "of --rules, which"),
                              (("-o", "x", "--min-count", 1, "--rules", "--top", 3), "--top needs --sort"),
                              (("-o", "x", "--min-count", 1, "--rules", "--sort", "lft"),
                               "--sort: unknown measure 'lft', did you mean 'lift'"),
                              (("-o", "x", "--min-count", 1, "--rules", "--sort", "lift,support"),
                               "--sort: expected one measure"),
                              (("-o", "x", "--min-count", 1, "--rules", "--sort", "contrast"),
                               "--sort: contrast needs counts of generalisations"),
                              (("-o", "x", "--min-count", 1, "--rules", "--measures", "lft"), "lift"),
                              (("-o", "x", "--min-count", 1, "--format", "csv"), "--format: 'csv'"),
                              (("-o", "x", "--min-count", 1, "--delimiter", ",,"), "--delimiter: ',,'"),
                              (("-o", "x", "--min-count", 1, "--format", "fimi", "--delimiter", ","),
                               "--delimiter is of baskets"),
                              (("-o", "x", "--min-count", 2, "--min-length", 3, "--max-length", 2),
                               "--max-length is below --min-length")):
            self.fails("itemsets", data, *options, status=64, says=says)
        self.write("there.txt", "")
        self.fails("itemsets", data, "-o", "there.txt", "--min-count", 2, status=64, says="--force")
        self.atoll("itemsets", data, "-o", "there.txt", "--min-count", 12, "--force")
        self.fails("itemsets", data, "-o", data, "--min-count", 2, "--force", status=64, says="baskets.dat")

    def test_wrong_inputs(self):
        self.fails("itemsets", "none.dat", "-o", "x", "--min-count", 2, status=66, says="none.dat")
        self.fails("itemsets", self.write("empty.dat", ""), "-o", "x", "--min-count", 2, status=65,
                   says="is empty")
        self.fails("itemsets", self.write("a.dat", "1 2\n3 milk\n"), "-o", "x", "--min-count", 2, status=65,
                   says="a.dat:2:3: found 'milk', expected the number of an item, from 0 to 4294967295")
        whole = self.data("c.dat.xz").read_bytes()
        self.fails("itemsets", self.write("cut.dat.xz", whole[:-20]), "-o", "x", "--min-count", 2, status=65,
                   says="cut.dat.xz")
        self.assertFalse((self.folder / "x").exists())

    def test_a_support_of_1_is_of_all_rows(self):
        note = "--min-support 1 means all rows; for one row write 1rows"
        self.write("a.dat", "1 2\n1 3\n")
        out, err = self.atoll("itemsets", "a.dat", "-o", "-", "--min-support", 1)
        self.assertEqual(out, "1 (2)\n")
        self.assertIn(note, err)
        out, err = self.atoll("itemsets", "a.dat", "-o", "-", "--min-support", "1rows")
        self.assertEqual(len(out.splitlines()), 5)
        self.assertNotIn(note, err)
        self.assertIn(note, self.atoll("enumerate", self.table(), "-o", "-", "--min-support", 1)[1])
        # Which no rule has, so that nothing is searched.
        self.assertIn(note, self.atoll("mine", "table.csv", "-o", "run", "--min-support", 1, status=64)[1])


class RealItemsets(EndToEnd):
    def test_numbers_are_those_of_apriori(self):
        if "ATOLL_DATA" not in os.environ:
            print("SKIPPED: ATOLL_DATA names no folder of real transactions", file=sys.stderr)
            self.skipTest("no real transactions")
        for name, supports in REAL.items():
            file = next(pathlib.Path(os.environ["ATOLL_DATA"]).glob(name + "*.dat*"))
            for support, counts in supports.items():
                with self.subTest(name=name, support=support):
                    out, _ = self.atoll("itemsets", file, "--count-only", "--min-count", support, "--threads", 3)
                    self.assertEqual([int(line.split("\t")[1]) for line in out.splitlines()[1:]], counts)


if __name__ == "__main__":
    unittest.main()
