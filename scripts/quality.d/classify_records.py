"""Results of classifiers, one JSON object a line: computed once, kept, and read again.

Keys: table, repeat (1 to 3), fold (0 to 4), learner, k (rules at most; null: free), balanced,
accuracy, balanced_accuracy, rules, seconds; hits: class -> [rows rightly labelled, rows]; where the
learner tells them: auc, log_loss, smoothed_auc, smoothed_log_loss, comparisons, processor_seconds,
evaluations, seed; or failed, with why, instead of figures."""
import json
import pathlib

from classify_folds import FOLDS
from classify_learners import NOTED, Unfinished, balanced_accuracy, np
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


LEAST_PROBABILITY = 1e-15  # as log_loss of scikit-learn had it: 0 would cost without end


def log_loss(y, told):
    """Mean of -ln p of the rows' classes. @param told  [rows, classes]"""
    return float(np.mean(-np.log(np.clip(told[np.arange(len(y)), y], LEAST_PROBABILITY, 1))))


def area(positive, scores):
    """Of the pairs of a positive row and another the share in which its score is greater; equal
    ones count half. None if there is no pair."""
    _, at = np.unique(scores, return_inverse=True)
    ours, others = (np.bincount(at[side], minlength=at.max() + 1) for side in (positive, ~positive))
    pairs = ours.sum() * others.sum()
    below = np.cumsum(others) - others
    return float((ours * (below + others / 2)).sum() / pairs) if pairs else None


def auc(y, told):
    """Of two classes that of the second, else the mean of one against the rest over the classes
    that have some but not all rows; None if none has."""
    classes = [1] if told.shape[1] == 2 else range(told.shape[1])
    found = [area(y == c, told[:, c]) for c in classes]
    found = [value for value in found if value is not None]
    return float(np.mean(found)) if found else None


def noted(test, notes):
    """What a learner notes, with figures instead of arrays."""
    figures = {name: value for name, value in notes.items() if name not in NOTED}
    for name, prefix in zip(NOTED, ("", "smoothed_")):
        if name in notes:
            told = np.asarray(notes[name]).round(12)  # equal rules are equal
            figures |= {prefix + "log_loss": log_loss(test.y, told), prefix + "auc": auc(test.y, told)}
    return {name: value for name, value in figures.items() if value is not None}


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
                    test = data.of(fold_of == fold)
                    for k, (labels, rules, seconds, *notes) in results.items():
                        cache.add(heads[k] | judged(test, labels)
                                  | {"rules": rules, "seconds": round(seconds, 3)}
                                  | noted(test, dict(*notes)))
                    continue
            for k in missing:
                cache.add(heads[k] | {"failed": why})
