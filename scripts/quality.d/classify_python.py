"""STreeD and wittgenstein's RIPPER, each fit in a process of its own that can be stopped.

As a script: classify_python.py streed|ripper LEAVES SECONDS FILE.npz, with x, y and test_x in the
file; prints {"labels", "rules"}."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from classify_learners import Learner, Unfinished, np

SECONDS = {"streed": 60, "ripper": 120}  # for a fit
PACKAGES = {"streed": "pystreed", "ripper": "wittgenstein"}
THRESHOLDS, FEATURES, DEPTH = 10, 100, 4  # of STreeD


def streed(x, y, test_x, leaves, seconds):
    """The optimal tree of so many leaves, of depth 4 at most, on 0/1 features: of each numeric
    column 10 quantiles, of all of these the 100 that a random forest finds most important."""
    from pystreed import STreeDClassifier
    model = STreeDClassifier("accuracy", max_depth=min(DEPTH, leaves - 1),
                             max_num_nodes=leaves - 1, time_limit=seconds,
                             continuous_binarize_strategy="quantile", n_thresholds=THRESHOLDS,
                             max_num_binary_features=FEATURES)
    model.fit(x, y)
    if not model.fit_result.is_optimal():
        raise TimeoutError(f"not optimal after {seconds} s")
    return model.predict(test_x), int(model.get_n_leaves())


def ripper(x, y, test_x, leaves, seconds):
    """Rules for the rarer class of two."""
    import pandas
    from wittgenstein import RIPPER
    names = [f"a{i}" for i in range(x.shape[1])]
    x, test_x = x.astype(float), test_x.astype(float)
    rare = int(np.argmin(np.bincount(y)))
    model = RIPPER(random_state=0)
    model.fit(pandas.DataFrame(x, columns=names), y=[int(v) for v in y], pos_class=rare)
    found = np.array(model.predict(pandas.DataFrame(test_x, columns=names)), dtype=bool)
    return np.where(found, rare, 1 - rare), len(model.ruleset_)


def fit(name, training, test, leaves):
    """(labels, rules or leaves, seconds)"""
    with tempfile.TemporaryDirectory(prefix="atoll-peer-") as folder:
        path = pathlib.Path(folder) / "data.npz"
        np.savez(path, x=training.x, y=training.y, test_x=test.x)
        words = [sys.executable, __file__, name, leaves or 0, SECONDS[name], path]
        begin = time.monotonic()
        try:
            done = subprocess.run(list(map(str, words)), capture_output=True, text=True,
                                  timeout=SECONDS[name] + 10)
        except subprocess.TimeoutExpired:
            raise Unfinished(f"not finished in {SECONDS[name]} s") from None
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["failed"])[-1]
        raise Unfinished(why.split("Error: ")[-1][:80])
    answer = json.loads(done.stdout.splitlines()[-1])
    return np.array(answer["labels"]), answer["rules"], time.monotonic() - begin


def learner(name, **limits):
    """@param limits  of a Learner"""
    def missing():
        if importlib.util.find_spec(PACKAGES[name]) is None:
            return f"{sys.executable} has no {PACKAGES[name]} (pip install {PACKAGES[name]})"
        return None

    def learn(training, test, sizes, balanced):
        return {k: fit(name, training, test, k) for k in sizes}

    return Learner(learn, balanced=False, missing=missing, **limits)


if __name__ == "__main__":
    with np.load(sys.argv[4]) as data:
        labels, rules = {"streed": streed, "ripper": ripper}[sys.argv[1]](
            data["x"], data["y"], data["test_x"], int(sys.argv[2]), int(sys.argv[3]))
    print(json.dumps({"labels": [int(v) for v in labels], "rules": rules}))
