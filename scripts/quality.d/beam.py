"""A greedy beam of intervals in numpy, and lists that must be worth less than a miner's."""
from coverage import np

BINS = 256
ROUNDS = 20  # of a list that is made comparison by comparison


class Codes:
    """An attribute's values as whole numbers; runs of them are intervals, single ones labels."""

    def __init__(self, name, table, bins):
        self.name, self.labels = name, table.labels[name]
        column = table.columns[name]
        if self.labels is not None:
            self.codes = np.where(column < 0, len(self.labels), column)
            self.count = len(self.labels)
            return
        present = column[~np.isnan(column)]
        self.highest = np.unique(present)
        if len(self.highest) > bins:
            cuts = np.linspace(0, 1, bins + 1)[1:]
            self.highest = np.unique(np.quantile(present, cuts, method="inverted_cdf"))
        self.count = len(self.highest)
        self.codes = np.searchsorted(self.highest, column)  # NaN comes after all
        self.codes = np.where(np.isnan(column), self.count, np.minimum(self.codes, self.count - 1))

    def _sums(self, rows, gain):
        sums = np.bincount(self.codes[rows], weights=gain[rows], minlength=self.count + 1)
        return sums[:self.count]

    def of_all(self, gain):
        """[first, last] D of every interval, or on the diagonal of every label; elsewhere -inf."""
        sums = self._sums(slice(None), gain)
        d = np.full((self.count + 1, self.count + 1), -np.inf)  # one more: there may be no value
        if self.labels is not None:
            np.fill_diagonal(d[:self.count, :self.count], sums)
            return d
        below = np.concatenate([[0.0], np.cumsum(sums)])
        first, last = np.triu_indices(self.count)
        d[first, last] = below[last + 1] - below[first]
        d[0, self.count - 1] = -np.inf  # all rows
        return d

    def best(self, rows, gain):
        """(first, last, D) of the best intervals with and without each bound, or of all labels."""
        sums = self._sums(rows, gain)
        if self.labels is not None:
            return [(k, k, sums[k]) for k in np.flatnonzero(sums > 0)]
        if self.count == 0:
            return []
        below = np.concatenate([[0.0], np.cumsum(sums)])
        of_each_end = below[1:] - np.minimum.accumulate(below[:-1])
        last, end, begin = (int(a.argmax()) for a in (of_each_end, below[1:], -below[:-1]))
        first = int(below[:last + 1].argmin())
        ends = {(first, last): of_each_end[last], (0, end): below[end + 1],
                (begin, self.count - 1): below[-1] - below[begin]}
        ends.pop((0, self.count - 1), None)
        return [(*pair, d) for pair, d in ends.items() if d > 0]

    def comparisons(self, first, last):
        """As rules.json has them; a bin's bounds are values on both sides of it."""
        if self.labels is not None:
            return [{"attribute": self.name, "relation": "=", "values": [self.labels[first]]}]
        found = []
        if first > 0:
            found.append((">", self.highest[first - 1]))
        if last < self.count - 1:
            found.append(("<=", self.highest[last]))
        return [{"attribute": self.name, "relation": relation, "values": [float(value)]}
                for relation, value in found]

    def mask(self, first, last):
        return (self.codes >= first) & (self.codes <= last)


def encode(half, bins=BINS):
    return [Codes(name, half.table, bins) for name in half.table.columns]


def rule_of(attributes, choice):
    return [c for i, first, last in choice for c in attributes[i].comparisons(first, last)]


def interval_beam(half, width, depth):
    """Antecedents of all lengths up to `depth`: of each length the `width` of most D, made from
    those of one comparison less by the best intervals and every label of each other attribute."""
    attributes, gain = encode(half), half.gains
    level, rules = [((), np.ones(len(gain), dtype=bool))], []
    for _ in range(depth):
        candidates = {}
        for number, (choice, mask) in enumerate(level):
            rows = np.flatnonzero(mask)
            used = {i for i, _, _ in choice}
            for i, attribute in enumerate(attributes):
                if i in used:
                    continue
                for first, last, d in attribute.best(rows, gain):
                    key = tuple(sorted((*choice, (i, first, last))))
                    candidates.setdefault(key, (d, number, i, first, last))
        best = sorted(candidates.items(), key=lambda item: (-item[1][0], item[0]))[:width]
        level = [(choice, level[number][1] & attributes[i].mask(first, last))
                 for choice, (_, number, i, first, last) in best]
        rules += [rule_of(attributes, choice) for choice, _ in best]
    return rules


def cover_by_comparisons(half, attributes):
    """The list that one comparison after another makes, each any interval or label but one that is
    taken: each time that of most D, whose rows then count half."""
    gain = half.gains.copy()
    taken = []
    for _ in range(ROUNDS):
        best = (0.0,)
        for i, attribute in enumerate(attributes):
            d = attribute.of_all(gain)
            for _, first, last in (choice for choice in taken if choice[0] == i):
                d[first, last] = -np.inf
            first, last = np.unravel_index(d.argmax(), d.shape)
            best = max(best, (float(d[first, last]), (i, int(first), int(last))))
        if best[0] <= 0:
            break
        i, first, last = best[1]
        taken.append(best[1])
        gain[attributes[i].mask(first, last)] /= 2
    return [rule_of(attributes, [choice]) for choice in taken]


def one_comparison(half):
    return cover_by_comparisons(half, encode(half))


def windows(half):
    """Of the attribute alone that has the best rule of one comparison."""
    best = max(encode(half), key=lambda attribute: attribute.of_all(half.gains).max())
    return cover_by_comparisons(half, [best])
