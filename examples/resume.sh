#!/usr/bin/env bash
# Keeps a run going until it is done: each job may be stopped (here after a second), and the next
# goes on. Whether to go on is read from the run, never from an exit status that a launcher may change.
set -euo pipefail
atoll=${ATOLL:-atoll}

"$atoll" generate planted -o table.csv --rows 20000 --seed 1 --force 2>/dev/null

state() { "$atoll" info run --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["state"])'; }

jobs=1
"$atoll" mine table.csv -o run --seed 1 --generations 60 --top 5 --stop-after 1s --force 2>/dev/null || true
while [ "$(state)" != finished ]; do
  jobs=$((jobs + 1))
  "$atoll" resume run --stop-after 1s 2>/dev/null || true
done
echo "$jobs jobs" >&2
"$atoll" rules run
