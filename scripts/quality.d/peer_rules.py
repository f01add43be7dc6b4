"""Searches a table with a peer until a time is over; run by the Python that has the peers.

usage: peer_rules.py PEER, and on standard input a JSON object of text (a CSV file), target, label
(null: the mean), numeric (names), seconds

Prints one JSON object a line, {"version"}, then {"search", "seconds", "rules"} for each search that
ended: the first however long it takes, then wider and deeper ones. Rules are antecedents as
rules.json has them.
"""
import functools
import importlib.metadata
import json
import os
import sys
import threading
import time

import pandas

DEPTH = 4
TARGET = " target"  # a column that no table has: its names are stripped


def read(task):
    """The attributes, numbers or text, and the target apart: bool or float."""
    text = pandas.read_csv(task["text"], dtype=str, keep_default_na=False)
    target = text.pop(task["target"])
    target = target.astype(float) if task["label"] is None else target == task["label"]
    numeric = set(task["numeric"])
    columns = {name: pandas.to_numeric(text[name]).astype(float) if name in numeric
               else text[name].astype(object) for name in text}
    return pandas.DataFrame(columns), target


def comparison(attribute, relation, value):
    value = value.item() if hasattr(value, "item") else value
    return {"attribute": attribute, "relation": relation, "values": [value]}


def by_pysubgroup(table, target):
    import pysubgroup
    data = table.assign(**{TARGET: target})
    if target.dtype == bool:
        about, measure = pysubgroup.BinaryTarget(TARGET, True), pysubgroup.WRAccQF()
    else:
        about, measure = pysubgroup.NumericTarget(TARGET), pysubgroup.StandardQFNumeric(1.0)

    def comparisons(selector):
        name = selector.attribute_name
        if isinstance(selector, pysubgroup.EqualitySelector):
            return [comparison(name, "=", selector.attribute_value)]
        bounds = ((">=", selector.lower_bound), ("<", selector.upper_bound))
        return [comparison(name, relation, value) for relation, value in bounds
                if abs(value) != float("inf")]

    def search(bins, width, depth):
        selectors = [s for s in pysubgroup.create_selectors(data, bins, False, ignore=[TARGET])
                     if getattr(s, "attribute_value", None) != ""]
        task = pysubgroup.SubgroupDiscoveryTask(data, about, selectors, measure, depth=depth,
                                                result_set_size=width)
        with pysubgroup.BitSetRepresentation(data, selectors):  # computes each selector once
            found = pysubgroup.BeamSearch(width).execute(task).to_descriptions()
        return [[c for s in subgroup.selectors for c in comparisons(s)] for _, subgroup in found]

    for bins, width, depth in ((5, 20, 2), (10, 50, 3), (10, 100, DEPTH), (20, 100, DEPTH),
                               (20, 400, DEPTH), (50, 400, DEPTH)):
        yield (f"{bins} bins, width {width}, depth {depth}",
               functools.partial(search, bins, width, depth))


