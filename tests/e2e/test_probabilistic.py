"""atoll itemsets --algorithm probabilistic: sets beside an enumeration of possible worlds, the forms of its
text, where probabilities come from, and what is refused."""

import csv
import gzip
import itertools
import json
import math
import random
import unittest

from harness import NO_GPU, PATIENCE, EndToEnd

PROBABILISTIC = ("--algorithm", "probabilistic")
# Kozawa 2016, table 3.1
BASKETS = [("ab", 0.8), ("bc", 0.7), ("a", 0.9), ("abc", 0.5)]


def in_line(item):
    """The name of an item as a line of items and a CSV have it; JSON has it as it is."""
    return json.dumps(item) if any(c in item for c in ' ,"') else item


CSV_COLUMNS = ["items", "length", "probability", "expected_support", "variance", "transactions"]


def worlds(rows):
    """(bits of the transactions that exist, probability) of each possible world."""
    for world in range(1 << len(rows)):
        yield world, math.prod(p if world >> t & 1 else 1 - p for t, (_, p) in enumerate(rows))


def by_enumeration(rows, least):
    """{set of items: (probability of at least so many, transactions that have it)} of all sets that some has."""
    found = {}
    items = sorted(set().union(*(row for row, _ in rows)))
    all_worlds = list(worlds(rows))
    for length in range(1, len(items) + 1):
        for chosen in itertools.combinations(items, length):
            cover = sum(1 << t for t, (row, _) in enumerate(rows) if set(chosen) <= set(row))
            if cover:
                enough = math.fsum(p for world, p in all_worlds if bin(world & cover).count("1") >= least)
                found[frozenset(chosen)] = enough, bin(cover).count("1")
    return found


def lines_of(text):
    """[(items, probability as text)] of sets that are written as lines."""
    return [(line[:line.rindex(" (")].split(" "), line[line.rindex("(") + 1:-1]) for line in text.splitlines()]


class Probabilistic(EndToEnd):
    def uncertain(self, rows, name="t"):
        """Options for transactions of (items, probability)."""
        data = self.write(f"{name}.txt", "".join(",".join(row) + "\n" for row, _ in rows))
        likely = self.write(f"{name}.p", "".join(f"{p!r}\n" for _, p in rows))
        return data, "--format", "baskets", "--delimiter", ",", "--probabilities", likely

    def search(self, *arguments, output="-", **more):
        return self.atoll("itemsets", *arguments, *PROBABILISTIC, "-o", output, **more)

    def content(self, name):
        return (self.folder / name).read_text()

    def expect_sets(self, text, rows, least, share):
        """Sets and nine decimals; a probability that lies between two of them may be either."""
        expected = {chosen: p for chosen, (p, _) in by_enumeration(rows, least).items() if p >= share}
        found = {frozenset(items): p for items, p in lines_of(text)}
        self.assertEqual(len(found), len(text.splitlines()))
        self.assertEqual(set(found), set(expected))
        for chosen, p in expected.items():
            self.assertIn(found[chosen], {f"{min(1, max(0, p + sign * 2e-12)):.9f}" for sign in (-1, 1)}, chosen)


