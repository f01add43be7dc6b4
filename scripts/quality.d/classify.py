"""Are decision lists as good as other small classifiers? 3 x 5 folds, the same for all."""
import pathlib
import sys
import tempfile

import classify_atoll
import classify_folds
import classify_python
import classify_weka
from classify_folds import REPEATS, TABLES
from classify_learners import LEARNERS, DecisionTreeClassifier, samples
from classify_records import Cache, compute, read_records
from classify_verdicts import (BETWEEN, KDD_SIZES, SHORT, SHORT_SIZE, SHORT_TABLE, SIZES, report)
from runs import Failure, write_json
from tables import machine

PEERS = {"JRip": classify_weka.learner("JRip"), "PART": classify_weka.learner("PART"),
         "STreeD": classify_python.learner("streed", sizes=(5, 10), apart=True),
         "wittgenstein": classify_python.learner("ripper", sizes=(None,), classes=2),
         "FIGS": classify_python.learner("figs", apart=True),
         "BoostedRules": classify_python.learner("boosted_rules", apart=True)}


def sizes_of(table, learner, name):
    """As the criteria ask; Atoll also chooses its size itself."""
    if learner.sizes:
        return list(learner.sizes)
    sizes = list(KDD_SIZES if table == "kdd" else SIZES)
    return sizes + ([None] if name in ("atoll", "majority") else [])


def chosen_learners(options, mine_options):
    known = LEARNERS | PEERS
    unknown = [name for name in options.learners if name not in known]
    if unknown:
        raise Failure(f"no learner is called {unknown[0]}; there are {', '.join(known)}")
    chosen = {}
    for name in options.learners:
        missing = known[name].missing()
        if missing:
            print(f"SKIPPED {name}: {missing}", file=sys.stderr)
        else:
            chosen[name] = known[name]
    if options.program:
        chosen["atoll"] = classify_atoll.learner(options.program, options.seed, mine_options)
    return chosen


def compute_table(cache, table, learners, options, mine_options):
    names, rows = classify_folds.read_rows(table)
    data, folds = samples(names, rows), classify_folds.folds(table, rows)[:options.repeats]
    for name, learner in learners.items():
        if learner.classes not in (0, len(data.classes)):
            continue
        sizes = sizes_of(table, learner, name)
        for balanced in (False, True)[:1 + learner.balanced]:
            for group in [[k] for k in sizes] if learner.apart else [sizes]:
                compute(cache, table, data, folds, name, learner, group, balanced)
            print(f"{table}: {name}{', balanced' if balanced else ''}", file=sys.stderr)
    if table == "kdd" and "atoll" in learners:
        between = classify_atoll.learner(options.program, options.seed, [*mine_options, BETWEEN])
        compute(cache, table, data, folds, f"atoll {BETWEEN}", between, [KDD_SIZES[-1]], False)
    if table == SHORT_TABLE and "atoll" in learners:
        short = classify_atoll.learner(options.program, options.seed,
                                       [*mine_options, "--time-limit", "300s", "--threads", 2])
        compute(cache, table, data, folds[:1], f"atoll {SHORT}", short, [SHORT_SIZE], False,
                fold_count=1)


def run(options, mine_options):
    if DecisionTreeClassifier is None:
        raise Failure(f"{sys.executable} has no scikit-learn: python3 -m venv V && V/bin/pip "
                      "install scikit-learn, then V/bin/python scripts/quality ...")
    unknown = [name for name in options.tables if name not in TABLES]
    if unknown:
        raise Failure(f"no table is called {unknown[0]}; there are {', '.join(TABLES)}")
    if options.write_folds:
        folder = pathlib.Path(options.write_folds)
        folder.mkdir(parents=True, exist_ok=True)
        for table in options.tables:
            classify_folds.write_folds(folder, table)
        return
    cache = Cache(options.cache)
    learners = chosen_learners(options, mine_options)
    for table in options.tables:
        compute_table(cache, table, learners, options, mine_options)
    records = dict(cache.records)
    for path in options.results:
        records |= read_records(path)
    print(f"### Classifiers\n\n{machine()}; seed {options.seed}\n")
    shown = [r for r in records.values()
             if r["table"] in options.tables and r["repeat"] <= options.repeats]
    verdicts = report(shown, options.judge)
    write_json(options.json, {"results": shown, "criteria": verdicts})
    sys.stdout.flush()
    if any(r["learner"] == options.judge for r in shown) and not all(v["met"] for v in verdicts):
        sys.exit(1)


def words(text):
    return text.split(",")


def add_command(commands):
    parser = commands.add_parser("classify", help=__doc__, description=__doc__,
                                 epilog="What follows -- goes to every atoll classify train.")
    parser.add_argument("--tables", type=words, default=list(TABLES), help=f"[{','.join(TABLES)}]")
    parser.add_argument("--learners", type=words, default=list(LEARNERS),
                        help=f"[{','.join(LEARNERS)}]; also {', '.join(PEERS)}")
    parser.add_argument("--repeats", type=int, default=REPEATS,
                        help=f"only the first so many of 5 folds each [{REPEATS}]")
    parser.add_argument("--program", metavar="PATH", help="an atoll that can classify: run it too")
    parser.add_argument("--seed", type=int, default=1, help="of atoll [1]")
    parser.add_argument("--judge", metavar="LEARNER", default="atoll", help="[atoll]")
    parser.add_argument("--results", metavar="FILE", action="append", default=[],
                        help="results of another program, as lines like those of the cache")
    cache = pathlib.Path(tempfile.gettempdir()) / "quality" / "classify.jsonl"
    parser.add_argument("--cache", metavar="FILE", default=str(cache),
                        help=f"results are kept there and not computed again [{cache}]")
    parser.add_argument("--write-folds", metavar="FOLDER",
                        help="only write each table and its folds there")
    parser.add_argument("--json", metavar="FILE", help="also write every figure there")
    parser.set_defaults(run=run)
