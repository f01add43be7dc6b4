"""Is each part of a rule of use? Tested against every generalisation, on rows not searched."""
import functools
import math

from coverage import np

MOST_TESTED = 20  # rules of a list, for which Holm's adjustment is made however few there are
LEVEL = 0.05
BOUNDS = {"in": (">=", "<=")}


def parts(rule, table):
    """[parts][rows] what can be left out of an antecedent: comparisons, of intervals on numbers
    each bound. What holds on every row is none."""
    masks = []
    for c in rule:
        relations = BOUNDS.get(c["relation"], ()) if table.labels[c["attribute"]] is None else ()
        if relations:
            masks += [table.holds(c["attribute"], relation, (value,))
                      for relation, value in zip(relations, c["values"])]
        else:
            masks.append(table.holds(c["attribute"], c["relation"], tuple(c["values"])))
    return [mask for mask in masks if not mask.all()]


def sums_of_generalisations(masks, weights):
    """[2^parts] for every set of parts, bit b standing for part b, the sum of weights over the rows
    on which these all hold; the last is the rule's."""
    codes = np.zeros(len(weights), dtype=np.int64)
    for bit, mask in enumerate(masks):
        codes |= mask.astype(np.int64) << bit
    sums = np.bincount(codes, weights=weights, minlength=1 << len(masks))
    for bit in range(len(masks)):
        pairs = sums.reshape(-1, 2, 1 << bit)
        pairs[:, 0] += pairs[:, 1]
    return sums


@functools.lru_cache(maxsize=2)
def log_factorials(n):
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])


def fisher(hits, drawn, positives, population):
    """P of at least `hits` positives among `drawn` rows of the population; 1 where that is no more
    than expected. Arrays of positives and population."""
    positives, population = (np.asarray(a, dtype=np.int64) for a in (positives, population))
    f = log_factorials(int(population.max(initial=0)))
    above = hits * population > drawn * positives
    p = np.ones(len(population))
    y, n = positives[above], population[above]
    term = np.exp(f[y] - f[hits] - f[y - hits] + f[n - y] - f[drawn - hits]
                  - f[n - y - drawn + hits] - f[n] + f[drawn] + f[n - drawn])
    total, k = term.copy(), hits
    while np.any(term > total * 1e-16):  # beyond the expectation each term is less than the last
        term = term * (y - k) * (drawn - k) / ((k + 1.0) * (n - y - drawn + k + 1))
        total += term
        k += 1
    p[above] = np.minimum(total, 1.0)
    return p


def p_productive(rule, half):
    """The greatest p over all generalisations Z of the antecedent X: of so many rows of the label
    or more among as many rows drawn from Z (Fisher's exact test), or of so great a mean of theirs,
    by the normal distribution that such means approach."""
    masks = parts(rule, half.table)
    if not masks:
        return 1.0
    n = sums_of_generalisations(masks, np.ones(len(half.values)))
    if half.values.dtype == bool:
        y = sums_of_generalisations(masks, half.values.astype(np.float64))
        if not n[-1]:
            return 1.0
        rounded = [np.rint(a).astype(np.int64) for a in (y, n)]
        return float(fisher(int(y[-1]), int(n[-1]), rounded[0][:-1], rounded[1][:-1]).max())
    v = half.values - half.values.mean()
    s, q = (sums_of_generalisations(masks, w) for w in (v, v * v))
    m, s_x, n, s, q = n[-1], s[-1], n[:-1], s[:-1], q[:-1]
    if not m or np.any(n <= m):  # a part that leaves no row out
        return 1.0
    spread = np.sqrt(np.maximum(q / n - (s / n) ** 2, 0) * (n - m) / (m * (n - 1)))
    away = s_x / m - s / n
    if np.any((away <= 0) | (spread == 0)):
        return 1.0
    return 0.5 * math.erfc(float((away / spread).min()) / math.sqrt(2))


def significant(ps):
    """How many stay at the level, adjusted by Holm as if there were MOST_TESTED."""
    adjusted = np.maximum.accumulate((MOST_TESTED - np.arange(len(ps))) * np.sort(ps))
    return int(np.count_nonzero(adjusted <= LEVEL))
