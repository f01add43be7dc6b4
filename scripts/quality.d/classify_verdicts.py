"""Tables of classifiers' results, and which criteria they meet."""
import math

from classify_folds import SHOWN_ONLY, TABLES
from tables import mean, table

SIZES, KDD_SIZES = (5, 10, 20, 40), (20, 40, 100)
JUDGED = [name for name in TABLES if name not in SHOWN_ONLY and name != "kdd"]
POINTS_BELOW_TREE, ABOVE_TREE, ABOVE_GREEDY = 1.0, 0.8, 0.2  # of a size
ABOVE_TUNED, BELOW_TUNED = 0.3, 2.0  # of free size
SHORT = "in 300 s"  # added to the name of a learner that had no longer
BETWEEN = "--balance=0.5"  # likewise, of one that weighs classes by half
SHORT_TABLE, SHORT_SIZE, SHORT_FOLD = "connect-4", 40, (1, 0)

PROBABILITY_FIGURES = {
    "auc": "AUC", "log_loss": "Log-loss, a probability at least 1e-15",
    "smoothed_log_loss": "Log-loss of probabilities (n_c + 1) / (n + C)"}


class Results:
    """What is known of learners, by table, size and fold; accuracies in percent."""

    def __init__(self, records):
        self.groups = {}
        for record in records:
            group = (record["table"], record["learner"], record["k"], record["balanced"])
            self.groups.setdefault(group, {})[record["repeat"], record["fold"]] = record
        self.learners = list(dict.fromkeys(record["learner"] for record in records))

    def values(self, name, learner, k, balanced, figure=None):
        """fold -> figure, of the fits that came to an end"""
        figure = figure or ("balanced_accuracy" if balanced else "accuracy")
        factor = 100 if "accuracy" in figure else 1
        return {fold: factor * record[figure]
                for fold, record in self.groups.get((name, learner, k, balanced), {}).items()
                if figure in record}

    def mean(self, *arguments):
        return mean(list(self.values(*arguments).values()))

    def mean_of_judged(self, learner, sizes, balanced):
        """Of the means of tables and sizes; None if one lacks a fold that the tree has."""
        found = []
        for name in JUDGED:
            for k in sizes:
                have = self.values(name, learner, k, balanced)
                asked = self.groups.get((name, "tree" if k else "tuned tree", k, balanced), {})
                if not have or not asked.keys() <= have.keys():
                    return None
                found.append(mean(list(have.values())))
        return mean(found)

    def failures(self, name, learner, k, balanced):
        return [record["failed"]
                for record in self.groups.get((name, learner, k, balanced), {}).values()
                if "failed" in record]

    def difference(self, name, one, other, balanced):
        """(mean, two standard errors) of what one has above the other in the folds that both have.
        @param one, other  (learner, k)"""
        a, b = (self.values(name, *who, balanced) for who in (one, other))
        pairs = [a[fold] - b[fold] for fold in a if fold in b]
        if len(pairs) < 2:
            return None, None
        centre = mean(pairs)
        spread = sum((d - centre) ** 2 for d in pairs) / (len(pairs) - 1)
        return centre, 2 * math.sqrt(spread / len(pairs))

    def hits(self, learner, k, balanced, name="kdd"):
        """class -> [rightly labelled, rows], over all folds"""
        result = {}
        for record in self.groups.get((name, learner, k, balanced), {}).values():
            for label, (right, rows) in record.get("hits", {}).items():
                known = result.setdefault(label, [0, 0])
                known[0] += right
                known[1] += rows
        return result


def percent(value):
    return "-" if value is None else f"{value:.1f}"


def signed(value, error=None):
    if value is None:
        return "-"
    return f"{value:+.2f}" + (f" ± {error:.2f}" if error is not None else "")


def met(ok):
    return "-" if ok is None else "yes" if ok else "NO"


