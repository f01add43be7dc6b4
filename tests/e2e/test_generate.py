"""Tables that are generated: the same bytes on any number of ranks and threads, and what goes wrong
said once."""

import hashlib
import unittest

from harness import MPIEXEC, EndToEnd

# Of each rank; 0 ranks is one process without a launcher.
SHARES = [(0, 1), (0, 3), (1, 2), (2, 2), (3, 1)]


class Generated(EndToEnd):
    def same_bytes(self, *table, files):
        written = {}
        for ranks, threads in SHARES if MPIEXEC else SHARES[:2]:
            self.atoll("generate", *table, "--threads", threads, "--force", ranks=ranks)
            for name in files:
                content = hashlib.sha256((self.folder / name).read_bytes()).hexdigest()
                self.assertEqual(written.setdefault(name, content), content,
                                 f"{name}: {ranks} ranks of {threads} threads")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), sorted(files))

    def test_planted_dataset(self):
        self.same_bytes("planted", "-o", "a.h5", "--rows", 140_000, "--attributes", 12,
                        files=["a.h5", "a.truth.json"])

    def test_planted_csv(self):
        self.same_bytes("planted", "-o", "a.csv", "--rows", 65_537, "--attributes", 12, "--schema",
                        "a.toml", files=["a.csv", "a.truth.json", "a.toml"])

    def test_poker(self):
        self.same_bytes("poker", "-o", "a.h5", "--rows", 600_000, files=["a.h5"])
        (self.folder / "a.h5").unlink()
        self.same_bytes("poker", "-o", "a.csv", "--rows", 1000, files=["a.csv"])

    def test_transactions(self):
        self.same_bytes("quest", "-o", "a.dat", "--rows", 70_000, "--probabilities", "uniform",
                        files=["a.dat", "a.probabilities.txt"])
        for name in ("a.dat", "a.probabilities.txt"):
            self.assertEqual(len((self.folder / name).read_text().splitlines()), 70_000)
            (self.folder / name).unlink()
        self.same_bytes("random-baskets", "-o", "a.dat", "--rows", 70_000, "--items", 50,
                        files=["a.dat"])
        # So long that blocks are shorter.
        self.same_bytes("random-baskets", "-o", "a.dat", "--rows", 4000, "--items", 1500, "--probability",
                        1, files=["a.dat"])

    def test_probabilities_of_other_transactions(self):
        self.atoll("generate", "quest", "-o", "a.dat", "--rows", 5, "--probabilities", "uniform")
        _, err = self.atoll("generate", "quest", "-o", "a.dat", "--rows", 5, "--force")
        self.assertIn("a.probabilities.txt is of other transactions", err)

    def test_csv_and_dataset_are_the_same_table(self):
        self.atoll("generate", "planted", "-o", "a.csv", "--rows", 70_000, "--schema", "a.toml")
        self.atoll("generate", "planted", "-o", "b.h5", "--rows", 70_000)
        self.atoll("import", "a.csv", "--schema", "a.toml", "-o", "a.h5")
        self.assertEqual(self.fingerprint("a.h5"), self.fingerprint("b.h5"))

    def fingerprint(self, name):
        out, _ = self.atoll("info", name)
        return next(line for line in out.splitlines() if "fingerprint" in line)


class Failures(EndToEnd):
    ranks = 0

    def refuses(self, *arguments, status, says, **popen):
        before = sorted(self.folder.iterdir())
        out, err = self.atoll("generate", *arguments, ranks=self.ranks, status=status, **popen)
        self.assertEqual(out, "")
        said = [line for line in err.splitlines() if line.startswith("atoll: ")]  # then mpiexec speaks
        self.assertEqual(len(said), 1, err)
        self.assertIn(says, said[0])
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_wrong_options(self):
        self.refuses("poker", "-o", "a.txt", status=64, says="expected a name that ends in .csv or .h5")
        self.refuses("poker", "-o", "a.h5", "--threads", "two", status=64, says="--threads")
        self.refuses("planted", "-o", "a.h5", "--rows", 10, "--attributes", 5, status=64,
                     says="planted rules need at least 10")
        self.refuses("planted", "-o", "a.h5", "--rows", 1, status=64,
                     says="every attribute is constant in so few")
        self.refuses("planted", "-o", "a.h5", "--rows", 10, "--truth", "a.h5", status=64,
                     says="is to be written twice")
        self.refuses("quest", "-o", "a.h5", "--rows", 1, status=64,
                     says="expected a name that ends in .dat")
        self.refuses("quest", "-o", "a.dat", "--rows", 1, "--probabilities", "normal:2,1", status=64,
                     says="expected uniform, or normal:MEAN,VARIANCE")
        self.refuses("quest", "-o", "a.dat", "--rows", 1, "--probabilities-file", "p.txt", status=64,
                     says="needs --probabilities")
        for option in ("--length", "--pattern-length", "--correlation", "--corruption"):
            for value in ("nan", "501"):
                self.refuses("quest", "-o", "a.dat", "--rows", 1, option, value, status=64,
                             says=f"{option}: '{value}' is no number from ")
        self.refuses("random-baskets", "-o", "a.dat", "--rows", 1, "--probability", 0, status=64,
                     says="--probability: '0' is no number from 1e-09 to 1")
        self.refuses("random-baskets", "-o", "a.dat", "--rows", 1, "--items", 20_000, "--probability",
                     0.6, status=64, says="12000 items a transaction; at most 10000")
        self.refuses("quest", "-o", "a.dat", "--rows", 1, "--patterns", 1_000_000, "--pattern-length", 30,
                     status=64, says="30000000 items; at most 20000000")
        self.refuses("planted", "-o", "a.h5", "--rows", 10, "--missing", "nan", status=64,
                     says="--missing: 'nan' is no number from 0 to 0.9")
        self.refuses("random-baskets", "-o", "a.dat", "--rows", 1, "--probabilities", "uniform",
                     "--probabilities-file", "./a.dat", status=64, says="is to be written twice")
        self.write("a.h5", "")
        self.refuses("poker", "-o", "a.h5", status=64, says="exists already")

    def test_places_that_cannot_be_written(self):
        for name in ("absent/a.h5", "absent/a.csv"):
            self.refuses("poker", "-o", name, "--rows", 1000, status=73, says="absent/a")
            self.refuses("planted", "-o", name, "--rows", 1000, status=73, says="absent/a")
        self.refuses("quest", "-o", "absent/a.dat", "--rows", 1000, status=73, says="absent/a")

    def test_a_full_disk(self):
        for name in ("a.csv", "a.h5"):
            self.let_fail(f"ENOSPC {name}")
            for command in ("poker", "planted"):
                self.refuses(command, "-o", name, "--rows", 200_000, status=73,
                             says=": No space left on device", **self.faulty)


class FailuresOnRanks(Failures):
    ranks = 3

    def setUp(self):
        super().setUp()
        self.need_mpi()


if __name__ == "__main__":
    unittest.main()
