"""Are decision lists as good as other small classifiers? 3 x 5 folds, the same for all."""
import pathlib
import sys
import tempfile

import classify_folds
from classify_folds import SHOWN_ONLY, TABLES
from classify_learners import LEARNERS, DecisionTreeClassifier, samples
from classify_records import Cache, compute

SIZES, KDD_SIZES = (5, 10, 20, 40), (20, 40, 100)
FREE = ("tuned tree",)  # learners that choose their size


def compute_table(cache, options, table):
    names, rows = classify_folds.read_rows(table)
    data, folds = samples(names, rows), classify_folds.folds(table, rows)
    for name in options.learners:
        sizes = [None] if name in FREE else list(KDD_SIZES if table == "kdd" else SIZES)
        for balanced in (False, True):
            compute(cache, table, data, folds, name, LEARNERS[name], sizes, balanced)
            print(f"{table}: {name}{', balanced' if balanced else ''}", file=sys.stderr)


def run(options, mine_options):
    cache = Cache(options.cache)
    for table in options.tables:
        compute_table(cache, options, table)


def words(text):
    return text.split(",")


def add_command(commands):
    parser = commands.add_parser("classify", help=__doc__)
    parser.add_argument("--tables", type=words, default=list(TABLES))
    parser.add_argument("--learners", type=words, default=list(LEARNERS))
    parser.add_argument("--cache", default=str(pathlib.Path(tempfile.gettempdir()) / "quality"
                                               / "classify.jsonl"))
    parser.set_defaults(run=run)
