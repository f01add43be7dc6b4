"""What a list of rules about one target is worth: searched on one half of the rows, judged on the
other."""
from coverage import jaccard, np
from productive import MOST_TESTED, p_productive, significant

MOST = 20  # rules of a list that count


def gains(values):
    """[rows] what each row adds to D of a rule that covers it, D being the sum over its rows: of
    labels (true or not) (y - p) / n, so D is the leverage; of numbers (v - mean) / d / n, d being
    the standard deviation, so D is the impact in standard deviations."""
    away = values - values.mean()
    if values.dtype != bool:
        away = away / (values.std() or 1.0)
    return away / max(len(values), 1)


def bound(gain):
    """The most that the figure of merit can be: D of the rows that gain, as often as halving lets
    it count. 2p(1-p) for a label."""
    return 2 * float(gain[gain > 0].sum())


class Half:
    """One half of the rows of a table, its target's values (bool or float64) taken out."""

    def __init__(self, table, values):
        self.table, self.values, self.gains = table, values, gains(values)

    def masks(self, rules):
        """[rules, rows] which rows the antecedents hold on"""
        masks = np.empty((len(rules), len(self.values)), dtype=bool)
        for mask, rule in zip(masks, rules):
            mask[:] = self.table.covered(rule)
        return masks


def take(masks, gain, most=MOST):
    """Numbers of the rules taken, in order: each time that of most D, a row's gain being halved by
    every rule taken that covers it; each rule once, only while D is above 0.
    @param masks  [rules, rows] bool"""
    if not len(masks):
        return []
    # Rows that the same rules cover keep the same weight: they are one row of their summed gain.
    signatures = np.ascontiguousarray(np.packbits(masks, axis=0).T)
    signatures = signatures.view(np.dtype((np.void, signatures.shape[1]))).ravel()
    _, first, group = np.unique(signatures, return_index=True, return_inverse=True)
    covers = masks[:, first].astype(np.float64)
    left = np.bincount(group, weights=gain, minlength=len(first))
    taken = []
    for _ in range(min(most, len(masks))):
        d = covers @ left
        d[taken] = -np.inf
        best = int(d.argmax())
        if d[best] <= 0:
            break
        taken.append(best)
        left[covers[best] > 0] /= 2
    return taken


def figure_of_merit(masks, gain, taken):
    """Sum of D of the rules taken, in their order, by the same rule for weights."""
    left, figure = gain.copy(), 0.0
    for rule in taken:
        figure += float(left[masks[rule]].sum())
        left[masks[rule]] /= 2
    return figure


def unlike(masks, gain, most=MOST_TESTED, alike=0.5):
    """The first rules by D, none of which has a Jaccard index above `alike` with one before it."""
    chosen = []
    d = np.array([gain[mask].sum() for mask in masks])
    for rule in np.argsort(-d, kind="stable"):
        if all(jaccard(masks[rule], masks[other]) <= alike for other in chosen):
            chosen.append(int(rule))
            if len(chosen) == most:
                break
    return chosen


def judge(rules, train, test):
    """Figures of a list: rules, figure, train_figure, productive, coverage (share of the held-out
    rows that a rule taken covers) and best (D on the held-out half of the rule of most D on the
    other).
    @param rules  antecedents, as rules.json lists their comparisons"""
    if not rules:
        return {"rules": 0, "figure": 0.0, "train_figure": 0.0, "productive": 0, "coverage": 0.0,
                "best": 0.0}
    masks, held_out = train.masks(rules), test.masks(rules)
    taken = take(masks, train.gains)
    best = max(range(len(rules)), key=lambda rule: train.gains[masks[rule]].sum())
    tests = [p_productive(rules[rule], test) for rule in unlike(masks, train.gains)]
    result = {"rules": len(rules),
              "figure": figure_of_merit(held_out, test.gains, taken),
              "train_figure": figure_of_merit(masks, train.gains, taken),
              "productive": significant(tests),
              "coverage": float(held_out[taken].any(axis=0).mean()),
              "best": float(test.gains[held_out[best]].sum())}
    for half in (train, test):
        half.table.holds.cache_clear()  # of as many rows as there are; rules of other lists differ
    return result
