#!/usr/bin/env python3
"""Applies a PMML model to a CSV table with programs that are not ours, pypmml and jpmml_evaluator, and
compares what each of them predicts with what we did.

  check_pmml.py MODEL.pmml TABLE.csv EXPECTED.csv [--column NAME] [--missing TOKENS]

EXPECTED.csv has a row for each of TABLE.csv, the class in its last column, or in the one that is named.
Exits 0 if all are the same, 1 if not, 77 if nothing was compared because java or both are absent."""

import argparse
import csv
import shutil
import sys
import xml.etree.ElementTree

SKIPPED = 77
PMML = "{http://www.dmg.org/PMML-4_4}"


def skipped(reason):
    print(f"SKIPPED: check_pmml.py: {reason}", file=sys.stderr)


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Fields:
    """Of a model: its target, and its inputs as typed values, None for a missing one."""

    def __init__(self, path, missing):
        root = xml.etree.ElementTree.parse(path).getroot()
        self.missing = missing
        self.types = {field.get("name"): field.get("dataType")
                      for field in root.iter(PMML + "DataField")}
        usage = {field.get("name"): field.get("usageType") for field in root.iter(PMML + "MiningField")}
        self.inputs = [name for name, use in usage.items() if use == "active"]
        self.target = next(name for name, use in usage.items() if use == "target")

    def of(self, row):
        return {name: self.value(row[name], self.types[name]) for name in self.inputs}

    def value(self, text, data_type):
        if text in self.missing:
            return None
        return float(text) if data_type == "double" else text


def by_pypmml(path, fields):
    from pypmml import Model
    if any(fields.types[name].startswith("date") for name in fields.inputs):
        raise NotImplementedError("pypmml takes every date for missing")
    model = Model.fromFile(path)
    return lambda row: model.predict(row)["predicted_" + fields.target]


def by_jpmml(path, fields):
    from jpmml_evaluator import make_evaluator
    evaluator = make_evaluator(path).verify()
    return lambda row: evaluator.evaluate(row)[fields.target]


def differences(name, predict, fields, rows, expected):
    different = 0
    for number, (row, ours) in enumerate(zip(rows, expected), 1):
        theirs = predict(fields.of(row))
        if theirs != ours:
            different += 1
            if different <= 10:
                print(f"row {number}: {name} {theirs!r}, we {ours!r}: {row}")
    print(f"{name}: {len(rows)} rows, {different} decided in another way")
    return different


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("table")
    parser.add_argument("expected")
    parser.add_argument("--column", help="of EXPECTED.csv, that has the classes")
    parser.add_argument("--missing", default=",?,NA", help="tokens, with commas between them")
    options = parser.parse_args()

    # What is no XML is our fault, whoever is there to read it.
    fields = Fields(options.model, set(options.missing.split(",")))
    rows = read_table(options.table)
    predictions = read_table(options.expected)
    if len(rows) != len(predictions):
        print(f"{len(rows)} rows, but {len(predictions)} predictions")
        return 1
    expected = [row[options.column or list(row)[-1]] for row in predictions]

    if shutil.which("java") is None:
        skipped("java is not there; nothing was compared")
        return SKIPPED
    different, compared = 0, 0
    for name, make in (("pypmml", by_pypmml), ("jpmml_evaluator", by_jpmml)):
        try:
            predict = make(options.model, fields)
        except (ImportError, NotImplementedError) as error:
            skipped(f"{error}; {name} was not asked")
            continue
        different += differences(name, predict, fields, rows, expected)
        compared += 1
    if compared == 0:
        skipped("nothing was compared")
        return SKIPPED
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
