"""How good is a list aimed at one target? Mined on one half of the rows, judged on the other."""
import argparse
import sys

from coverage import is_conjunctive
from halves import QUESTIONS, Split, Whole, list_of
from merit import bound, judge
from peers import BEAMS, CHEATS, PACKAGES, Environment, cheats_of, peers_of
from runs import (Failure, add_common_options, kept_mine, seed_list, work_folder, write_json)
from tables import head, mean, table
from verdicts import best_peer, cheats, monotone, of_atoll, of_peer, ratio, reach

MAX_LENGTH = 5  # the target among them


def words_of(split, mine_options):
    """Of every run; what the user gives goes before."""
    given = {word.split("=")[0] for word in mine_options}
    words = ["--target", split.question.target, *mine_options]
    for name, value in (("--max-length", MAX_LENGTH), ("--threads", 1)):
        if name not in given:
            words += [name, value]
    return words


def judged_run(split, seed, words):
    """Figures of the list that a run writes, its evaluations and its seconds."""
    run = kept_mine(split.folder, split.data, seed, words)
    rules = [rule["antecedent"] for rule in run["rules"] if is_conjunctive(rule)]
    return judge(rules, split.train, split.test) | {name: run[name]
                                                    for name in ("evaluations", "seconds")}


def one_split(whole, number, options, mine_options, environment):
    split = Split(whole, number)
    words = words_of(split, mine_options)
    seeds = []
    for seed in options.seeds:
        runs = {g: judged_run(split, seed, [*words, "--generations", g])
                for g in options.generations}
        seeds.append({"seed": seed, "runs": runs})
        print(f"{whole.name}, split {number}, seed {seed}: "
              + ", ".join(f"{r['figure']:.4f} ({r['rules']}) in {r['seconds']:.1f} s"
                          for r in runs.values()), file=sys.stderr)
    longest = seeds[0]["runs"][options.generations[-1]]
    return {"split": number, "bound": bound(split.test.gains), "seeds": seeds,
            "peers": peers_of(split, environment, words, longest), "cheats": cheats_of(split)}


def one_table(name, options, mine_options, environment, work):
    whole = Whole(name, QUESTIONS[name], work)
    return {"table": name, "target": whole.question.target, "rows": len(whole.values),
            "splits": [one_split(whole, number, options, mine_options, environment)
                       for number in options.splits]}


def digits(value, places=4):
    return None if value is None else f"{value:.{places}f}"


def show(results, generations):
    """Markdown: Atoll's lists, then each figure beside those of others."""
    most = generations[-1]
    table(["table", "target", "rows", "bound", *(f"{g} generations" for g in generations),
           "rules", "productive", "coverage", "seconds"],
          [[r["table"], f"`{r['target']}`", r["rows"],
            digits(mean([s["bound"] for s in r["splits"]])),
            *(digits(of_atoll(r, g)) for g in generations),
            *(", ".join(digits(of_atoll(r, g, figure), 1) for g in generations)
              for figure in ("rules", "productive")),
            digits(of_atoll(r, most, "coverage"), 3),
            ", ".join(digits(of_atoll(r, g, "seconds"), 1) for g in generations)]
           for r in results])
    peers = [*(f"beam {width}" for width in BEAMS), *PACKAGES, "random"]

    def beside(title, figure, places, more, last):
        print(f"{title}:\n")
        table(["table", "Atoll", *peers, *more],
              [[r["table"], digits(of_atoll(r, most, figure), places),
                *(digits(of_peer(r, peer, figure), places) for peer in peers), *last(r)]
               for r in results])

    def of_cheats(r):
        return [digits(mean([s["cheats"][cheat]["figure"] for s in r["splits"]]))
                for cheat in CHEATS]

    beside("Figure of merit", "figure", 4, [*CHEATS, "Atoll / best peer"],
           lambda r: [*of_cheats(r), digits(ratio(of_atoll(r, most), best_peer(r)[0]), 3)])
    beside("Best rule", "best", 4, ["Atoll / best peer"],
           lambda r: [digits(ratio(of_atoll(r, most, "best"), best_peer(r, "best")[0]))])
    for title, figure in (("Productive rules", "productive"), ("Seconds", "seconds")):
        beside(title, figure, 1, [], lambda r: [])


def judge_all(results, generations, environment):
    """Prints the verdicts; Failure if one is no."""
    lead, behind = reach(results, generations)
    verdicts = {"monotone": monotone(results, generations), "reach": behind,
                "cheats": cheats(results, generations)}
    absent = [peer for peer in PACKAGES if peer not in environment.peers]
    print(f"Over the best peer, mean over tables: {lead:.3f}"
          + (f" (without {', '.join(absent)})" if absent else "") + "\n")
    for verdict, failures in verdicts.items():
        print(f"- {verdict}: {'fails' if failures else 'holds'}")
        for failure in failures:
            print(f"  - {failure}")
    failed = [verdict for verdict, failures in verdicts.items() if failures]
    if failed:
        raise Failure(f"fails: {', '.join(failed)}")


def run(options, mine_options):
    environment = Environment(options.peers)
    with work_folder(options.work) as work:
        results = [one_table(name, options, mine_options, environment, work)
                   for name in options.tables]
    head(f"Aimed lists, means of {len(options.splits)} splits and {len(options.seeds)} seeds")
    show(results, options.generations)
    versions = {peer["version"] for result in results for split in result["splits"]
                for peer in split["peers"].values() if "version" in peer}
    if versions:
        print(f"Peers: {', '.join(sorted(versions))}\n")
    write_json(options.json, results)
    judge_all(results, options.generations, environment)


def generation_list(text):
    numbers = seed_list(text)
    if numbers != sorted(set(numbers)):
        raise argparse.ArgumentTypeError(f"'{text}', expected ascending numbers such as 5,20,100")
    return numbers


def add_command(commands):
    parser = commands.add_parser("aimed", help=__doc__)
    parser.add_argument("--tables", type=list_of(QUESTIONS), default=list(QUESTIONS), metavar="A,B",
                        help="[all of " + ", ".join(QUESTIONS) + "]")
    parser.add_argument("--splits", type=seed_list, default=seed_list("1-3"), help="[1-3]")
    parser.add_argument("--generations", type=generation_list, default=[5, 20, 100, 400],
                        metavar="N,M",
                        help="ascending; the last is beside the peers [5,20,100,400]")
    parser.add_argument("--peers", metavar="VENV",
                        help="virtual environment with pysubgroup, pysubdisc and scikit-learn; "
                        "made with pip if there is no such folder")
    add_common_options(parser, seeds="1-5")
    parser.set_defaults(run=run)