def sized_table(results, who, others, balanced):
    """One row for each table and size."""
    rows, above_tree, above_greedy, holds = [], [], [], True
    for name in TABLES:
        if name == "kdd":
            continue
        for k in SIZES:
            if not any(results.values(name, learner, k, balanced) for learner in others):
                continue
            to_tree = results.difference(name, (who, k), ("tree", k), balanced)
            to_greedy = results.difference(name, (who, k), ("greedy list", k), balanced)
            ok = (None if to_tree[0] is None
                  else to_tree[0] >= -max(POINTS_BELOW_TREE, to_tree[1]))
            if name in JUDGED:
                above_tree.append(to_tree[0])
                above_greedy.append(to_greedy[0])
                holds = holds and bool(ok)
            rows.append([name, k]
                        + [percent(results.mean(name, learner, k, balanced)) for learner in others]
                        + [signed(*to_tree), signed(*to_greedy),
                           "shown" if name in SHOWN_ONLY else met(ok)])
    means = [percent(results.mean_of_judged(learner, SIZES, balanced)) for learner in others]
    rows.append(["mean of those judged", ""] + means
                + [signed(mean(above_tree)), signed(mean(above_greedy)), ""])
    table(["table", "k"] + others + [f"{who} - tree", f"{who} - greedy list", "not below the tree"],
          rows)
    complete = None not in (results.mean_of_judged(name, SIZES, balanced)
                            for name in (who, "tree", "greedy list"))
    of = "balanced accuracy" if balanced else "accuracy"
    yield f"at most k rules, {of}: at no table and k below the tree by too much", complete and holds
    for other, values, least in (("tree", above_tree, ABOVE_TREE),
                                 ("greedy list", above_greedy, ABOVE_GREEDY)):
        yield (f"at most k rules, {of}: {signed(mean(values))} to the {other} in the mean, at "
               f"least {signed(least)} wanted"), complete and mean(values) >= least


def free_cell(results, name, learner, balanced):
    value, rules = (results.mean(name, learner, None, balanced, figure)
                    for figure in (None, "rules"))
    failed = results.failures(name, learner, None, balanced)
    text = percent(value) + ("" if value is None else f" ({rules:.1f})")
    return text + (f", {len(failed)} folds {failed[0]}" if failed else "")


def free_table(results, who, others, balanced):
    """One row for each table: accuracy and, in parentheses, rules or leaves."""
    rows, above, holds, short = [], [], True, True
    for name in TABLES:
        if name == "kdd" or not any(results.values(name, learner, None, balanced)
                                    for learner in others):
            continue
        difference = results.difference(name, (who, None), ("tuned tree", None), balanced)
        rules, leaves = (results.mean(name, learner, None, balanced, "rules")
                         for learner in (who, "tuned tree"))
        if name in JUDGED:
            above.append(difference[0])
            holds = holds and difference[0] is not None and difference[0] >= -BELOW_TUNED
            short = short and None not in (rules, leaves) and rules <= leaves
        rows.append([name] + [free_cell(results, name, learner, balanced) for learner in others]
                    + [signed(*difference)])
    rows.append(["mean of those judged"]
                + [percent(results.mean_of_judged(learner, [None], balanced))
                   for learner in others] + [signed(mean(above))])
    table(["table"] + others + [f"{who} - tuned tree"], rows)
    complete = None not in (results.mean_of_judged(name, [None], balanced)
                            for name in (who, "tuned tree"))
    of = "balanced accuracy" if balanced else "accuracy"
    yield (f"free size, {of}: {signed(mean(above))} to the tuned tree in the mean, at least "
           f"{signed(ABOVE_TUNED)} wanted"), complete and mean(above) >= ABOVE_TUNED
    yield f"free size, {of}: no table below by more than {BELOW_TUNED:g}", complete and holds
    yield f"free size, {of}: on each table at most as many rules as leaves", complete and short


def pooled(results, learner, k, balanced):
    """(accuracy, balanced accuracy) over all folds, in percent"""
    hits = results.hits(learner, k, balanced)
    if not hits:
        return None, None
    return (100 * sum(h for h, _ in hits.values()) / sum(n for _, n in hits.values()),
            100 * mean([h / n for h, n in hits.values()]))


