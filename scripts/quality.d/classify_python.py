"""STreeD, wittgenstein's RIPPER, FIGS and BoostedRules of imodels, each fit in a process of its own that can be stopped.

As a script: classify_python.py LEARNER LEAVES SECONDS FILE.npz, with x, y and test_x in the file;
prints {"labels", "rules", "seconds", "processor_seconds"}, and "comparisons" and "probabilities" by
classes of the training rows if it knows them. A learner imports what it needs, then starts a Clock."""
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

from classify_learners import Clock, Learner, Unfinished, np

SECONDS = {"streed": 60, "ripper": 120, "figs": 120, "boosted_rules": 120}  # for a fit
PACKAGES = {"streed": "pystreed", "ripper": "wittgenstein", "figs": "imodels",
            "boosted_rules": "imodels"}
IMPORTS = 60  # seconds to load its packages, besides
THRESHOLDS, FEATURES, DEPTH = 10, 100, 4  # of STreeD


def streed(x, y, test_x, leaves, seconds):
    """The optimal tree of so many leaves, of depth 4 at most, on 0/1 features: of each numeric
    column 10 quantiles, of all of these the 100 that a random forest finds most important."""
    from pystreed import STreeDClassifier
    model = STreeDClassifier("accuracy", max_depth=min(DEPTH, leaves - 1),
                             max_num_nodes=leaves - 1, time_limit=seconds,
                             continuous_binarize_strategy="quantile", n_thresholds=THRESHOLDS,
                             max_num_binary_features=FEATURES)
    clock = Clock()
    model.fit(x, y)
    if not model.fit_result.is_optimal():
        raise TimeoutError(f"not optimal after {seconds} s")
    return clock, {"labels": model.predict(test_x), "rules": int(model.get_n_leaves())}


def ripper(x, y, test_x, leaves, seconds):
    """Rules for the rarer class of two."""
    import pandas
    from wittgenstein import RIPPER
    names = [f"a{i}" for i in range(x.shape[1])]
    x, test_x = x.astype(float), test_x.astype(float)
    rare = int(np.argmin(np.bincount(y)))
    model = RIPPER(random_state=0)
    clock = Clock()
    model.fit(pandas.DataFrame(x, columns=names), y=[int(v) for v in y], pos_class=rare)
    test = pandas.DataFrame(test_x, columns=names)
    found = np.array(model.predict(test), dtype=bool)
    p = np.array([(1 - row[1], row[1]) for row in model.predict_proba(test)])
    return clock, {"labels": np.where(found, rare, 1 - rare), "rules": len(model.ruleset_),
                   "comparisons": sum(len(rule.conds) for rule in model.ruleset_.rules),
                   "probabilities": p if rare == 1 else p[:, ::-1]}


def imodels_result(model, x, y, test_x):
    clock = Clock()
    model.fit(x, y)
    told = np.asarray(model.predict_proba(test_x))
    return clock, {"labels": model.classes_[np.argmax(told, axis=1)], "probabilities": told,
                   "rules": int(model.complexity_), "comparisons": int(model.complexity_)}


def figs(x, y, test_x, leaves, seconds):
    """A sum of trees, with so many splits in all (Tan et al. 2022). Missing values are the least."""
    from imodels import FIGSClassifier
    return imodels_result(FIGSClassifier(max_rules=leaves, random_state=0), known(x), y, known(test_x))


def boosted_rules(x, y, test_x, leaves, seconds):
    """AdaBoost of so many stumps. Missing values are the least."""
    from imodels import BoostedRulesClassifier
    model = BoostedRulesClassifier(n_estimators=leaves, random_state=0)
    return imodels_result(model, known(x), y, known(test_x))


def known(x):
    return np.nan_to_num(x, nan=-1e30)


def fit(name, training, test, leaves):
    """(labels, rules or leaves, seconds, notes)"""
    with tempfile.TemporaryDirectory(prefix="atoll-peer-") as folder:
        path = pathlib.Path(folder) / "data.npz"
        np.savez(path, x=training.x, y=training.y, test_x=test.x)
        words = [sys.executable, __file__, name, leaves or 0, SECONDS[name], path]
        try:
            done = subprocess.run(list(map(str, words)), capture_output=True, text=True,
                                  timeout=SECONDS[name] + IMPORTS)
        except subprocess.TimeoutExpired:
            raise Unfinished(f"not finished in {SECONDS[name]} s") from None
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["failed"])[-1]
        raise Unfinished(why.split("Error: ")[-1][:80])
    answer = json.loads(done.stdout.splitlines()[-1])
    notes = {name: answer[name] for name in ("comparisons", "processor_seconds") if name in answer}
    if "probabilities" in answer:  # of the classes that the training rows have
        told = np.zeros((len(test.y), len(training.classes)))
        told[:, np.unique(training.y)] = answer["probabilities"]
        notes["probabilities"] = told
    return np.array(answer["labels"]), answer["rules"], answer["seconds"], notes


def learner(name, **limits):
    """@param limits  of a Learner"""
    def missing():
        if importlib.util.find_spec(PACKAGES[name]) is None:
            return f"{sys.executable} has no {PACKAGES[name]} (pip install {PACKAGES[name]})"
        return None

    def learn(training, test, sizes, balanced):
        return {k: fit(name, training, test, k) for k in sizes}

    return Learner(learn, balanced=False, missing=missing, **limits)


LEARN = {"streed": streed, "ripper": ripper, "figs": figs, "boosted_rules": boosted_rules}

if __name__ == "__main__":
    with np.load(sys.argv[4]) as data:
        clock, answer = LEARN[sys.argv[1]](data["x"], data["y"], data["test_x"],
                                           int(sys.argv[2]), int(sys.argv[3]))
    answer |= {"seconds": clock.seconds()} | clock.processor_seconds()
    print(json.dumps({name: value.tolist() if isinstance(value, np.ndarray) else value
                      for name, value in answer.items()}))
