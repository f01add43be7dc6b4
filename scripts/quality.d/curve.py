"""How soon are planted rules found? Runs of more and more generations, on each backend."""
import pathlib

from drawing import draw
from planted import add_design, judge, planted_tables
from runs import Failure, add_common_options, mine, random_search, work_folder, write_json
from tables import head, mean, table

FRESH_ROWS = 100_000


def generation_list(text):
    return sorted({int(part) for part in text.split(",")})


def one_limit(seed, generations, tables, options, mine_options):
    """What a run of so many generations finds, its seconds on each backend, and random search."""
    folder, training, truth, fresh = tables
    runs = {backend: mine(training, folder / f"{generations}-{backend}", seed,
                          mine_options + ["--generations", generations, "--backend", backend])
            for backend in options.backends}
    first, *others = runs.values()
    if any(run.rules != first.rules for run in others):
        raise Failure(f"seed {seed}, {generations} generations: backends differ")
    found = judge(first, truth["rules"], fresh)
    result = {"seed": seed, "generations": generations, "hard": found["hard"],
              "precision": found["precision"], "evaluations": found["evaluations"],
              "seconds": {backend: run.seconds for backend, run in runs.items()}}
    if options.random:
        chance = random_search(training, folder / "random", seed,
                               mine_options + ["--backend", options.backends[0]],
                               first.evaluations)
        judged = judge(chance, truth["rules"], fresh)
        result["random"] = {"hard": judged["hard"], "seconds": judged["seconds"]}
    return result


def averages(results, options):
    """A row for each limit: means over the seeds."""
    rows = []
    for generations in options.generations:
        of = [result for result in results if result["generations"] == generations]
        rows.append({"generations": generations,
                     "hard": mean([r["hard"] for r in of]),
                     "precision": mean([r["precision"] for r in of]),
                     "seconds": {backend: mean([r["seconds"][backend] for r in of])
                                 for backend in options.backends},
                     "random": {figure: mean([r.get("random", {}).get(figure) for r in of])
                                for figure in ("hard", "seconds")}})
    return rows


def picture(rows, options):
    lines = {f"--backend {backend}": [(row["seconds"][backend], row["hard"]) for row in rows]
             for backend in options.backends}
    if options.random:
        lines[f"random, --backend {options.backends[0]}"] = sorted(
            (row["random"]["seconds"], row["random"]["hard"]) for row in rows)
    return draw("Hard planted rules found", "seconds, start and end of the run included",
                "share found", lines)


def run(options, mine_options):
    results = []
    with work_folder(options.work) as work:
        head("Planted rules found over time")
        for seed in options.seeds:
            tables = planted_tables(seed, options, work, FRESH_ROWS)
            results += [one_limit(seed, generations, tables, options, mine_options)
                        for generations in options.generations]
    rows = averages(results, options)
    table(["generations", "hard", "precision"] + [f"{b}: seconds" for b in options.backends]
          + ["random: hard", "seconds"],
          [[row["generations"], row["hard"], row["precision"], *row["seconds"].values(),
            row["random"]["hard"], row["random"]["seconds"]] for row in rows])
    write_json(options.json, results)
    if options.picture:
        pathlib.Path(options.picture).write_text(picture(rows, options))


def add_command(commands):
    parser = commands.add_parser("curve", help=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000, help="[1000000]")
    add_design(parser)
    parser.add_argument("--generations", type=generation_list,
                        default=[2, 5, 10, 20, 50, 100, 200], help="[2,5,10,20,50,100,200]")
    parser.add_argument("--backends", type=lambda text: text.split(","), default=["cpu"],
                        help="cpu, cuda or both [cpu]; results must be equal")
    parser.add_argument("--random", action="store_true",
                        help="also search at random, with as many evaluations")
    parser.add_argument("--picture", metavar="FILE", help="also draw the curves, as SVG")
    add_common_options(parser, seeds="1-5")
    parser.set_defaults(run=run)
