"""Are planted rules found? On tables of `atoll generate planted`, judged by fresh rows."""
import json

from coverage import Table, is_conjunctive, jaccard
from runs import (add_common_options, atoll, mine, random_search, work_folder, write_json)
from tables import head, mean, table, worst

ALIKE = 0.8  # least Jaccard index of two sides that say the same


def same_consequent(a, b, fresh):
    """Labels must be the same; bounds, on the same attribute, cover the same rows to 0.8."""
    if a == b:
        return True
    if a["attribute"] != b["attribute"]:
        return False
    if fresh.labels[a["attribute"]] is not None and a["relation"] == b["relation"] == "=":
        return False
    return jaccard(fresh.covered([a]), fresh.covered([b])) >= ALIKE


def similarity(planted, rule, fresh):
    """Jaccard index of the antecedents' rows; 0 if the consequents differ."""
    if len(rule["consequent"]) != 1 or not is_conjunctive(rule):
        return 0.0
    if not same_consequent(planted["consequent"][0], rule["consequent"][0], fresh):
        return 0.0
    return jaccard(fresh.covered(planted["antecedent"]), fresh.covered(rule["antecedent"]))


def judge(run, truth, fresh):
    alike = [[similarity(p, rule, fresh) for rule in run.rules] for p in truth]
    found = {"easy": [], "hard": []}
    details = []
    for planted, row in zip(truth, alike):
        best = max(range(len(row)), key=row.__getitem__, default=None)
        is_found = best is not None and row[best] >= ALIKE
        found[planted["class"]].append(is_found)
        details.append({"rule": planted["rule"], "class": planted["class"], "found": is_found,
                        "counts": planted["counts"],
                        "most_alike": run.rules[best]["rule"] if best is not None else None,
                        "place": best + 1 if best is not None else None,
                        "jaccard": row[best] if best is not None else 0.0})
    first = range(min(len(truth), len(run.rules)))
    hits = sum(any(row[i] >= ALIKE for row in alike) for i in first)
    return {"easy": mean(found["easy"]), "hard": mean(found["hard"]),
            "precision": hits / len(truth) if truth else None,
            "evaluations": run.evaluations, "seconds": run.seconds, "rules": details}


def planted_tables(seed, options, work, fresh_rows):
    """(folder, table to be mined, what is planted, fresh rows)"""
    folder = work / f"seed-{seed}"
    folder.mkdir(exist_ok=True)
    design = ["--seed", seed, "--attributes", options.attributes, "--rules", options.rules,
              "--missing", options.missing, "--force"]
    training, longer = folder / "training.h5", folder / "longer.csv"
    atoll("generate", "planted", "-o", training, "--rows", options.rows, "--truth",
          folder / "truth.json", *design)
    # Row r depends on seed and r alone: what is beyond the rows of a longer table is fresh.
    atoll("generate", "planted", "-o", longer, "--rows", options.rows + fresh_rows, "--truth",
          folder / "truth_longer.json", *design)
    truth = json.loads((folder / "truth.json").read_text())
    labels = {name: None if isinstance(a["values"][0], (int, float)) else a["values"]
              for name, a in truth["attributes"].items()}
    fresh = Table(longer, labels, options.rows)
    if not options.work:
        longer.unlink()
    return folder, training, truth, fresh


def one_seed(seed, options, mine_options, work):
    folder, training, truth, fresh = planted_tables(seed, options, work, options.rows)
    run = mine(training, folder / "run", seed, mine_options)
    chance = random_search(training, folder / "random", seed, mine_options, run.evaluations)
    return {"seed": seed, "planted": {c: sum(r["class"] == c for r in truth["rules"])
                                      for c in ("easy", "hard")},
            "atoll": judge(run, truth["rules"], fresh),
            "random": judge(chance, truth["rules"], fresh)}


def show_missed(results):
    for result in results:
        for rule in result["atoll"]["rules"]:
            if not rule["found"]:
                c = rule["counts"]
                print(f"seed {result['seed']}: missed {rule['class']} {rule['rule']} "
                      f"[{c['antecedent']} {c['consequent']} {c['both']} of {c['n']}]")
                print(f"  nearest {rule['jaccard']:.2f} at {rule['place']}: {rule['most_alike']}")


FIGURES = ("easy", "hard", "precision", "evaluations", "seconds")


def run(options, mine_options):
    results = []
    with work_folder(options.work) as work:
        head("Planted rules")
        for seed in options.seeds:
            results.append(one_seed(seed, options, mine_options, work))
    rows = []
    for result in results:
        count = result["planted"]
        rows.append([f"{result['seed']} ({count['easy']} + {count['hard']})"]
                    + [result[who][f] for who in ("atoll", "random") for f in FIGURES])
    for name, summary in (("worst", worst), ("mean", mean)):
        cells = []
        for who in ("atoll", "random"):
            for figure in FIGURES:
                of = max if name == "worst" and figure in FIGURES[3:] else summary
                cells.append(of([r[who][figure] for r in results]))
        rows.append([name] + cells)
    table(["seed (easy + hard)", "easy", "hard", "precision", "evaluations", "seconds",
           "random: easy", "hard", "precision", "evaluations", "seconds"], rows)
    if options.missed:
        show_missed(results)
    write_json(options.json, results)


def add_design(parser):
    parser.add_argument("--attributes", type=int, default=20, help="[20]")
    parser.add_argument("--rules", type=int, default=10, help="[10]")
    parser.add_argument("--missing", type=float, default=0.02, help="[0.02]")


def add_command(commands):
    parser = commands.add_parser("planted", help=__doc__)
    parser.add_argument("--rows", type=int, default=100_000, help="[100000], and as many fresh")
    add_design(parser)
    parser.add_argument("--missed", action="store_true", help="list what was not found")
    add_common_options(parser)
    parser.set_defaults(run=run)