def kdd_table(results, who, learners):
    rows = []
    for learner in learners:
        for balanced in (False, True):
            for k in (*KDD_SIZES, None):
                both = pooled(results, learner, k, balanced)
                if both[0] is not None and (learner != "majority" or k == KDD_SIZES[0]):
                    rules = results.mean("kdd", learner, k, balanced, "rules")
                    rows.append([learner + (", balanced" if balanced else ""),
                                 "free" if k is None else k, f"{rules:.1f}", f"{both[0]:.2f}",
                                 percent(both[1])])
    table(["KDD", "k", "rules", "accuracy", "balanced accuracy"], rows)
    at = {(k, balanced): pooled(results, who, k, balanced)
          for k in KDD_SIZES for balanced in (False, True)}
    has = {key: both for key, both in at.items() if both[0] is not None}
    yield "KDD: 99.5% accuracy with at most 40 rules", any(
        a >= 99.5 for (k, b), (a, _) in has.items() if k <= 40)
    yield "KDD: 80% balanced with at most 40 rules, --balance", any(
        v >= 80 for (k, b), (_, v) in has.items() if k <= 40 and b)
    between = pooled(results, f"{who} {BETWEEN}", KDD_SIZES[-1], False)
    yield "KDD: one list with 99.5% and 70% with at most 100 rules", any(
        a is not None and a >= 99.5 and v >= 70 for a, v in (*has.values(), between))


def time_verdict(results, who):
    final, short = (results.values(SHORT_TABLE, name, SHORT_SIZE, False).get(SHORT_FOLD)
                    for name in (who, f"{who} {SHORT}"))
    if final is not None and short is not None:
        yield (f"time: {SHORT_TABLE}, one fold, {percent(short)}% {SHORT}, {percent(final)}% in "
               "the end, 1 point less at most"), short >= final - 1


def cost_table(results, learners, figure, title):
    """The mean of a fit, for the size for which it is largest."""
    rows = []
    for name in TABLES:
        cells = []
        for learner in learners:
            found = [results.mean(name, learner, k, balanced, figure)
                     for k in (*SIZES, *KDD_SIZES, None) for balanced in (False, True)]
            cells.append(max((s for s in found if s is not None), default=None))
        if any(c is not None for c in cells):
            rows.append([name] + cells)
    if rows:
        table([title] + learners, rows)


def probability_table(results, learners, figure, title):
    """A row for each table and size, plain weights; log-loss and AUC as they are."""
    rows = []
    for name in TABLES:
        for k in (*SIZES, *KDD_SIZES, None) if name == "kdd" else (*SIZES, None):
            cells = [results.mean(name, learner, k, False, figure) for learner in learners]
            if any(cell is not None for cell in cells):
                rows.append([name, "free" if k is None else k]
                            + ["-" if cell is None else f"{cell:.3f}" for cell in cells])
    if rows:
        print(f"{title}, mean of the folds:\n")
        table(["table", "k"] + learners, rows)


def report(records, who):
    """Prints all tables and verdicts.
    @param who  the learner that is judged"""
    results = Results(records)
    verdicts = []
    learners = [name for name in results.learners if not name.endswith(SHORT)]
    sized = [learner for learner in learners
             if any(results.values(name, learner, k, b) for name in TABLES for k in SIZES
                    for b in (False, True))]
    free = [learner for learner in learners
            if any(results.groups.get((name, learner, None, b)) for name in TABLES
                   for b in (False, True))]
    for balanced in (False, True):
        of = "Balanced accuracy, classes weighted" if balanced else "Accuracy"
        print(f"{of}, at most k rules, mean of the folds in percent; differences ± 2 standard "
              "errors:\n")
        verdicts += sized_table(results, who, sized, balanced)
        print(f"{of}, free size (rules or leaves):\n")
        verdicts += free_table(results, who, free, balanced)
    verdicts += kdd_table(results, who, learners)
    verdicts += time_verdict(results, who)
    for figure, title in PROBABILITY_FIGURES.items():
        probability_table(results, learners, figure, title)
    cost_table(results, learners, "seconds", "seconds of a fit")
    cost_table(results, learners, "processor_seconds", "processor seconds of a fit")
    cost_table(results, learners, "comparisons", "comparisons")
    cost_table(results, learners, "evaluations", "evaluations of a fit")
    table([f"criterion, {who}", "met"], [[text, met(ok)] for text, ok in verdicts])
    return [{"criterion": text, "met": ok} for text, ok in verdicts]