class Sets(Probabilistic):
    def test_table_of_the_paper(self):
        data = self.uncertain(BASKETS)
        out, err = self.search(*data, "--min-count", 2, "--min-probability", 0.5)
        self.assertEqual(out, "a (0.850000000)\nb (0.750000000)\n")
        self.assertIn("2 sets in at least 2 of 4 transactions", err)
        self.expect_sets(out, BASKETS, 2, 0.5)
        for least, share in itertools.product((1, 2, 3), (0.01, 0.3, 0.6, 0.84)):
            out, _ = self.search(*data, "--min-count", least, "--min-probability", share)
            self.expect_sets(out, BASKETS, least, share)
        # The mass function of figure 3.1, from its tail.
        tail = [1.0]
        for least in (1, 2, 3):
            out, _ = self.search(*data, "--min-count", least, "--min-probability", 0.001)
            tail.append(float(dict((" ".join(i), p) for i, p in lines_of(out))["b"]))
        mass = [round(above - below, 9) for above, below in zip(tail, [*tail[1:], 0.0])]
        self.assertEqual(mass, [0.03, 0.22, 0.47, 0.28])

    def test_small_tables_beside_their_worlds(self):
        for seed in range(20):
            draw = random.Random(seed)
            rows = [([item for item in "abcde" if draw.random() < 0.65] or ["e"],
                     1.0 if draw.random() < 0.15 else round(draw.uniform(0.001, 0.999), 6))
                    for _ in range(draw.randint(6, 9))]
            data = self.uncertain(rows)
            backend = ("--backend", ("cpu", "reference")[seed % 2], "--threads", 1 + seed % 3)
            for least, share in ((1, 0.9), (2, 0.5), (4, 0.05)):
                with self.subTest(seed=seed, least=least, share=share):
                    out, _ = self.search(*data, "--min-count", least, "--min-probability", share, *backend)
                    self.expect_sets(out, rows, least, share)

    def test_certain_transactions_have_the_sets_of_the_default(self):
        draw = random.Random(3)
        rows = [([item for item in "abcdefgh" if draw.random() < 0.6] or ["a"], 1.0) for _ in range(60)]
        data = self.uncertain(rows)
        for options in (["--min-count", 15], ["--min-support", "20%", "--min-length", 2, "--max-length", 3],
                        ["--min-count", 61]):
            expected, _ = self.atoll("itemsets", *data[:5], *options, "-o", "-")
            expected = [(line[:line.rindex(" (")], "1.000000000") for line in expected.splitlines()]
            for likely in (data, data[:5]):
                out, err = self.search(*likely, *options, "--min-probability", 1)
                self.assertEqual([(" ".join(items), p) for items, p in lines_of(out)], expected)
                warned = [line for line in err.splitlines() if "warning" in line]
                self.assertEqual(len(warned), 0 if likely is data else 1, err)
                for line in warned:
                    self.assertIn("has no probabilities: each transaction is taken for certain", line)
            counts, _ = self.search(*data, *options, "--min-probability", 1, "--count-only")
            self.assertEqual(counts, self.atoll("itemsets", *data[:5], *options, "--count-only")[0])

    def test_lengths_and_numbers(self):
        data = self.uncertain(BASKETS)
        options = (*data, "--min-count", 1, "--min-probability", 0.1)
        out, _ = self.search(*options)
        sets = lines_of(out)
        self.assertEqual(sorted(len(items) for items, _ in sets), [1, 1, 1, 2, 2, 2, 3])
        for low, high in ((1, 1), (2, 2), (2, 3), (3, 3)):
            some, _ = self.search(*options, "--min-length", low, "--max-length", high)
            self.assertEqual(lines_of(some), [s for s in sets if low <= len(s[0]) <= high])
        counts, _ = self.atoll("itemsets", *options, *PROBABILISTIC, "--count-only")
        self.assertEqual(counts, "length\tsets\n1\t3\n2\t3\n3\t1\n")

    def test_shares_are_of_all_transactions(self):
        data = self.uncertain(BASKETS)
        expected, _ = self.search(*data, "--min-count", 2, "--min-probability", 0.5)
        for share in ("50%", "0.5", "2rows"):
            self.assertEqual(self.search(*data, "--min-support", share, "--min-probability", "50%")[0], expected)

    def test_ranks_and_threads_give_the_same_bytes(self):
        self.need_mpi()
        draw = random.Random(11)
        rows = [([item for item in "abcdefghij" if draw.random() < 0.5] or ["a"], draw.uniform(0.01, 1))
                for _ in range(200)]
        options = (*self.uncertain(rows), "--min-count", 20, "--min-probability", 0.2, "--backend", "cpu")
        for name in ("sets.txt", "sets.json"):
            self.search(*options, "--threads", 1, output=name)
            self.search(*options, "--threads", 1, output="2." + name, ranks=2)
            self.search(*options, "--threads", 3, output="3." + name)
            self.assertGreater(self.content(name).count("\n"), 50)
            for other in ("2.", "3."):
                self.assertEqual(self.content(other + name), self.content(name))


