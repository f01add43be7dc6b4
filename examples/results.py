#!/usr/bin/env python3
"""Rules and data in Python: rules.csv with pandas, the dataset with h5py, and a count by hand."""
import os
import subprocess

import h5py
import pandas

atoll = os.environ.get("ATOLL", "atoll")


def run(*words):
    subprocess.run([atoll, *words], check=True, stderr=subprocess.DEVNULL)


run("generate", "planted", "-o", "table.csv", "--rows", "20000", "--seed", "1", "--force")
run("import", "table.csv", "-o", "table.h5", "--force")
run("mine", "table.h5", "-o", "run", "--seed", "1", "--generations", "30", "--target", "nom4=*", "--force")

rules = pandas.read_csv("run/rules.csv")
print(rules.sort_values("lift", ascending=False)[["rule", "n_both", "lift"]].head(3).to_string(index=False))

with h5py.File("table.h5") as data:
    print(f"{data.attrs['rows']} rows, {len(data['attributes/kind'])} attributes")

# A count of the first rule, from the table itself.
table = pandas.read_csv("table.csv")
label = rules.rule[0].split(" => nom4 = ")[1]
print(f"nom4 = {label} in {(table.nom4 == label).sum()} rows, and {rules.n_consequent[0]} in rules.csv")
