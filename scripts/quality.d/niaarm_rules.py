"""Mines a CSV file with NiaARM until a time is over; run by the Python that has it.

usage: niaarm_rules.py DATA.csv SECONDS SEED

Prints {"version", "evaluations", "seconds", "rules": [...]}, rules with antecedent and consequent
as rules.json has them, best first. Differential evolution of support and confidence, with the
settings of NiaARM's own example.
"""
import importlib.metadata
import json
import sys
import time

from niaarm import Dataset, NiaARM
from niapy.algorithms.basic import DifferentialEvolution
from niapy.task import OptimizationType, Task


class TimedTask(Task):
    def __init__(self, seconds, **more):
        super().__init__(**more)
        self.end = time.monotonic() + seconds

    def stopping_condition(self):
        return time.monotonic() >= self.end


def comparison(feature):
    if feature.categories:
        return {"attribute": feature.name, "relation": "=", "values": list(feature.categories)}
    return {"attribute": feature.name, "relation": "in",
            "values": [float(feature.min_val), float(feature.max_val)]}


def main():
    path, seconds, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
    begin = time.monotonic()
    data = Dataset(path)
    problem = NiaARM(data.dimension, data.features, data.transactions, ("support", "confidence"))
    task = TimedTask(seconds, problem=problem, optimization_type=OptimizationType.MAXIMIZATION)
    DifferentialEvolution(population_size=50, differential_weight=0.5, crossover_probability=0.9,
                          seed=seed).run(task)
    problem.rules.sort()
    rules = [{side: [comparison(f) for f in getattr(rule, side)]
              for side in ("antecedent", "consequent")} for rule in problem.rules]
    json.dump({"version": importlib.metadata.version("niaarm"), "evaluations": task.evals,
               "seconds": time.monotonic() - begin, "rules": rules}, sys.stdout)


if __name__ == "__main__":
    main()
