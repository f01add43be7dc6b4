"""Curves as SVG."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 64, 24, 52, 56
COLOURS = ("#1f6fb2", "#c2571a", "#5a6470", "#3d8b3d")


def decades(low, high):
    """1, 2 and 5 times powers of ten from one not above the least to one not below the greatest."""
    ticks = [digit * 10.0 ** power for power in range(math.floor(math.log10(low)) - 1,
                                                      math.ceil(math.log10(high)) + 1)
             for digit in (1, 2, 5)]
    first = max(i for i, tick in enumerate(ticks) if tick <= low)
    last = min(i for i, tick in enumerate(ticks) if tick >= high)
    return ticks[first:last + 1]


def draw(title, across, upwards, lines):
    """@param lines  name -> [(x > 0, on a logarithmic axis; y from 0 to 1)], from left to right"""
    ticks = decades(min(x for line in lines.values() for x, _ in line),
                    max(x for line in lines.values() for x, _ in line))
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(x, y):
        span = math.log(ticks[-1] / ticks[0]) or 1
        return LEFT + wide * math.log(x / ticks[0]) / span, TOP + high * (1 - y)

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           f'width="{WIDTH}" height="{HEIGHT}" font-family="Helvetica, Arial, sans-serif" '
           f'font-size="13" fill="#1d2733">',
           f"<title>{escape(title)}</title>",
           f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="10" fill="#ffffff" '
           'stroke="#9aa4af"/>',
           f'<text x="{LEFT}" y="30" font-size="15">{escape(title)}</text>',
           f'<text x="{LEFT + wide / 2:.0f}" y="{HEIGHT - 14}" text-anchor="middle">'
           f"{escape(across)}</text>",
           f'<text transform="translate(18 {TOP + high / 2:.0f}) rotate(-90)" '
           f'text-anchor="middle">{escape(upwards)}</text>']

    def grid(x0, y0, x1, y1):
        svg.append(f'<path d="M{x0:.1f} {y0:.1f} L{x1:.1f} {y1:.1f}" stroke="#e1e5ea"/>')

    for tick in ticks:
        x, y = place(tick, 0)
        grid(x, y, x, TOP)
        svg.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{tick:g}</text>')
    for fifth in range(6):
        x, y = place(ticks[0], fifth / 5)
        grid(x, y, LEFT + wide, y)
        svg.append(f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{fifth / 5:.1f}</text>')
    beside = WIDTH - RIGHT  # where the next name ends, above the plot
    for i, (name, line) in reversed(list(enumerate(lines.items()))):
        colour = COLOURS[i % len(COLOURS)]
        points = [place(x, y) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        svg.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        svg += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        svg.append(f'<text x="{beside}" y="30" text-anchor="end" fill="{colour}">'
                   f"{escape(name)}</text>")
        beside -= 8 * len(name) + 12
    return "\n".join(svg) + "\n</svg>\n"
