"""The file of transactions, as h5py reads it and as strangers may have changed it."""

import json
import random
import subprocess
import unittest

import h5py
import numpy

from altered_files import Original, judge
from harness import ATOLL
from test_transactions import Transactions


class Files(Transactions):
    def test_h5py_reads_them_as_described(self):
        self.imported("t.h5", "--partition-rows", 4096)
        with h5py.File(self.folder / "t.h5") as file:
            self.assertEqual(file.attrs["format"].decode(), "atoll.transactions")
            self.assertEqual(file.attrs["transactions"], 1500)
            ends = file["items/name_end"][...]
            text = bytes(file["items/name_text"][...])
            names = [text[begin:end].decode() for begin, end in zip([0, *ends], ends)]
            begins = [0, *map(int, numpy.cumsum(file["transactions/length"][...]))]
            items = file["transactions/item"][...]
            self.assertEqual(list(file["partitions/begin"]), [0])
        self.assertEqual([[names[i] for i in items[b:e]] for b, e in zip(begins, begins[1:])],
                         self.baskets())
        report = json.loads(self.atoll("info", "t.h5", "--json")[0])
        self.assertEqual((report["kind"], report["transactions"], report["items"]), ("transactions", 1500, 10))
        self.assertEqual(report["most_frequent"][0], {"item": "rice", "transactions": 1500})
        self.imported("again.h5", "--partition-rows", 4096)
        self.assertEqual((self.folder / "again.h5").read_bytes(), (self.folder / "t.h5").read_bytes())

    def test_what_takes_tables_says_so(self):
        self.imported()
        for words in (("enumerate", "t.h5", "-o", "x"), ("classify", "train", "t.h5", "-o", "x", "--class",
                                                         "milk"),
                      ("itemsets", "t.h5", "--format", "table", "-o", "x", "--min-count", 1)):
            self.fails(*words, status=65, says="t.h5: holds transactions, expected a table")
            self.assertFalse((self.folder / "x").exists())
        for words in (("enumerate", self.fimi(), "-o", "x"), ("classify", "cv", "numbers.dat", "--class", "1"),
                      ("classify", "train", "numbers.dat", "-o", "x", "--class", "1")):
            self.fails(*words, status=65, says="numbers.dat: holds transactions, expected a table")
        self.fails("enumerate", "numbers.dat", "-o", "x", "--format", "csv", status=65, says="fewer than two nominal")

    def test_too_little_memory(self):
        self.write("many.dat", "".join(f"{t % 8192}\n" for t in range(1_000_000)))
        self.atoll("import", "many.dat", "--format", "fimi", "-o", "many.h5", "--memory-limit", "16M")
        done = subprocess.run(["sh", "-c", 'ulimit -v 900000; exec "$@"', "sh", ATOLL, "mine", "many.h5", "-o",
                               "run", "--threads", "1", "--min-support", "100rows"],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 74, done.stderr)
        self.assertRegex(done.stderr, r"^atoll: 8192 items kept of 1000000 transactions take 977 MiB of memory, "
                                      r"and \d+ MiB are left: take a greater --min-support\n$")
        self.assertFalse((self.folder / "run").exists())

    def test_altered_files_get_one_line(self):
        """The metadata of a stranger's file, with a trailer that fits."""
        self.imported()
        original = Original(self.folder / "t.h5", self.folder / "copy.h5")
        (self.folder / "t.h5").write_bytes(original.unaltered())
        self.atoll("info", "t.h5")
        draw = random.Random(6)
        refused = 0
        for number in range(40):
            (self.folder / "t.h5").write_bytes(original.altered(draw))
            with self.subTest(number):
                outcome = judge([ATOLL, "info", "t.h5"], self.folder)
                self.assertIn(outcome.status, (0, 65), outcome.text)
                self.assertEqual(len(outcome.text.splitlines()), 1 if outcome.status else 0, outcome.text)
                self.assertLess(outcome.seconds, 10)
                self.assertLess(outcome.megabytes, 1024)
                refused += outcome.status == 65
        self.assertGreater(refused, 10)

    def test_probabilities_are_kept(self):
        self.atoll("generate", "quest", "-o", "q.dat", "--rows", 500, "--probabilities", "uniform")
        self.atoll("import", "q.dat", "--probabilities", "q.probabilities.txt", "-o", "q.h5")
        lines = (self.folder / "q.probabilities.txt").read_text().splitlines()
        with h5py.File(self.folder / "q.h5") as file:
            self.assertEqual(list(file["transactions/probability"]), [float(line) for line in lines])


if __name__ == "__main__":
    unittest.main()
