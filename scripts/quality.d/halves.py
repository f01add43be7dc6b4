"""Tables with a target, split into a half to mine and a half to judge by."""
import argparse
import csv
import json
import lzma
import shutil

from coverage import Table, np
from merit import Half
from runs import atoll
from truth import source


class Question:
    """A table of ATOLL_DATA and what rules are about: a label of an attribute, or its mean."""

    def __init__(self, file, attribute, label=None, distinct=False):
        self.file, self.attribute, self.label, self.distinct = file, attribute, label, distinct

    @property
    def target(self):
        """As --target has it."""
        if self.label is None:
            return f"mean({self.attribute})"
        return f'{self.attribute} = "{self.label}"'

    @property
    def nominal(self):
        """Words for import: labels may be numbers."""
        return [] if self.label is None else ["--nominal", self.attribute]


QUESTIONS = {
    "spambase": Question("spambase", "Class", "1"),
    "page-blocks": Question("page-blocks", "Class", "2"),
    "connect-4": Question("connect-4", "Class", "win"),
    "shuttle": Question("shuttle", "Class", "4"),
    "mushroom-uci": Question("mushroom-uci", "Class", "p"),
    "kddcup99": Question("kddcup99_10pct", "Class", "normal."),
    "kddcup99-distinct": Question("kddcup99_10pct", "Class", "normal.", distinct=True),
    "thyroid": Question("thyroid", "Class", "2"),
    "house_16h": Question("house_16h", "Price"),
    "abalone": Question("abalone", "Rings"),
}


def list_of(names):
    """A type for argparse: 'A,B' of these names."""
    def parse(text):
        unknown = [name for name in text.split(",") if name not in names]
        if unknown:
            raise argparse.ArgumentTypeError(
                f"no '{unknown[0]}', expected some of {', '.join(names)}")
        return text.split(",")
    return parse


def assign(values, split):
    """[rows] true for the rows to mine: one of every two of each stratum, at random. Strata are the
    label and the others, or tenths by value."""
    rows = np.arange(len(values))
    strata = values
    if values.dtype != bool:
        rank = np.empty(len(values), dtype=np.int64)
        rank[np.argsort(values, kind="stable")] = rows
        strata = 10 * rank // len(values)
    order = np.lexsort((np.random.default_rng(split).random(len(values)), strata))
    mined = np.zeros(len(values), dtype=bool)
    mined[order[::2]] = True
    return mined


class Whole:
    """A table as text in the work folder, and its columns, the target's apart."""

    def __init__(self, name, question, work):
        self.name, self.question = name, question
        self.folder = work / name
        self.folder.mkdir(exist_ok=True)
        self.text = self.folder / "whole.csv"
        path = source(question.file)
        opened = lzma.open if path.suffix == ".xz" else open
        with opened(path, "rt", encoding="utf-8") as file, \
             open(self.text, "w", encoding="utf-8") as out:
            if question.distinct:
                out.writelines(dict.fromkeys(file))
            else:
                shutil.copyfileobj(file, out)
        file = self.folder / "whole.h5"
        atoll("import", self.text, "-o", file, "--force", *question.nominal)
        kinds = {a["name"]: a["kind"] for a in json.loads(atoll("info", file, "--json")[0])
                 ["attributes"]}
        labels = {}
        for attribute, column in self.columns_of_text():
            labels[attribute] = (None if kinds.get(attribute) == "numeric"  # of constants none
                                 else sorted(set(column) - {""}))
        self.table = Table(self.text, labels)
        values = self.table.columns.pop(question.attribute)
        if question.label is None:
            self.values = values
        else:
            self.values = values == labels[question.attribute].index(question.label)
        self.attributes = list(self.table.columns)

    def columns_of_text(self):
        with open(self.text, newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            return zip(next(rows), zip(*rows))


class Split:
    """Its half to mine as a file of Atoll's and as text, and both halves as columns."""

    def __init__(self, whole, number):
        self.whole, self.question = whole, whole.question
        self.folder = whole.folder / f"split-{number}"
        self.folder.mkdir(exist_ok=True)
        mined = assign(whole.values, number)
        self.text, self.data = self.folder / "train.csv", self.folder / "train.h5"
        with open(whole.text, encoding="utf-8") as file, \
             open(self.text, "w", encoding="utf-8") as out:
            out.write(next(file))
            out.writelines(line for line, is_mined in zip(file, mined) if is_mined)
        atoll("import", self.text, "-o", self.data, "--force", *self.question.nominal)
        self.train, self.test = (Half(whole.table.part(rows), whole.values[rows])
                                 for rows in (mined, ~mined))
