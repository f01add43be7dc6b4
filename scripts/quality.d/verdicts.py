"""Is the list good enough? From the figures of all tables, splits and seeds."""
from tables import mean

FALL = 0.98  # of the best mean with less effort, at least
SINGLE_FALL = 0.9  # of the best of the same run with less effort
OUTSIDE = ("tree with !=",)  # peers whose rules Atoll's default grammar does not derive
LEAD, LEVEL, BEST = 1.03, 0.98, 0.995  # of the best peer's: in the mean, on each table, best rule


def of_atoll(table, generations, figure="figure"):
    """Mean over splits and seeds."""
    return mean([seed["runs"][generations][figure]
                 for split in table["splits"] for seed in split["seeds"]])


def of_peer(table, peer, figure="figure"):
    """Mean over splits; None if a split lacks it."""
    found = [split["peers"][peer][figure] for split in table["splits"] if peer in split["peers"]]
    return mean(found) if len(found) == len(table["splits"]) else None


def best_peer(table, figure="figure"):
    """(figure, name) of those who write rules of the same kind"""
    return max((of_peer(table, peer, figure), peer) for peer in table["splits"][0]["peers"]
               if peer not in OUTSIDE)


def monotone(tables, generations):
    """What falls with more effort, as lines."""
    failures = []
    for table in tables:
        for i, more in enumerate(generations[1:], 1):
            best, less = max((of_atoll(table, g), g) for g in generations[:i])
            now = of_atoll(table, more)
            if now < FALL * best:
                failures.append(f"{table['table']}: mean {now:.4f} at {more} generations, "
                                f"{best:.4f} at {less}")
        for split in table["splits"]:
            for seed in split["seeds"]:
                figures = {g: seed["runs"][g]["figure"] for g in generations}
                for i, more in enumerate(generations[1:], 1):
                    best, less = max((figures[g], g) for g in generations[:i])
                    if figures[more] < SINGLE_FALL * best:
                        failures.append(
                            f"{table['table']}, split {split['split']}, seed {seed['seed']}: "
                            f"{figures[more]:.4f} at {more} generations, {best:.4f} at {less}")
    return failures


def ratio(ours, theirs):
    return ours / theirs if theirs > 0 else float("inf" if ours > 0 else 1)


def reach(tables, generations):
    """(mean over tables of the figure, over the best peer's; where it is too small, as lines)"""
    failures, ratios, most = [], [], generations[-1]
    for table in tables:
        theirs, peer = best_peer(table)
        ratios.append(ratio(of_atoll(table, most), theirs))
        if ratios[-1] < LEVEL:
            failures.append(f"{table['table']}: {ratios[-1]:.3f} times {peer}'s {theirs:.4f}")
        theirs, peer = best_peer(table, "best")
        share = ratio(of_atoll(table, most, "best"), theirs)
        if share < BEST:
            failures.append(f"{table['table']}: best rule {share:.4f} times {peer}'s {theirs:.4f}")
    if mean(ratios) < LEAD:
        failures.insert(0, f"mean over tables {mean(ratios):.3f} times the best peer's, "
                           f"not {LEAD}")
    return mean(ratios), failures


def cheats(tables, generations):
    """Cheats that are worth as much as the list, as lines."""
    failures = []
    for table in tables:
        ours = of_atoll(table, generations[-1])
        for cheat in table["splits"][0]["cheats"]:
            theirs = mean([split["cheats"][cheat]["figure"] for split in table["splits"]])
            if theirs >= ours:
                failures.append(f"{table['table']}: {cheat} {theirs:.4f}, Atoll {ours:.4f}")
    return failures
