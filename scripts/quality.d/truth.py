"""How many of the truly best rules by leverage does a run find? On data sets of labels."""
import argparse
import csv
import hashlib
import json
import lzma
import math
import os
import pathlib

from coverage import Table, is_conjunctive, np
from runs import (Failure, add_common_options, atoll, mine, random_search, work_folder, write_json)
from tables import head, mean, table, worst

# name -> the columns taken, all as labels; None: every column
DATA = {
    "mushroom-uci": None,
    "connect-4": None,
    "kddcup99_10pct": ["protocol_type", "service", "flag", "land", "logged_in", "is_host_login",
                       "is_guest_login", "Class"],
    "contraceptive": None,
}
SHARE = 0.02  # of the space may be evaluated
MOST = 1_000_000  # evaluations, however large the space
MAX_LENGTH = 5


def source(name):
    folder = os.environ.get("ATOLL_DATA")
    if not folder:
        raise Failure("set ATOLL_DATA to the folder of the data sets")
    for suffix in (".csv", ".csv.xz"):
        path = pathlib.Path(folder) / (name + suffix)
        if path.exists():
            return path
    raise Failure(f"no data: {folder}/{name}.csv or .csv.xz")


class Data:
    """A data set as labels: the file that atoll mines, and the rows that a rule covers."""

    def __init__(self, name, work):
        self.name = name
        path = source(name)
        opened = lzma.open if path.suffix == ".xz" else open
        with opened(path, "rt", newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        wanted = DATA[name] or rows[0]
        places = [rows[0].index(column) for column in wanted]
        text, self.file = work / f"{name}.csv", work / f"{name}.h5"
        with open(text, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([row[i] for i in places] for row in rows)
        atoll("import", text, "-o", self.file, "--force", "--missing", ",?",
              "--nominal", ",".join(f'"{column}"' for column in wanted))
        missing = {"", "?"}
        labels = {column: sorted({row[i] for row in rows[1:]} - missing)
                  for column, i in zip(wanted, places)}
        self.table = Table(text, labels, 0, missing)

    def meaning(self, rule):
        """Equal for rules whose two sides cover the same rows, in whichever direction."""
        return frozenset(hashlib.blake2b(np.packbits(self.table.covered(rule[side]))).digest()
                         for side in ("antecedent", "consequent"))

    def meanings(self, rules):
        return {self.meaning(rule) for rule in rules if is_conjunctive(rule)}


def n2_leverage(rule):
    c = rule["counts"]
    return c["both"] * c["n"] - c["antecedent"] * c["consequent"]


class Truth:
    """The `top` best rules, and those as good as the last of them."""

    def __init__(self, data, top, work):
        path = work / f"{data.name}-top{top}.json"
        if not path.exists():  # a work folder that is kept has it from last time
            _, seconds = atoll("enumerate", data.file, "-o", path, "--top", top, "--max-length",
                               MAX_LENGTH)
            written = json.loads(path.read_text()) | {"seconds": seconds}
            path.write_text(json.dumps(written))
        written = json.loads(path.read_text())
        self.space, self.evaluated = written["space"], written["evaluated"]
        self.seconds = written["seconds"]
        self.rules = written["rules"]
        self.top = min(top, len(self.rules))
        last = n2_leverage(self.rules[self.top - 1])
        self.meanings = [data.meaning(rule) for rule in self.rules]
        self.above = sum(n2_leverage(rule) > last for rule in self.rules)
        self.last = self.rules[self.top - 1]["measures"]["leverage"]

    def found(self, meanings):
        """Of rules as good as the last any will do, but no more than there are places."""
        hits = [m in meanings for m in self.meanings]
        return sum(hits[:self.above]) + min(sum(hits[self.above:]), self.top - self.above)


def search_options(budget, top, mine_options):
    """As large a search for leverage alone as the budget allows, at least 50 generations, of which
    all rules are written, however alike; what the user gives goes before."""
    given = {word.split("=")[0] for word in mine_options}
    islands = 4
    population = max(20, min(200, budget // (50 * islands)))
    options = list(mine_options)
    for name, value in (("--islands", islands), ("--population", population),
                        ("--generations", max(1, budget // (islands * population) - 1)),
                        ("--max-length", MAX_LENGTH), ("--maximize", "leverage"),
                        ("--max-similarity", 1), ("--top", 2 * top), ("--bounds", "binned")):
        if name not in given:
            options += [name, value]
    return options


def random_meanings(data, work, seed, words, evaluations):
    """What random search finds, in as many runs as it takes to hold their rules in memory."""
    parts = math.ceil(evaluations / MOST)
    found = set()
    for part in range(parts):
        run = random_search(data.file, work / f"{data.name}-random", seed + 1000 * part, words,
                            evaluations // parts)
        found.update(data.meanings(run.rules))
    return found


def one_data_set(name, options, mine_options, work):
    data = Data(name, work)
    truth = Truth(data, options.top, work)
    budget = options.evaluations or min(int(SHARE * truth.space), MOST)
    words = search_options(budget, options.top, mine_options)
    seeds, hits = [], [0] * len(truth.rules)
    for seed in options.seeds:
        run = mine(data.file, work / f"{name}-run", seed, words)
        meanings = data.meanings(run.rules)
        hits = [h + (m in meanings) for h, m in zip(hits, truth.meanings)]
        seeds.append({"seed": seed, "found": truth.found(meanings),
                      "evaluations": run.evaluations, "seconds": run.seconds,
                      "random": truth.found(random_meanings(data, work, seed, words,
                                                            run.evaluations))})
    path = work / f"{name}-beam.json"
    evaluations = max(s["evaluations"] for s in seeds)
    atoll("enumerate", data.file, "-o", path, "--force", "--method", "beam", "--evaluations",
          evaluations, "--top", options.top, "--max-length", MAX_LENGTH)
    beam = json.loads(path.read_text())
    return {"data": name, "rows": data.table.rows, "space": truth.space, "top": truth.top,
            "last": truth.last, "as_good_as_last": len(truth.rules) - truth.above,
            "enumerated": truth.evaluated, "enumerate_seconds": truth.seconds,
            "evaluations": evaluations, "share": evaluations / truth.space, "seeds": seeds,
            "beam": truth.found(data.meanings(beam["rules"])),
            "missed": [{"place": i + 1, "rule": rule["rule"],
                        "leverage": rule["measures"]["leverage"], "found_by": h}
                       for i, (rule, h) in enumerate(zip(truth.rules, hits))
                       if h < len(options.seeds)]}


def run(options, mine_options):
    results = []
    with work_folder(options.work) as work:
        head("The true best")
        for name in options.data:
            results.append(one_data_set(name, options, mine_options, work))
    table(["data", "rows", "rules in the space", "counted by the enumerator", "seconds",
           "true best", "leverage of the last", "as good as it"],
          [[r["data"], r["rows"], r["space"], r["enumerated"], r["enumerate_seconds"], r["top"],
            f"{r['last']:.4f}", r["as_good_as_last"]] for r in results])
    rows = []
    for r in results:
        found = [s["found"] for s in r["seeds"]]
        chance = [s["random"] for s in r["seeds"]]
        rows.append([r["data"], r["evaluations"], f"{100 * r['share']:.2f}%",
                     mean([s["seconds"] for s in r["seeds"]]), f"{worst(found)} of {r['top']}",
                     mean(found), worst(chance), mean(chance), r["beam"]])
        if r["share"] > SHARE:
            print(f"{r['data']}: more than {SHARE:.0%} of the space was evaluated\n")
    table(["data", "evaluations", "of the space", "seconds", "found, worst", "mean",
           "random: worst", "mean", "beam"], rows)
    if options.missed:
        for r in results:
            for m in r["missed"]:
                print(f"{r['data']}: {m['place']}. {m['rule']} ({m['leverage']:.4f}): found by "
                      f"{m['found_by']} of {len(options.seeds)}")
    write_json(options.json, results)


def data_list(text):
    names = text.split(",")
    unknown = [name for name in names if name not in DATA]
    if unknown:
        raise argparse.ArgumentTypeError(f"no '{unknown[0]}', expected some of {', '.join(DATA)}")
    return names


def add_command(commands):
    parser = commands.add_parser("truth", help=__doc__)
    parser.add_argument("--data", type=data_list, default=list(DATA), metavar="A,B",
                        help="[all of " + ", ".join(DATA) + "]")
    parser.add_argument("--top", type=int, default=100, help="how many are sought [100]")
    parser.add_argument("--evaluations", type=int,
                        help=f"of each run [2%% of the space, at most {MOST}]")
    parser.add_argument("--missed", action="store_true", help="list what not every seed found")
    add_common_options(parser)
    parser.set_defaults(run=run)
