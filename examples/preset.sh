#!/usr/bin/env bash
# A search tuned once and kept in a file, for all tables of a kind.
set -euo pipefail
atoll=${ATOLL:-atoll}
here=$(cd "$(dirname "$0")" && pwd)

"$atoll" generate planted -o table.csv --rows 20000 --seed 1 --force 2>/dev/null
"$atoll" mine table.csv -o run --preset "$here/short.toml" --seed 1 --force 2>/dev/null
"$atoll" rules run