class Forms(Probabilistic):
    def test_of_text(self):
        rows = [*BASKETS, (["=x", 'red "wine", dry', "a"], 0.25)]
        data = self.write("t.csv", 'a,b\nb,c\na\na,b,c\n=x,"red ""wine"", dry",a\n')
        likely = self.write("t.p", "0.8\n0.7\n0.9\n0.5\n0.25\n")
        options = (data, "--format", "baskets", "--delimiter", ",", "--probabilities", likely, "--min-count", 1,
                   "--min-probability", 0.1)
        out, _ = self.search(*options)
        for name in ("o.txt", "o.dat", "o"):
            self.search(*options, output=name)
            self.assertEqual(self.content(name), out)
        self.search(*options, output="o.json")
        sets = json.loads(self.content("o.json"))
        self.assertEqual([" ".join(map(in_line, s["items"])) + f" ({s['probability']:.9f})" for s in sets], out.splitlines())
        self.assertEqual(len(self.content("o.json").splitlines()), len(sets) + 2)
        self.search(*options, output="o.csv")
        with open(self.folder / "o.csv", newline="", encoding="utf-8") as file:
            table = list(csv.reader(file))
        self.assertEqual(table[0], CSV_COLUMNS)
        self.assertEqual(len(table), len(sets) + 1)
        expected = by_enumeration(rows, 1)
        for record, fields in zip(sets, table[1:]):
            self.assertEqual(set(record), {"items", *CSV_COLUMNS[2:]})
            joined = " AND ".join(map(in_line, record["items"]))
            self.assertEqual(fields[0], "'" + joined if joined.startswith("=") else joined)
            self.assertEqual(fields[1], str(len(record["items"])))
            self.assertEqual(fields[2], f"{record['probability']:.9f}")
            self.assertEqual([float(text) for text in fields[3:5]], [record["expected_support"], record["variance"]])
            self.assertEqual(fields[5], str(record["transactions"]))
            chosen = frozenset(record["items"])
            self.assertEqual(record["transactions"], expected[chosen][1])
            likely = [p for row, p in rows if chosen <= set(row)]
            self.assertAlmostEqual(record["expected_support"], sum(likely), 8)
            self.assertAlmostEqual(record["variance"], sum(p * (1 - p) for p in likely), 8)

    def test_without_sets(self):
        data = self.uncertain(BASKETS)
        for name, text in (("o.txt", ""), ("o.json", "[\n]\n"), ("o.csv", ",".join(CSV_COLUMNS) + "\n")):
            self.search(*data, "--min-count", 4, "--min-probability", 0.9, output=name)
            self.assertEqual(self.content(name), text)

    def test_info_tells_what_they_are(self):
        data = self.uncertain(BASKETS)
        for name in ("o.txt", "o.json", "o.csv"):
            self.search(*data, "--min-count", 1, "--min-probability", 0.1, output=name)
            self.assertIn("sets of items that atoll itemsets --algorithm probabilistic has found",
                          self.atoll("info", name)[0])
            self.assertEqual(json.loads(self.atoll("info", name, "--json")[0]),
                             {"kind": "itemsets", "command": "itemsets --algorithm probabilistic"})

    def test_another_search_does_not_go_on(self):
        """And the same one ends with the same bytes, however often it was stopped."""
        draw = random.Random(4)
        rows = [([str(i) for i in range(24) if draw.random() < 0.6] or ["0"], round(draw.uniform(0.3, 1), 3))
                for _ in range(1500)]
        search = (*self.uncertain(rows), "--min-count", 60, "--backend", "cpu", "--threads", 1, *PROBABILISTIC)
        words = ["itemsets", *search, "--min-probability", 0.3]
        self.atoll(*words, "-o", "whole")
        for stops in range(1000):
            job = self.start(*words, "-o", "sets", "--stop-after", "0.001s")
            _, err = job.communicate(timeout=PATIENCE)
            if job.returncode == 0:
                break
            self.assertEqual(job.returncode, 75, err)
            self.assertFalse((self.folder / "sets").exists())
            if stops == 0:
                self.fails(*words, "-o", "sets", "--max-length", 2, status=64, says="another --max-length")
                self.fails(*words[:-1], 0.4, "-o", "sets", status=64, says="another --min-probability")
                (self.folder / "sets.checkpoint").rename(self.folder / "sets.csv.checkpoint")
                self.fails(*words, "-o", "sets.csv", status=64, says="an OUT of another form")
                (self.folder / "sets.csv.checkpoint").rename(self.folder / "sets.checkpoint")
        self.assertGreater(stops, 0)
        self.assertEqual(self.content("sets"), self.content("whole"))
        self.assertFalse((self.folder / "sets.checkpoint").exists())


