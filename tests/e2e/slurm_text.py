"""Lines of #SBATCH as Slurm reads them (src/sbatch/opt.c, _get_argument)."""


def words(line):
    """Arguments of sbatch of what follows #SBATCH."""
    found, word, quote, escaped, begun = [], "", None, False, False
    for c in line + "\n":
        if escaped:
            word, escaped = word + c, False
        elif c == "\\":
            escaped = begun = True
        elif quote:
            if c == quote:
                quote = None
            else:
                word += c
        elif c in " \t\n\v\f\r":
            if begun:
                found.append(word)
            word, begun = "", False
        elif c in "\"'":
            quote, begun = c, True
        elif c == "#":
            if begun:
                found.append(word)
            return found
        else:
            word, begun = word + c, True
    assert quote is None, line
    return found


def arguments(script):
    """Of all lines of #SBATCH: those before the first that is neither empty nor a comment."""
    found = []
    for line in script.split("\n"):
        if line.startswith("#SBATCH"):
            found += words(line[len("#SBATCH"):])
        elif line and not line.startswith("#"):
            break
    return found
