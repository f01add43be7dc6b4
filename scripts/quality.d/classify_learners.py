"""Classifiers of scikit-learn that Atoll's are compared with: trees, greedy lists, majorities.

The others have the same interface: learn(training, test, sizes, balanced) returns for each size the
labels that are predicted, the rules that they took, the seconds, and what else is to be noted: a
dictionary, of whose keys NOTED are arrays [rows, classes] that figures are made of. Training and test are Samples; a size is the rules at most, or None: free."""
import dataclasses
import resource
import time
from typing import Callable

from classify_folds import FOLDS, spread

try:
    import numpy as np
except ImportError:
    np = None
try:
    from sklearn.tree import DecisionTreeClassifier
except ImportError:
    DecisionTreeClassifier = None

LARGEST_TUNED = 200  # leaves of a tree whose size an inner cross-validation chooses
GREEDY_LEAVES, GREEDY_DEPTH = 16, 5


NOTED = ("probabilities", "smoothed")  # as learnt, and by Laplace's (n_c + 1) / (n + C)


class Clock:
    """Seconds since it was made: by the clock, and of processors, those of ended children too."""

    def __init__(self):
        self.begin, self.used = time.monotonic(), self.processors()

    @staticmethod
    def processors():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    def seconds(self):
        return time.monotonic() - self.begin

    def processor_seconds(self):
        return {"processor_seconds": round(self.processors() - self.used, 3)}


class Unfinished(Exception):
    """A fit that took too long or failed; why, in a few words."""


@dataclasses.dataclass
class Learner:
    """A way to learn, and where it is asked to."""
    learn: Callable
    sizes: tuple = ()  # empty: those that the table asks for
    balanced: bool = True  # also with classes weighted
    apart: bool = False  # each size is learnt anew, and may not end where others do
    classes: int = 0  # only on tables of so many
    missing: Callable = lambda: None  # says what is not installed
    stamp: dict = dataclasses.field(default_factory=dict)  # kept results must have these


@dataclasses.dataclass
class Samples:
    """Some rows of a table, as trees want them, as text, and their labels."""
    x: object  # [rows, columns] float32: numbers as they are, a 0/1 column for each nominal value
    y: object  # [rows] code of the class
    rows: list  # of texts, the class last
    names: list  # of attributes, the class last
    classes: list  # code -> name

    def of(self, chosen):
        """@param chosen  [rows] bool"""
        return Samples(self.x[chosen], self.y[chosen],
                       [row for row, c in zip(self.rows, chosen) if c], self.names, self.classes)


def numbers_of(column):
    """A column whose values all read as numbers, a missing one as NaN; else None."""
    try:
        return np.array([float(v) if v != "" else np.nan for v in column], dtype=np.float32)
    except ValueError:
        return None


def samples(names, rows):
    *columns, labels = zip(*rows)
    matrix = []
    for column in columns:
        numbers = numbers_of(column)
        if numbers is not None:
            matrix.append(numbers)
            continue
        values, codes = np.unique(np.array(column), return_inverse=True)
        matrix += [(codes == code).astype(np.float32) for code in range(len(values))]
    classes, y = np.unique(np.array(labels), return_inverse=True)
    return Samples(np.ascontiguousarray(np.stack(matrix, axis=1)), y, rows, names, list(classes))


def weights(y, balanced):
    """Of each row: 1, or what gives every class of the training rows the same total."""
    if not balanced:
        return np.ones(len(y))
    counts = np.bincount(y)
    return (len(y) / (np.count_nonzero(counts) * np.maximum(counts, 1)))[y]


def fitted_tree(training, leaves, balanced):
    return DecisionTreeClassifier(
        max_leaf_nodes=leaves, random_state=0,
        class_weight="balanced" if balanced else None).fit(training.x, training.y)


def shares(counts, present):
    """What rows of these weights tell of classes: as they are, and by Laplace.
    @param counts   [..., classes]
    @param present  [classes] bool: the training rows have them"""
    total = counts.sum(axis=-1, keepdims=True)
    return {"probabilities": counts / np.maximum(total, 1e-300),
            "smoothed": np.where(present, (counts + 1) / (total + present.sum()), 0)}


def majority(training, test, sizes, balanced):
    clock = Clock()
    counts = np.bincount(training.y, weights=weights(training.y, balanced),
                         minlength=len(training.classes))
    labels = np.full(len(test.y), int(np.argmax(counts)))
    notes = shares(np.tile(counts, (len(test.y), 1)), counts > 0)
    return {k: (labels, 0, 0.0, {"comparisons": 0} | clock.processor_seconds() | notes)
            for k in sizes}


def node_counts(model, classes):
    """[nodes, classes] weight of the training rows."""
    nodes = model.tree_
    counts = np.zeros((nodes.node_count, classes))
    counts[:, model.classes_] = nodes.value[:, 0, :] * nodes.weighted_n_node_samples[:, None]
    return counts


def path_comparisons(model):
    """[nodes] comparisons that lead there: bounds of one column are one interval."""
    nodes = model.tree_
    columns = {0: frozenset()}
    for parent in range(nodes.node_count):  # children have greater numbers
        for child in (nodes.children_left[parent], nodes.children_right[parent]):
            if child >= 0:
                columns[int(child)] = columns[parent] | {int(nodes.feature[parent])}
    return [len(columns[node]) for node in range(nodes.node_count)]


