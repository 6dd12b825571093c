"""Figures drawn from results."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noisebench.report.results import Results
from noisebench.report.tables import Style

#: Okabe and Ito's colours, told apart by colour-blind readers, and a marker for print.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "D", "^", "v", "P", "X")


def draw_scores(results: Results, style: Style) -> Figure:
    """Draw each learner's mean score with its standard deviation, one row per line of the table.

    Data sets are set apart by bands; learners of one line stand below each other, so that their
    bars do not hide one another.
    """
    n_lines, n_learners = len(results.lines), len(results.learners)
    height = 1.4 + n_lines * (0.16 + 0.13 * n_learners)
    figure = Figure(figsize=(7.2, min(height, 60)), layout="constrained")
    axes = figure.add_subplot()
    for number, learner in enumerate(results.learners):
        _draw_learner(axes, results, style, learner, number)
    _draw_bands(axes, results)
    one_noise = len({noise for _, noise in results.lines}) == 1
    names = [
        style.label(dataset) if one_noise else f"{style.label(dataset)}, {style.label(noise)}"
        for dataset, noise in results.lines
    ]
    axes.set_yticks(range(n_lines), names)
    axes.set_ylim(n_lines - 0.5, -0.5)
    unit = " (%)" if style.percent else ""
    axes.set_xlabel(f"{results.score.title}{unit}, mean ± standard deviation over runs")
    axes.grid(axis="x", color="0.88", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure.legend(loc="outside upper center", ncols=min(n_learners, 6), frameon=False)
    if style.caption:
        axes.set_title(style.caption, fontsize=10, loc="left", wrap=True)
    return figure


def _draw_learner(axes: Axes, results: Results, style: Style, learner: str, number: int) -> None:
    unit = 100.0 if style.percent else 1.0
    shift = (number - (len(results.learners) - 1) / 2) * 0.7 / max(2, len(results.learners))
    found = [
        (place + shift, results.entries[line, learner])
        for place, line in enumerate(results.lines)
        if (line, learner) in results.entries
    ]
    axes.errorbar(
        [unit * entry.mean for _, entry in found],
        [place for place, _ in found],
        xerr=[unit * entry.std if entry.std == entry.std else 0.0 for _, entry in found],
        # Once colours repeat, markers are shifted: no two of 49 learners look alike.
        fmt=MARKERS[(number + number // len(COLOURS)) % len(MARKERS)],
        color=COLOURS[number % len(COLOURS)],
        markersize=4.5,
        elinewidth=1.0,
        label=style.label(learner),
    )


def _draw_bands(axes: Axes, results: Results) -> None:
    datasets = list(dict.fromkeys(dataset for dataset, _ in results.lines))
    for place, (dataset, _) in enumerate(results.lines):
        if datasets.index(dataset) % 2:
            axes.axhspan(place - 0.5, place + 0.5, color="0.965", zorder=0, linewidth=0)
