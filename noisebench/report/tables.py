"""Results set as tables: for the terminal, Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING

from noisebench.report.results import TEST_NAMES, Entry, Results

if TYPE_CHECKING:
    from noisebench.reference.comparison import Pair

#: The papers' marks: the learner is significantly worse (•) or better (◦) than the baseline.
MARKS = {"loss": "•", "win": "◦", "tie": ""}


@dataclass(frozen=True)
class Style:
    """How numbers and names are set.

    ``labels`` maps the names of learners, data sets and noise models to what the table prints;
    ``percent`` prints 85.44 rather than .8544; ``bold`` is for terminals that can show it.
    """

    caption: str = ""
    percent: bool = True
    decimals: int | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    bold: bool = False

    def label(self, name: str) -> str:
        return self.labels.get(name, name)

    def number(self, value: float) -> str:
        decimals = self.decimals if self.decimals is not None else (2 if self.percent else 4)
        return f"{100 * value if self.percent else value:.{decimals}f}"


@dataclass(frozen=True)
class _Grid:
    """A table as text: a head, the body, lines below a rule, and the foot."""

    head: list[str]
    body: list[list[str]]
    summary: list[list[str]]
    foot: list[str]


def render(results: Results, format: str, style: Style | None = None) -> str:
    """Set results in one of the formats ``text``, ``md``, ``tex`` or ``csv``."""
    return FORMATS[format](results, style or Style())


def to_text(results: Results, style: Style) -> str:
    """Set a table for the terminal; the best of a line carries a star, or is bold."""
    grid = _grid(results, style, _bold if style.bold else _star, blank="  ")
    lines = [grid.head, *grid.body, *grid.summary]
    widths = [max(_width(line[i]) for line in lines) for i in range(len(grid.head))]

    def set_line(line: list[str]) -> str:
        cells = [_pad(cell, widths[i], left=i == 0) for i, cell in enumerate(line)]
        return "  ".join(cells).rstrip()

    rule = "─" * (sum(widths) + 2 * (len(widths) - 1))
    parts = [style.caption, ""] if style.caption else []
    parts += [set_line(grid.head), rule, *map(set_line, grid.body)]
    if grid.summary:
        parts += [rule, *map(set_line, grid.summary)]
    star = [] if style.bold or len(results.learners) == 1 else ["*: best of its line."]
    return "\n".join([*parts, "", *grid.foot, *star]) + "\n"


def _star(text: str, best: bool) -> str:
    return f"{text}*" if best else f"{text} "


def _bold(text: str, best: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if best else text


def to_markdown(results: Results, style: Style) -> str:
    """Set a Markdown table; the best of a line is bold."""
    grid = _grid(results, style, lambda text, best: f"**{text}**" if best else text)
    escaped = [[cell.replace("|", "\\|") for cell in line] for line in grid.body + grid.summary]
    lines = [f"**{style.caption}**", ""] if style.caption else []
    lines.append(f"| {' | '.join(grid.head)} |")
    lines.append("|" + " :-- |" + " --: |" * (len(grid.head) - 1))
    lines += [f"| {' | '.join(line)} |" for line in escaped]
    return "\n".join([*lines, "", *(f"{line}  " for line in grid.foot)]) + "\n"


def to_latex(results: Results, style: Style) -> str:
    r"""Set a booktabs table; ``\usepackage{booktabs}`` is all it needs."""
    grid = _grid(results, style, lambda text, best: f"\\textbf{{{text}}}" if best else text, _tex)
    lines = [
        "\\begin{table}",
        "\\centering",
        f"\\caption{{{_tex(style.caption)}}}" if style.caption else "",
        f"\\begin{{tabular}}{{l{'r' * (len(grid.head) - 1)}}}",
        "\\toprule",
        " & ".join(grid.head) + " \\\\",
        "\\midrule",
        *(" & ".join(line) + " \\\\" for line in grid.body),
    ]
    if grid.summary:
        lines += ["\\midrule", *(" & ".join(line) + " \\\\" for line in grid.summary)]
    lines += ["\\bottomrule", "\\end{tabular}", "", *(f"{line}\\\\" for line in grid.foot)]
    return "\n".join(line for line in [*lines, "\\end{table}"] if line) + "\n"


def to_csv(results: Results, style: Style) -> str:
    """Set one line per entry, with numbers in full and the test's outcome."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    names = ("dataset", "noise", "learner", "mean", "std", "n", "best", "outcome", "p_value")
    writer.writerow(names)
    for line in results.lines:
        for learner in results.learners:
            entry = results.entries.get((line, learner))
            if entry is not None:
                p_value = "" if entry.p_value is None else repr(entry.p_value)
                numbers = (repr(entry.mean), repr(entry.std), entry.n, int(entry.best))
                writer.writerow([*line, learner, *numbers, entry.outcome or "", p_value])
    return stream.getvalue()


def set_comparison(pairs: Sequence[Pair], style: Style) -> str:
    """Set our figures beside a paper's for the terminal, with the median absolute difference."""
    head = ["", "learner", "ours", "paper", "difference"]
    lines = [head]
    for pair in pairs:
        where = f"{style.label(pair.dataset)}, {style.label(pair.noise)}"
        ours, paper = style.number(pair.ours), style.number(pair.paper)
        sign = "+" if pair.difference >= 0 else "−"
        change = f"{sign}{style.number(abs(pair.difference))}"
        lines.append([where, style.label(pair.learner), ours, paper, change])
    widths = [max(_width(line[i]) for line in lines) for i in range(len(head))]
    text = [
        "  ".join(_pad(cell, widths[i], left=i < 2) for i, cell in enumerate(line)).rstrip()
        for line in lines
    ]
    middle = median(abs(pair.difference) for pair in pairs)
    foot = f"Median absolute difference over {len(pairs)} cells: {style.number(middle)}."
    return "\n".join(["Beside the paper's figures:", "", *text, "", foot]) + "\n"