def tree_result(training, test, leaves, balanced):
    """Its comparisons are those of all leaves, as a list of rules would have them."""
    clock = Clock()
    model = fitted_tree(training, leaves, balanced)
    labels, at = model.predict(test.x), model.apply(test.x)
    used = clock.processor_seconds()
    lengths = np.array(path_comparisons(model))
    counts = node_counts(model, len(training.classes))
    notes = {"comparisons": int(lengths[model.tree_.children_left < 0].sum())}
    return (labels, int(model.get_n_leaves()), clock.seconds(),
            notes | used | shares(counts[at], counts[0] > 0))


def tree(training, test, sizes, balanced):
    return {k: tree_result(training, test, k, balanced) for k in sizes}


def predictions_by_size(model, x):
    """Yields (leaves, labels) for 1 leaf and more. A tree that grows leaf by leaf numbers its nodes
    as it goes, so its first 2k - 1 nodes are the tree of k leaves."""
    nodes = model.tree_
    label = model.classes_[np.argmax(nodes.value[:, 0, :], axis=1)]
    at = np.zeros(len(x), dtype=np.int64)
    yield 1, label[at]
    parent_of = {int(child): parent for parent in range(nodes.node_count)
                 for child in [nodes.children_left[parent]] if child >= 0}
    for left in range(1, nodes.node_count, 2):
        parent = parent_of[left]
        here = np.flatnonzero(at == parent)
        goes_left = x[here, nodes.feature[parent]] <= nodes.threshold[parent]
        at[here] = np.where(goes_left, left, left + 1)
        yield (left + 3) // 2, label[at]


def tuned_tree(training, test, sizes, balanced):
    """A tree of the size, of 2 to 200 leaves, that is best in the mean of an inner 5-fold
    cross-validation; the smallest of equals. Sizes are not used: there is one, None."""
    clock = Clock()
    fold_of = np.array(spread("inner", 1, training.rows))
    totals = np.zeros(LARGEST_TUNED + 1)
    for fold in range(FOLDS):
        inside, outside = training.of(fold_of != fold), training.of(fold_of == fold)
        of_size = np.zeros(LARGEST_TUNED + 1)
        for leaves, labels in predictions_by_size(
                fitted_tree(inside, LARGEST_TUNED, balanced), outside.x):
            value = (balanced_accuracy(outside.y, labels) if balanced
                     else float(np.mean(labels == outside.y)))
            of_size[leaves] = value
        of_size[leaves:] = value  # a tree that has no more to split
        totals += of_size
    size = int(np.argmax(totals[2:].round(12))) + 2
    labels, leaves, _, notes = tree_result(training, test, size, balanced)
    return {k: (labels, leaves, clock.seconds(), notes | clock.processor_seconds()) for k in sizes}


def balanced_accuracy(y, labels):
    """The mean recall of the classes that have rows."""
    counts = np.bincount(y)
    hits = np.bincount(y[y == labels], minlength=len(counts))
    return float(np.mean(hits[counts > 0] / counts[counts > 0]))


def greedy_list(training, test, sizes, balanced):
    """Again and again a tree of 16 leaves, depth 5, on the rows that no rule covers yet; its leaf
    of the best Laplace value (n_c + 1) / (n + C) is the next rule. C counts the classes of the
    training rows. The default is the majority of the rows left. Balanced: each row counts by the
    weight that its class has in all training rows, in trees, values and majorities. Ends early
    when the tree has one leaf."""
    clock = Clock()
    weight = weights(training.y, balanced)
    size = len(training.classes)
    whole = np.bincount(training.y, weights=weight, minlength=size)
    classes = np.count_nonzero(whole)
    left, open_rows = np.arange(len(training.y)), np.arange(len(test.y))
    labels, decided = np.zeros(len(test.y), dtype=np.int64), np.zeros((len(test.y), size))
    result, rules, comparisons = {}, 0, 0

    def finished():
        counts = np.bincount(training.y[left], weights=weight[left], minlength=size)
        counts = counts if len(left) else whole
        done, told = labels.copy(), decided.copy()
        done[open_rows], told[open_rows] = np.argmax(counts), counts
        return (done, rules, clock.seconds(), {"comparisons": comparisons}
                | clock.processor_seconds() | shares(told, whole > 0))

    for k in range(1, max(sizes) + 1):
        model = DecisionTreeClassifier(
            max_leaf_nodes=GREEDY_LEAVES, max_depth=GREEDY_DEPTH,
            random_state=0).fit(training.x[left], training.y[left], weight[left])
        leaves = np.flatnonzero(model.tree_.children_left < 0)
        if len(leaves) < 2:
            break
        counts = node_counts(model, size)[leaves]
        total = counts.sum(axis=1)
        laplace = (counts.max(axis=1) + 1) / (total + classes)
        best = np.lexsort((leaves, -total.round(9), -laplace.round(12)))[0]
        covered = model.apply(training.x[left]) == leaves[best]
        hit = model.apply(test.x[open_rows]) == leaves[best] if len(open_rows) else []
        labels[open_rows[hit]], decided[open_rows[hit]] = np.argmax(counts[best]), counts[best]
        open_rows, left = open_rows[~np.asarray(hit, dtype=bool)], left[~covered]
        rules, comparisons = k, comparisons + path_comparisons(model)[leaves[best]]
        if k in sizes:
            result[k] = finished()
        if len(left) == 0:
            break
    for k in sizes:
        if k not in result:
            result[k] = finished()
    return result


LEARNERS = {"majority": Learner(majority), "tree": Learner(tree),
            "greedy list": Learner(greedy_list), "tuned tree": Learner(tuned_tree, sizes=(None,))}
