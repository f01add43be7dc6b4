"""`atoll classify`, by command line."""
import csv
import hashlib
import json
import pathlib
import shutil
import subprocess
import tempfile

from classify_folds import write_table
from classify_learners import Clock, Learner, Unfinished, np
from runs import Failure


def train_and_predict(program, folder, names, k, balanced, seed, options):
    """(rows of predicted.csv, content of classifier.json, lists evaluated). All
    that is known here of the command line and of the files of a run."""
    asked = (["--max-rules", k] if k else []) + (["--balance"] if balanced else [])
    run(program, "classify", "train", folder / "training.csv", "-o", folder / "run",
        "--class", names[-1], *asked, "--seed", seed, *options)
    run(program, "classify", "predict", folder / "run", folder / "test.csv", "-o",
        folder / "predicted.csv")
    with open(folder / "predicted.csv", newline="", encoding="utf-8") as file:
        predicted = list(csv.DictReader(file))
    events = map(json.loads, (folder / "run" / "log.jsonl").read_text().splitlines())
    evaluations = max(event.get("evaluated", 0) for event in events)
    return predicted, json.loads((folder / "run" / "classifier.json").read_text()), evaluations


def comparisons_of(antecedent):
    parts = antecedent.get("and") or antecedent.get("or")
    if parts is None and "not" in antecedent:
        parts = [antecedent["not"]]
    return 1 if parts is None else sum(map(comparisons_of, parts))


def probabilities(predicted, classes):
    """[rows, classes] of the columns p(LABEL); nothing if there are none."""
    columns = [f"p({name})" for name in classes]
    if not predicted or not any(column in predicted[0] for column in columns):
        return {}
    return {"probabilities": np.array([[float(row.get(column) or 0) for column in columns]
                                       for row in predicted])}


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Unfinished(f"exit status {done.returncode}: "
                         f"{(done.stderr.strip().splitlines() or ['no message'])[-1][:80]}")


def fit(program, training, test, k, balanced, seed, options):
    codes = {name: code for code, name in enumerate(training.classes)}
    with tempfile.TemporaryDirectory(prefix="atoll-classify-") as folder:
        folder = pathlib.Path(folder)
        write_table(folder / "training.csv", training.names, training.rows)
        write_table(folder / "test.csv", test.names, test.rows)
        clock = Clock()
        predicted, model, evaluations = train_and_predict(program, folder, training.names, k,
                                                          balanced, seed, options)
        seconds, used = clock.seconds(), clock.processor_seconds()
    notes = {"evaluations": evaluations,
             "comparisons": sum(comparisons_of(rule["antecedent"]) for rule in model["rules"])}
    return (np.array([codes.get(row["class"], -1) for row in predicted]), len(model["rules"]),
            seconds, notes | used | probabilities(predicted, training.classes))


def learner(program, seed, options):
    found = shutil.which(program)
    if found is None:
        raise Failure(f"{program}: no such program")

    def learn(training, test, sizes, balanced):
        return {k: fit(found, training, test, k, balanced, seed, options) for k in sizes}

    digest = hashlib.blake2b(pathlib.Path(found).read_bytes(), digest_size=8).hexdigest()
    return Learner(learn, apart=True,
                   stamp={"program": digest, "seed": seed, "options": list(options)})