class Sources(Probabilistic):
    LIMITS = ("--min-count", 2, "--min-probability", 0.5)

    def test_packed_and_standard_input(self):
        data = self.uncertain(BASKETS)
        expected, _ = self.search(*data, *self.LIMITS)
        packed = self.folder / "p.gz"
        packed.write_bytes(gzip.compress(data[-1].read_bytes()))
        self.assertEqual(self.search(*data[:-1], packed, *self.LIMITS)[0], expected)
        with open(data[-1], encoding="utf-8") as likely:
            self.assertEqual(self.search(*data[:-1], "-", *self.LIMITS, stdin=likely)[0], expected)
        with open(data[0], encoding="utf-8") as text:
            self.assertEqual(self.search("-", *data[1:], *self.LIMITS, stdin=text)[0], expected)

    def test_a_file_of_transactions(self):
        data = self.uncertain(BASKETS)
        expected, _ = self.search(*data, *self.LIMITS)
        self.atoll("import", *data, "-o", "t.h5")
        out, err = self.search("t.h5", *self.LIMITS)
        self.assertEqual(out, expected)
        self.assertNotIn("warning", err)
        self.fails("itemsets", "t.h5", *PROBABILISTIC, *self.LIMITS, "-o", "x", "--probabilities", data[-1], status=64,
                   says="t.h5 holds probabilities itself: leave --probabilities out")
        self.fails("itemsets", "t.h5", *PROBABILISTIC, *self.LIMITS, "-o", "x", "--probability-column", "p", status=64,
                   says="--probability-column is of tables")
        self.atoll("import", *data[:5], "-o", "certain.h5")
        self.assertEqual(self.search("certain.h5", *self.LIMITS, "--probabilities", data[-1])[0], expected)
        for options in ([], ["--algorithm", "apriori"], ["--algorithm", "pairs"], ["--rules"]):
            out, err = self.atoll("itemsets", "t.h5", "--min-count", 1, "-o", "-", *options)
            self.assertEqual(out, self.atoll("itemsets", data[0], *data[1:5], "--min-count", 1, "-o", "-",
                                             *options)[0])
            self.assertEqual(err.count("t.h5: its probabilities are left out, as only --algorithm probabilistic "
                                       "heeds them\n"), 1, err)

    def test_a_column_of_a_table(self):
        table = self.write("t.csv", "size,p,color\nbig,0.8,red\nsmall,0.7,blue\nbig,0.9,blue\nbig,0.5,red\n")
        rows = [({"size=big", "color=red"}, 0.8), ({"size=small", "color=blue"}, 0.7),
                ({"size=big", "color=blue"}, 0.9), ({"size=big", "color=red"}, 0.5)]
        self.atoll("import", table, "-o", "t.h5")
        for data in ([table, "--format", "table"], ["t.h5"], ["t.h5", "--format", "table"]):
            out, err = self.search(*data, "--probability-column", "p", "--min-count", 1, "--min-probability", 0.3)
            self.expect_sets(out, rows, 1, 0.3)
            self.assertNotIn("warning", err)
        comma = self.write("c.csv", table.read_text().replace(",", ";").replace("0.", "0,"))
        out, _ = self.search(comma, "--format", "table", "--decimal", "comma", "--probability-column", "p",
                             "--min-count", 1, "--min-probability", 0.3)
        self.expect_sets(out, rows, 1, 0.3)

    def test_a_column_of_a_one_hot_table(self):
        table = self.write("t.csv", "a,b,c,p\n1,1,0,0.8\n0,1,1,0.7\n1,0,0,0.9\n1,1,1,0.5\n")
        for form in ([], ["--format", "onehot"]):
            out, _ = self.search(table, *form, "--probability-column", "p", *self.LIMITS)
            self.assertEqual(out, "a (0.850000000)\nb (0.750000000)\n")


