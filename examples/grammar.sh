#!/usr/bin/env bash
# Rules of a form of your own: the grammar says what a rule may look like, and no other is made.
set -euo pipefail
atoll=${ATOLL:-atoll}
here=$(cd "$(dirname "$0")" && pwd)

"$atoll" generate planted -o table.csv --rows 20000 --seed 1 --force 2>/dev/null
"$atoll" mine table.csv -o run --grammar "$here/income.grammar" --seed 1 --generations 30 --force 2>/dev/null
"$atoll" rules run --top 5
