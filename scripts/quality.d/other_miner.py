"""Atoll and NiaARM side by side, given the same time."""
import csv
import json
import pathlib
import shutil
import subprocess
import sys

from coverage import Table, is_conjunctive, np
from runs import Failure, add_common_options, atoll, mine, work_folder, write_json
from tables import head, mean, table
from truth import source

DATA = ("abalone", "contraceptive")
FIRST = 100  # rules that each program is judged by; NiaARM also by all that it has collected


def label_lists(path, numeric):
    """What Table wants: the labels of each column, None where numeric(name) holds."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return {name: None if numeric(name) else sorted(set(column) - {""})
            for name, column in zip(rows[0], zip(*rows[1:]))}


def is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def figures(rules, data):
    """What a list of rules is worth, from rows counted here, alike for both programs."""
    measured = {"support": [], "confidence": [], "lift": [], "leverage": [], "coverage": []}
    held = np.zeros(data.rows, dtype=bool)
    kinds = set()
    for rule in rules:
        x, y = data.covered(rule["antecedent"]), data.covered(rule["consequent"])
        both = x & y
        held |= both
        kinds.add((x.tobytes(), y.tobytes()))
        p_x, p_y, p_both = (np.count_nonzero(rows) / data.rows for rows in (x, y, both))
        confidence = p_both / p_x if p_x else 0.0
        for name, value in (("support", p_both), ("confidence", confidence),
                            ("lift", confidence / p_y if p_y else 0.0),
                            ("leverage", p_both - p_x * p_y), ("coverage", p_x)):
            measured[name].append(float(value))
    result = {"rules": len(rules), "distinct": len(kinds),
              "above_1": sum(v > 1 + 1e-9 for v in measured["lift"]),
              "rows": float(np.count_nonzero(held) / data.rows)}
    for name, values in measured.items():
        result["best_" + name], result["mean_" + name] = max(values, default=None), mean(values)
    return result


def run_niaarm(python, path, seconds, seed):
    script = pathlib.Path(__file__).with_name("niaarm_rules.py")
    done = subprocess.run([python, str(script), str(path), str(seconds), str(seed)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"NiaARM: {done.stderr.strip().splitlines()[-1:] or done.returncode}")
    return json.loads(done.stdout)


def one_data_set(name, options, mine_options, work):
    text, data = work / f"{name}.csv", work / f"{name}.h5"
    shutil.copyfile(source(name), text)
    atoll("import", text, "-o", data, "--force")
    described = json.loads(atoll("info", data, "--json")[0])
    kinds = {a["name"]: a["kind"] for a in described["attributes"]}
    ours = Table(text, label_lists(text, lambda name: kinds.get(name) == "numeric"))
    with open(text, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        numbers = dict(zip(next(rows), map(is_number, next(rows))))
    theirs = Table(text, label_lists(text, numbers.get))

    results = {}
    same_time = ["--time-limit", f"{options.seconds}s", "--patience", 0, "--top", FIRST, "--threads",
                 1]  # as many as NiaARM uses
    alike = ["--maximize", "support,confidence", "--archive-by", "support"]
    for seed in options.seeds:
        nia = run_niaarm(options.python, text, options.seconds, seed)
        for label, rules in ((f"NiaARM {nia['version']}, all", nia["rules"]),
                             (f"NiaARM {nia['version']}, first {FIRST}", nia["rules"][:FIRST])):
            results.setdefault(label, []).append(
                figures(rules, theirs)
                | {"evaluations": nia["evaluations"], "seconds": nia["seconds"]})
        for label, more in (("Atoll", []), ("Atoll by support and confidence", alike)):
            run = mine(data, work / "run", seed, [*same_time, *more, *mine_options])
            conjunctive = [rule for rule in run.rules if is_conjunctive(rule)]
            results.setdefault(label, []).append(
                figures(conjunctive, ours)
                | {"evaluations": run.evaluations, "seconds": run.seconds})
    return {"data": name, "programs": results}


COLUMNS = (("evaluations", "evaluations"), ("rules", "rules"),
           ("distinct", "of different rows"), ("above_1", "of lift > 1"),
           *((f"{kind}_{m}", f"{m}, {kind}")
             for m in ("support", "confidence", "lift", "leverage", "coverage")
             for kind in ("best", "mean")),
           ("rows", "rows on which one holds"))


def run(options, mine_options):
    probe = subprocess.run([options.python, "-c", "import niaarm"], capture_output=True)
    if probe.returncode != 0:
        print(f"SKIPPED: {options.python} has no NiaARM; python3 -m venv V && V/bin/pip install "
              "niaarm, then --python V/bin/python", file=sys.stderr)
        return
    with work_folder(options.work) as work:
        head(f"NiaARM, {options.seconds:g} seconds each, means of {len(options.seeds)} seeds")
        results = [one_data_set(name, options, mine_options, work) for name in DATA]
    for result in results:
        print(f"{result['data']}:\n")
        programs = result["programs"]
        table([""] + list(programs),
              [[title] + [mean([r[key] for r in runs]) for runs in programs.values()]
               for key, title in COLUMNS])
    write_json(options.json, results)


def add_command(commands):
    parser = commands.add_parser("niaarm", help=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="for each run [10]")
    parser.add_argument("--python", default=sys.executable,
                        help="the interpreter that has NiaARM [this one]")
    add_common_options(parser)
    parser.set_defaults(run=run)
