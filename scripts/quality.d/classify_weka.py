"""JRip and PART of Weka, by command line: each rule but the default counts."""
import os
import pathlib
import re
import subprocess
import tempfile
import time

from classify_learners import Clock, Learner, Unfinished, np, numbers_of

JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")  # of Debian's package
SECONDS = 120  # for a fit


def missing():
    """What is not there, in one line; else None."""
    if not pathlib.Path(JAR).exists():
        return f"no Weka: {JAR} is not there (Debian: weka default-jre-headless; or set WEKA_JAR)"
    return None


def columns_of(data):
    """[(what ARFF says of the attribute, value -> text)]; labels become v0, v1, ... by rank."""
    result = []
    for column in zip(*(row[:-1] for row in data)):
        if numbers_of(column) is not None:
            result.append(("numeric", lambda v: v if v != "" else "?"))
            continue
        codes = {v: f"v{i}" for i, v in enumerate(sorted(set(column) - {""}))}
        result.append(("{" + ",".join(codes.values()) + "}",
                       lambda v, codes=codes: codes.get(v, "?")))
    return result


def write_arff(path, columns, sample):
    with open(path, "w", encoding="ascii") as file:
        file.write("@relation table\n")
        for at, (kind, _) in enumerate(columns):
            file.write(f"@attribute a{at} {kind}\n")
        labels = ",".join(f"c{i}" for i in range(len(sample.classes)))
        file.write(f"@attribute class {{{labels}}}\n@data\n")
        for row, y in zip(sample.rows, sample.y):
            cells = [text(v) for (_, text), v in zip(columns, row)]
            file.write(",".join(cells + [f"c{y}"]) + "\n")


def java(until, *words):
    try:
        done = subprocess.run(
            ["java", "-Xmx4g", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1", "-cp", JAR,
             *map(str, words)], capture_output=True, text=True,
            timeout=max(1, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise Unfinished(f"not finished in {SECONDS} s") from None
    if done.returncode != 0 or "Exception" in done.stderr:
        raise Unfinished((done.stderr.strip().splitlines() or ["failed"])[-1][:80])
    return done.stdout


def fit(name, training, test):
    """(labels, rules, seconds, notes); a row that Weka does not list gets -1."""
    with tempfile.TemporaryDirectory(prefix="atoll-weka-") as folder:
        folder = pathlib.Path(folder)
        columns = columns_of(training.rows + test.rows)
        write_arff(folder / "training.arff", columns, training)
        write_arff(folder / "test.arff", columns, test)
        begin, clock = time.monotonic(), Clock()
        program = f"weka.classifiers.rules.{name}"
        text = java(begin + SECONDS, program, "-t", folder / "training.arff", "-no-cv", "-v",
                    "-d", folder / "model")
        seconds, used = clock.seconds(), clock.processor_seconds()
        rules = int(re.search(r"Number of Rules\s*:\s*(\d+)", text).group(1)) - 1
        listed = java(begin + 2 * SECONDS, program, "-l", folder / "model", "-T",
                      folder / "test.arff", "-p", 0)
    labels = np.full(len(test.y), -1)
    for number, code in re.findall(r"^\s*(\d+)\s+\S+\s+(\d+):", listed, re.MULTILINE):
        labels[int(number) - 1] = int(code) - 1
    return labels, rules, seconds, used


def learner(name):
    def learn(training, test, sizes, balanced):
        return {k: fit(name, training, test) for k in sizes}
    return Learner(learn, sizes=(None,), balanced=False, missing=missing)