FORMATS: dict[str, Callable[[Results, Style], str]] = {
    "text": to_text,
    "md": to_markdown,
    "tex": to_latex,
    "csv": to_csv,
}


def _plain(text: str) -> str:
    return text


def _grid(
    results: Results,
    style: Style,
    emphasise: Callable[[str, bool], str],
    escape: Callable[[str], str] = _plain,
    blank: str = "",
) -> _Grid:
    """Set every cell; ``blank`` stands where a mark could be, to keep columns straight."""
    one_noise = len({noise for _, noise in results.lines}) == 1
    blank = blank if results.counts else ""

    def line_name(line: tuple[str, str]) -> str:
        dataset, noise = (style.label(name) for name in line)
        return escape(dataset if one_noise else f"{dataset}, {noise}")

    def cell(line: tuple[str, str], learner: str) -> str:
        entry = results.entries.get((line, learner))
        if entry is None:
            return escape("–") + blank
        return _entry(entry, style, emphasise, escape, blank)

    head = ["", *(escape(style.label(name)) + blank for name in results.learners)]
    body = [
        [line_name(line), *(cell(line, name) for name in results.learners)]
        for line in results.lines
    ]
    foot = [escape(line) for line in _foot(results, style, one_noise)]
    return _Grid(head, body, _summary(results, style, emphasise, blank), foot)


def _entry(
    entry: Entry,
    style: Style,
    emphasise: Callable[[str, bool], str],
    escape: Callable[[str], str],
    blank: str,
) -> str:
    spread = f"±{style.number(entry.std)}" if entry.std == entry.std else ""
    mark = MARKS[entry.outcome] if entry.outcome else ""
    number = emphasise(escape(f"{style.number(entry.mean)}{spread}"), entry.best)
    return number + (escape(f" {mark}") if mark else blank)


def _summary(
    results: Results, style: Style, emphasise: Callable[[str, bool], str], blank: str
) -> list[list[str]]:
    found: list[tuple[str, list[str]]] = []
    if len(results.lines) > 1 and results.averages:
        found.append(("average", [style.number(results.averages[n]) for n in results.learners]))
    if len(results.lines) > 1 and results.ranks:
        found.append(("average rank", [f"{results.ranks[n]:.2f}" for n in results.learners]))
    if results.counts:
        counts = [str(results.counts[n]) if n in results.counts else "" for n in results.learners]
        found.append(("win/tie/loss", counts))
    return [
        [name, *(emphasise(value, False) + blank for value in values)] for name, values in found
    ]


def _foot(results: Results, style: Style, one_noise: bool) -> list[str]:
    low, high = results.runs
    runs = f"{high} runs" if low == high else f"{low} to {high} runs"
    unit = "per cent" if style.percent else "fraction"
    noise = f", {style.label(results.lines[0][1])}" if one_noise else ""
    foot = [f"Mean ± standard deviation of {results.score.title} ({unit}) over {runs}{noise}."]
    question = results.question
    if results.counts and question.baseline:
        base = style.label(question.baseline)
        level = "" if question.test == "bayesian-t" else f", two-sided, level {question.alpha:g}"
        ratio = ""
        if question.test == "corrected-t":
            low_ratio, high_ratio = (f"{value:.3g}" for value in results.test_over_train)
            shown = low_ratio if low_ratio == high_ratio else f"{low_ratio} to {high_ratio}"
            ratio = f", test/train ratio {shown}"
        foot.append(
            f"• / ◦: significantly worse / better than {base} "
            f"({TEST_NAMES[question.test]}{level}{ratio})."
        )
        whose = (
            f"{base} against each" if question.counts_of == "baseline" else f"each against {base}"
        )
        foot.append(f"win/tie/loss: {whose}, over {len(results.lines)} lines.")
    if results.friedman_p is not None:
        foot.append(
            f"Friedman test over the {len(results.lines)} lines: p = {results.friedman_p:.3g}."
        )
    if results.missing:
        shown = "; ".join(results.missing[:5]) + ("; …" if len(results.missing) > 5 else "")
        foot.append(f"Incomplete: {shown}.")
    return [*foot, *style.notes]


def _width(text: str) -> int:
    """Return the columns that a text takes on a terminal, without the codes that make it bold."""
    shown = text.replace("\x1b[1m", "").replace("\x1b[0m", "")
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        for sign in shown
    )


def _pad(text: str, width: int, left: bool) -> str:
    space = " " * (width - _width(text))
    return text + space if left else space + text


_TEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "•": r"$\bullet$",
    "◦": r"$\circ$",
    "–": "--",
    "×": r"$\times$",
    "τ": r"$\tau$",
    "η": r"$\eta$",
    "γ": r"$\gamma$",
    "₊": "$_+$",
    "₋": "$_-$",
    "₀": "$_0$",
    "₁": "$_1$",
    "₂": "$_2$",
    "′": "$'$",
    "π": r"$\pi$",
    "−": "$-$",
}


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in text)