class Refusals(Probabilistic):
    LIMITS = (*PROBABILISTIC, "--min-count", 1, "--min-probability", 0.5)

    def refuses(self, *arguments, status, says):
        """And writes nothing."""
        before = {path.name for path in self.folder.iterdir()}
        self.fails("itemsets", *arguments, "-o", "x", status=status, says=says)
        self.assertEqual({path.name for path in self.folder.iterdir()}, before)

    def test_bad_probabilities(self):
        data = self.write("t.dat", "1 2\n2\n3\n")
        for name, text, says in (
                ("few", "1\n0.5\n", "p:3:1: found 'the end', expected the probability of transaction 3 of 3"),
                ("many", "1\n1\n1\n0.5\n", "p:4:1: found '0.5', expected the end, as there are 3 transactions"),
                ("none", "", "p: is empty, expected a text"),
                ("nan", "1\nnan\n1\n", "p:2:1: found 'nan', expected a probability, above 0 and at most 1"),
                ("negative", "-0.5\n1\n1\n", "p:1:1: found '-0.5'"),
                ("zero", "1\n1\n0\n", "p:3:1: found '0'"),
                ("above", "1\n1.0000001\n1\n", "p:2:1: found '1.0000001'"),
                ("comma", "1\n  0,5\n1\n", "p:2:3: found '0,5'"),
                ("percent", "50%\n1\n1\n", "p:1:1: found '50%'"),
                ("word", "1\nlikely\n1\n", "p:2:1: found 'likely'"),
                ("empty", "1\n\n1\n", "p:2:1: found ''"),
                ("binary", b"1\n\x00\xff\x01\n1\n", "p:2"),
                ("cut", gzip.compress(b"1\n1\n1\n" * 99)[:-9], "p")):
            with self.subTest(name):
                self.write("p", text)
                self.refuses(data, "--probabilities", "p", *self.LIMITS, status=65, says=says)

    def test_files_that_are_none(self):
        data = self.write("t.dat", "1 2\n2\n")
        (self.folder / "d").mkdir()
        for name in ("none.txt", "d"):
            self.refuses(data, "--probabilities", name, *self.LIMITS, status=66, says=name)
        self.refuses("none.dat", "--probabilities", data, *self.LIMITS, status=66, says="none.dat")
        likely = self.write("p", "1\n0.5\n")
        self.fails("itemsets", data, "--probabilities", "p", *self.LIMITS, "-o", "p", "--force", status=64, says="p")
        self.assertEqual(likely.read_text(), "1\n0.5\n")
        self.refuses("-", "--probabilities", "-", *self.LIMITS, status=64, says="can be given only once")

    def test_bad_columns(self):
        for name, cell in (("zero", "0"), ("above", "1.5"), ("word", "x"), ("missing", ""), ("mark", "?"),
                           ("nan", "nan"), ("comma", '"0,5"')):
            with self.subTest(name):
                says = f"t.csv:3:2: found '{cell.strip(chr(34))}', expected a probability, above 0 and at most 1"
                table = self.write("t.csv", f"size,p,color\nbig,0.8,red\nsmall,{cell},blue\nbig,0.9,blue\n")
                self.refuses(table, "--format", "table", "--probability-column", "p", *self.LIMITS, status=65,
                             says=says)
                self.write("t.csv", f"a,p,b\n1,0.8,1\n0,{cell},1\n1,1,0\n")
                self.refuses(table, "--format", "onehot", "--probability-column", "p", *self.LIMITS, status=65,
                             says=says)
        table = self.write("t.csv", "size,p,p\nbig,0.8,1\nsmall,1,1\n")
        self.refuses(table, "--format", "table", "--probability-column", "p", *self.LIMITS, status=65, says="'p'")
        self.refuses(table, "--format", "table", "--probability-column", "q", *self.LIMITS, status=64,
                     says="--probability-column: ")
        self.refuses(self.write("t.dat", "1 2\n3\n"), "--probability-column", "p", *self.LIMITS, status=64,
                     says="--probability-column is of tables: give --format table or onehot if it is one, else "
                          "--probabilities FILE")
        self.write("t.csv", "size,p\nbig,0.8\nsmall,\nsmall,0.7\nbig,0.6\n")
        self.atoll("import", "t.csv", "-o", "t.h5")
        self.refuses("t.h5", "--probability-column", "p", *self.LIMITS, status=65,
                     says="t.h5: column 'p', row 2: found no value, expected a probability, above 0 and at most 1")

    def test_options(self):
        data = self.write("t.dat", "1 2\n2\n")
        limits = self.LIMITS
        for options, says in (
                ((*limits[:4],), "--algorithm probabilistic needs --min-probability, such as 0.9 or 90%"),
                ((*limits[:4], "--min-probability", 0), "--min-probability: "),
                ((*limits[:4], "--min-probability", 1.01), "--min-probability: "),
                ((*limits[:4], "--min-probability", "nan"), "--min-probability: "),
                ((*limits, "--rules"), "--algorithm probabilistic finds sets and makes no --rules"),
                ((*limits, "--closed"), "--algorithm probabilistic knows no --closed and no --maximal"),
                ((*limits, "--maximal"), "--algorithm probabilistic knows no --closed and no --maximal"),
                ((*limits, "--representation", "lists"), "--representation is of --algorithm pairs"),
                ((*limits, "--backend", "gpu"), "--backend: 'gpu'"),
                ((*limits, "--probabilities", "p", "--probability-column", "p"),
                 "give either --probabilities or --probability-column"),
                ((*limits, "--probabilities", ""), "--probabilities: there is no name"),
                (("--min-count", 1, "--min-probability", 0.5),
                 "--min-probability is of --algorithm probabilistic, which is missing"),
                (("--min-count", 1, "--algorithm", "apriori", "--probabilities", "p"),
                 "--probabilities is of --algorithm probabilistic, which is missing"),
                ((*PROBABILISTIC, "--min-probability", 0.5), "give either --min-support or --min-count")):
            with self.subTest(options=options):
                self.refuses(data, *options, status=64, says=says)

    def test_without_a_gpu(self):
        data = self.write("t.dat", "1 2\n2\n")
        self.fails("itemsets", data, *self.LIMITS, "--backend", "cuda", "-o", "x", status=69, says="backend cuda",
                   env=NO_GPU)


if __name__ == "__main__":
    unittest.main()
