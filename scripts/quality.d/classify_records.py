"""Results of classifiers, one JSON object a line: computed once, kept, and read again.

Keys: table, repeat (1 to 3), fold (0 to 4), learner, k (rules at most; null: free), balanced,
accuracy, balanced_accuracy, rules, seconds; hits: class -> [rows rightly labelled, rows]; also
evaluations and seed, where there are any; or failed, with why, instead of figures."""
import json
import pathlib

from classify_folds import FOLDS
from classify_learners import Unfinished, balanced_accuracy, np
from runs import Failure

KEY = ("table", "repeat", "fold", "learner", "k", "balanced")


def key_of(record):
    return tuple(record[name] for name in KEY)


def read_records(path):
    """Of equal keys the last counts."""
    result = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                record = json.loads(line)
                result[key_of(record)] = record
            except (ValueError, KeyError, TypeError):
                raise Failure(f"{path}:{number}: no result of a classifier") from None
    return result


class Cache:
    """A file that grows by a line a result."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        self.records = read_records(self.path)

    def has(self, head):
        """Whether there is a result of all that the head says."""
        return head.items() <= self.records.get(key_of(head), {}).items()

    def add(self, record):
        self.records[key_of(record)] = record
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")


def judged(test, labels):
    """@param labels  [rows] codes of classes; -1 is none of them"""
    right = labels == test.y
    counts = np.bincount(test.y, minlength=len(test.classes))
    hits = np.bincount(test.y[right], minlength=len(test.classes))
    return {"accuracy": float(np.mean(right)),
            "balanced_accuracy": balanced_accuracy(test.y, labels),
            "hits": {name: [int(h), int(n)]
                     for name, h, n in zip(test.classes, hits, counts) if n}}


def compute(cache, table, data, folds, name, learner, sizes, balanced,
            fold_count=FOLDS):
    """Adds what is missing of a learner on a table. After a fit that did not end none is tried.
    @param folds  for each repeat the fold of each row
    @param fold_count  how many of each repeat are asked for"""
    why = None
    for repeat, fold_of in enumerate(folds, 1):
        fold_of = np.array(fold_of)
        for fold in range(fold_count):
            heads = {k: dict(zip(KEY, (table, repeat, fold, name, k, balanced))) | learner.stamp
                     for k in sizes}
            missing = [k for k in sizes if not cache.has(heads[k])]
            if missing and why is None:
                try:
                    results = learner.learn(data.of(fold_of != fold), data.of(fold_of == fold),
                                            missing, balanced)
                except Unfinished as error:
                    why = str(error)
                else:
                    for k, (labels, rules, seconds, *more) in results.items():
                        cache.add(heads[k] | judged(data.of(fold_of == fold), labels)
                                  | {"rules": rules, "seconds": round(seconds, 3)} | dict(*more))
                    continue
            for k in missing:
                cache.add(heads[k] | {"failed": why})