def by_subdisc(table, target):
    import pysubdisc
    from pysubdisc.java import ensureJVMStarted
    ensureJVMStarted()
    if target.dtype == bool:
        data = table.assign(**{TARGET: target.map({True: "yes", False: "no"}).astype(object)})
        start, measure = lambda: pysubdisc.singleNominalTarget(data, TARGET, "yes"), "WRACC"
    else:
        data = table.assign(**{TARGET: target})
        start, measure = lambda: pysubdisc.singleNumericTarget(data, TARGET), "Z_SCORE"

    def comparisons(condition):
        name, operator = str(condition.getColumn().getName()), str(condition.getOperator())
        value = str(condition.getValue())
        if operator == "=" and table[name].dtype == object:
            return [comparison(name, "=", value.strip("'"))]
        if operator in ("=", "<=", ">="):
            return [comparison(name, operator, float(value))]
        low, high = value.strip("(])").split(", ")  # an interval without its lower bound
        return [comparison(name, relation, float(v)) for relation, v in ((">", low), ("<=", high))
                if abs(float(v)) != float("inf")]

    def search(strategy, numbers, width, depth):
        job = start()
        job.qualityMeasure, job.qualityMeasureMinimum = measure, 0.0
        job.searchStrategy, job.searchStrategyWidth, job.searchDepth = strategy, width, depth
        job.numericStrategy = numbers
        job.numericOperatorSetting = "INTERVALS" if numbers == "NUMERIC_INTERVALS" else "NORMAL"
        job.minimumCoverage, job.maximumSubgroups = max(2, len(data) // 1000), 400
        job.filterSubgroups, job.nrBins, job.nrThreads = False, 16, 1
        job.run(verbose=False)
        rules = []
        for subgroup in job._sd.getResult():
            conditions = subgroup.getConditions()
            rules.append([c for k in range(conditions.size())
                          for c in comparisons(conditions.get(k))])
        return [rule for rule in rules if all(c["values"] != [""] for c in rule)]

    all_values = "NUMERIC_INTERVALS" if target.dtype == bool else "NUMERIC_BEST"
    bins, cover = "NUMERIC_BEST_BINS", "COVER_BASED_BEAM_SELECTION"
    for settings in (("BEAM", bins, 20, 2), ("BEAM", bins, 100, DEPTH), (cover, bins, 100, DEPTH),
                     ("BEAM", all_values, 20, 2), ("BEAM", all_values, 100, DEPTH),
                     (cover, all_values, 20, DEPTH), (cover, all_values, 100, DEPTH)):
        yield "{}, {}, width {}, depth {}".format(*settings), functools.partial(search, *settings)


def by_tree(table, target, only_equal=True):
    """Paths to all nodes. A tree says `!=` of labels: such paths, and those that name more
    attributes than others may, only on request."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    columns, meanings = [], []
    for name in table:
        if table[name].dtype != object:
            columns.append(table[name])
            meanings.append((name, None))
            continue
        for label in sorted(set(table[name]) - {""}):
            columns.append((table[name] == label).astype(float))
            meanings.append((name, label))
    data = pandas.concat(columns, axis=1).to_numpy()

    def side(node, goes_left):
        name, label = meanings[node.feature]
        if label is None:
            return comparison(name, "<=" if goes_left else ">", node.threshold)
        return comparison(name, "!=" if goes_left else "=", label)

    def search(depth):
        kind = DecisionTreeClassifier if target.dtype == bool else DecisionTreeRegressor
        tree = kind(max_depth=depth, min_samples_leaf=max(2, len(data) // 1000), random_state=1)
        tree = tree.fit(data, target).tree_
        rules, paths = [], [(0, [])]
        while paths:
            number, path = paths.pop()
            fits = (len({c["attribute"] for c in path}) <= DEPTH
                    and all(c["relation"] != "!=" for c in path))
            if path and (fits or not only_equal):
                rules.append(path)
            if tree.children_left[number] != -1:
                node = type("Node", (), {"feature": tree.feature[number],
                                         "threshold": tree.threshold[number]})
                paths.append((tree.children_left[number], [*path, side(node, True)]))
                paths.append((tree.children_right[number], [*path, side(node, False)]))
        return rules

    for depth in (DEPTH, 8):
        yield f"depth {depth}", functools.partial(search, depth)


PEERS = {"pysubgroup": (by_pysubgroup, "pysubgroup"), "SubDisc": (by_subdisc, "pysubdisc"),
         "tree": (by_tree, "scikit-learn"),
         "tree with !=": (functools.partial(by_tree, only_equal=False), "scikit-learn")}


def main():
    searches, package = PEERS[sys.argv[1]]
    task = json.load(sys.stdin)
    print(json.dumps({"version": f"{package} {importlib.metadata.version(package)}"}), flush=True)
    begin, ended = None, False
    for name, search in searches(*read(task)):
        start = time.monotonic()
        begin = begin or start
        rules = search()
        print(json.dumps({"search": name, "seconds": time.monotonic() - start, "rules": rules}),
              flush=True)
        left = task["seconds"] - (time.monotonic() - begin)
        if left <= 0:
            break
        if not ended:  # what runs when the time is over is lost; what ended before is written
            ended = True
            clock = threading.Timer(left, os._exit, (0,))
            clock.daemon = True
            clock.start()
    sys.stdout.flush()
    os._exit(0)  # a JVM's threads would keep it


if __name__ == "__main__":
    main()
