"""Do bounds among all values hold on other rows as well as those of 256 bins? Lists mined with
--bounds exact beside --bounds binned, judged on the other half."""
from aimed import digits, judged_run, words_of
from halves import Question, Split, Whole, list_of
from runs import Failure, add_common_options, seed_list, work_folder, write_json
from tables import head, mean, table

QUESTIONS = {
    "wdbc": Question("wdbc", "Diagnosis", "M"),
    "ecoli": Question("ecoli", "Class", "cp"),
    "spambase": Question("spambase", "Class", "1"),
}
KINDS = ("exact", "binned")
LEAST = 0.995  # of what bins give, in the mean over splits and seeds


def one_table(name, options, mine_options, work):
    whole = Whole(name, QUESTIONS[name], work)
    runs = []
    for number in options.splits:
        split = Split(whole, number)
        for seed in options.seeds:
            words = [*words_of(split, mine_options), "--generations", options.generations]
            runs.append({"split": number, "seed": seed,
                         **{kind: judged_run(split, seed, [*words, "--bounds", kind])
                            for kind in KINDS}})
    return {"table": name, "target": whole.question.target, "runs": runs}


def run(options, mine_options):
    with work_folder(options.work) as work:
        results = [one_table(name, options, mine_options, work) for name in options.tables]
    head(f"Bounds, means of {len(options.splits)} splits and {len(options.seeds)} seeds")
    rows, failed = [], []
    for r in results:
        row = [r["table"], f"`{r['target']}`"]
        for figure in ("figure", "best"):
            exact, binned = (mean([run[kind][figure] for run in r["runs"]]) for kind in KINDS)
            row += [digits(exact), digits(binned), digits(exact / binned)]
            if exact < LEAST * binned:
                failed.append(f"{r['table']}'s {'best rule' if figure == 'best' else 'list'}")
        rows.append(row + [digits(mean([run[kind]["rules"] for run in r["runs"]]), 1)
                           for kind in KINDS])
    table(["table", "target", "figure: exact", "binned", "ratio", "best rule: exact", "binned",
           "ratio", "rules: exact", "binned"], rows)
    write_json(options.json, results)
    if failed:
        raise Failure(f"exact bounds are worse on other rows: {', '.join(failed)}")


def add_command(commands):
    parser = commands.add_parser("bounds", help=" ".join(__doc__.split()))
    parser.add_argument("--tables", type=list_of(QUESTIONS), default=list(QUESTIONS), metavar="A,B",
                        help="[all of " + ", ".join(QUESTIONS) + "]")
    parser.add_argument("--splits", type=seed_list, default=seed_list("1-3"), help="[1-3]")
    parser.add_argument("--generations", type=int, default=100, help="[100]")
    add_common_options(parser, seeds="1-5")
    parser.set_defaults(run=run)
