"""Each task keeps to what task_contract.py says of all."""

import random
import re
import unittest

from harness import EndToEnd
from task_contract import Contract


def dense(rows, items, chance, seed):
    """Transactions that have most of the items."""
    draw = random.Random(seed)
    return "".join(" ".join(str(i) for i in range(items) if draw.random() < chance) + "\n" for _ in range(rows))


def labels(rows, columns):
    """Columns of three labels; the last one follows from two others."""
    draw = random.Random(5)
    lines = [",".join(f"c{i}" for i in range(columns + 1))]
    for _ in range(rows):
        row = [draw.choice("pqr") for _ in range(columns)]
        row.append("yes" if row[0] == "p" and row[3] == "q" else draw.choice("no"))
        lines.append(",".join(row))
    return "\n".join(lines) + "\n"


class ItemsetsCounted(Contract, EndToEnd):
    data = ("data.dat", dense(500, 36, 0.7, 7))
    words = ("itemsets", "data.dat", "--backend", "cpu", "--min-count", 31, "--count-only")
    other = ("--max-length", 7)
    differs = "another --max-length"


class ItemsetsListed(Contract, EndToEnd):
    data = ("data.dat", dense(500, 24, 0.75, 8))
    words = ("itemsets", "data.dat", "--min-count", 36, "--closed", "--min-length", 10)
    other = ("--max-length", 12)
    differs = "another --max-length"


class ItemsetsByLevel(Contract, EndToEnd):
    data = ("data.dat", dense(2000, 30, 0.6, 8))
    words = ("itemsets", "data.dat", "--algorithm", "apriori", "--backend", "cpu", "--min-count", 50, "--count-only")
    other = ("--min-length", 2)
    differs = "another --min-length"


class ItemsetPairs(Contract, EndToEnd):
    data = ("data.dat", dense(300, 2000, 0.04, 9))
    words = ("itemsets", "data.dat", "--algorithm", "pairs", "--min-count", 2, "--rules", "--measures", "lift")
    other = ("--min-confidence", 0.1)
    differs = "another --min-confidence"


class ProbabilisticItemsets(Contract, EndToEnd):
    data = ("data.h5", None)
    words = ("itemsets", "data.h5", "--algorithm", "probabilistic", "--backend", "cpu", "--min-count", 60,
             "--min-probability", 0.3)
    other = ("--max-length", 9)
    differs = "another --max-length"

    def write(self, name, content):
        """Of the data: transactions with their probabilities, in one file."""
        if name != "data.h5":
            return super().write(name, content)
        draw = random.Random(10)
        data = super().write("data.dat", dense(1500, 24, 0.6, 10))
        likely = super().write("data.p", "".join(f"{draw.uniform(0.3, 1):.3f}\n" for _ in range(1500)))
        self.atoll("import", data, "--format", "fimi", "--probabilities", likely, "-o", name)
        return self.folder / name


class Enumerate(Contract, EndToEnd):
    data = ("data.csv", labels(6000, 20))
    words = ("enumerate", "data.csv", "--max-length", 6, "--top", 1000)
    other = ("--max-consequent", 0.5)
    differs = "another --max-consequent"
    out = "out.json"


class CrossValidation(Contract, EndToEnd):
    data = ("data.csv", labels(200, 4))
    words = ("classify", "cv", "data.csv", "--class", "c4", "--compare", "--folds", 4, "--repeats", 4, "--islands", 1,
             "--population", 20, "--generations", 60, "--patience", 0)
    other = ("--seed", 7)
    differs = "another --seed"
    out = "out.json"

    def comparable(self, content):
        return re.sub(rb'"seconds": [-+.0-9e]+', b"", content)


class GenerateTable(Contract, EndToEnd):
    words = ("generate", "planted", "--rows", 500000, "--attributes", 10, "--truth", "truth")
    other = ("--seed", 7)
    differs = "another --seed"
    out = "out.csv"
    beside = ("truth",)

    def comparable(self, content):
        return content + (self.folder / "truth").read_bytes()


class GenerateTransactions(Contract, EndToEnd):
    words = ("generate", "random-baskets", "--rows", 1500000, "--items", 8, "--probability", 0.3)
    other = ("--seed", 7)
    differs = "another --seed"
    out = "out.dat"


if __name__ == "__main__":
    unittest.main()
