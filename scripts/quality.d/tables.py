"""Tables in Markdown, and the head that says where figures come from."""
import datetime
import os
import platform
import shlex
import sys

from runs import atoll


def machine():
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            model = next((l.split(":")[1].strip() for l in file if l.startswith("model name")),
                         model)
    except OSError:
        pass
    return f"{model}, {len(os.sched_getaffinity(0))} threads"


def head(title):
    version = atoll("--version")[0].strip()
    command = shlex.join(["scripts/quality"] + sys.argv[1:])
    print(f"### {title}\n\n`{command}`  \n{version}, {datetime.date.today()}, {machine()}\n")


def cell(value):
    if value is None:
        return "-"
    if isinstance(value, float):
        if abs(value) >= 100:
            return f"{value:,.0f}"
        return f"{value:.2f}" if abs(value) >= 1 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def table(columns, rows):
    """@param rows  lists of cells, each as long as columns; None is no value"""
    def line(cells):
        return "| " + " | ".join(cells) + " |"
    print(line(columns))
    print("|" + "|".join("---" if i == 0 else "---:" for i in range(len(columns))) + "|")
    for row in rows:
        print(line([cell(value) for value in row]))
    print(flush=True)


def mean(values):
    """Of those that exist; None without any."""
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def worst(values):
    """The least that exists; None without any."""
    return min((v for v in values if v is not None), default=None)
