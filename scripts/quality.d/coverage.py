"""Which rows of a table the sides of a rule cover."""
import copy
import csv
import functools
import itertools

try:
    import numpy as np
except ImportError:  # scripts/quality --help needs none, and says what is missing otherwise
    np = None


class Table:
    """Columns of a CSV file: float64 with NaN where a value is missing, or codes of labels with -1
    there."""

    def __init__(self, path, labels, first_row=0, missing=frozenset({""})):
        """@param labels  attribute -> its labels in order, or None if it is numeric
           @param first_row  rows before it are left out
           @param missing  tokens that mean there is no value"""
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.reader(file)
            names = next(reader)
            rows = list(itertools.islice(reader, first_row, None))
        self.rows = len(rows)
        self.labels = labels
        self.columns = {}
        for name, column in zip(names, zip(*rows)):
            if labels[name] is None:
                self.columns[name] = np.array(
                    ["nan" if v in missing else v for v in column], dtype=np.float64)
            else:
                code = {label: i for i, label in enumerate(labels[name])}
                code |= dict.fromkeys(missing, -1)
                self.columns[name] = np.array([code[v] for v in column])
        self.holds = functools.lru_cache(maxsize=None)(self._holds)

    def _holds(self, name, relation, values):
        column = self.columns[name]
        labels = self.labels[name]
        present = ~np.isnan(column) if labels is None else column >= 0
        if values[0] is None:
            return ~present if relation == "=" else present
        low, high = (v if labels is None else labels.index(v) for v in (values[0], values[-1]))
        inside = {
            "<": lambda: column < low,
            "<=": lambda: column <= low,
            ">": lambda: column > low,
            ">=": lambda: column >= low,
        }.get(relation, lambda: (column >= low) & (column <= high))()
        return present & (~inside if relation in ("!=", "not in") else inside)

    def part(self, chosen):
        """A table of the chosen rows alone, given as a mask or as numbers."""
        part = copy.copy(self)
        part.columns = {name: column[chosen] for name, column in self.columns.items()}
        part.rows = len(next(iter(part.columns.values())))
        part.holds = functools.lru_cache(maxsize=None)(part._holds)
        return part

    def covered(self, side):
        """Rows on which all comparisons, as rules.json has them, hold."""
        return np.logical_and.reduce(
            [self.holds(c["attribute"], c["relation"], tuple(c["values"])) for c in side])


def jaccard(a, b):
    """Rows in both among the rows in either; 0 if there are none."""
    either = np.count_nonzero(a | b)
    return np.count_nonzero(a & b) / either if either else 0.0


def is_conjunctive(rule):
    """Comparisons as rules.json lists them are joined by AND alone; judged by words outside of
    quotes."""
    words = " ".join(rule["rule"].replace('\\"', "").split('"')[::2]).split()
    return "OR" not in words and "NOT" not in words
