"""The tables and figures of a run, made from its rows and its configuration alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from noisebench.components import Component
from noisebench.engine.store import RunStore
from noisebench.engine.study import Study
from noisebench.errors import InputError
from noisebench.files import write_text, write_whole
from noisebench.reference.comparison import compare
from noisebench.report.figures import draw_scores
from noisebench.report.results import Question, Results, summarise
from noisebench.report.tables import FORMATS, Style, render, set_comparison


def question_of(study: Study) -> Question:
    """Return the question that an experiment's table answers, or a sensible one for a sweep.

    The baseline of a sweep is its first learner, the test the one that fits its protocol.
    """
    layout = dict(study.layout.get("table") or {})
    learners = list(study.components["learner"])
    protocols = [part.build() for part in study.components["protocol"].values()]
    baseline = learners[0] if len(learners) > 1 else None
    return Question(
        score=layout.get("score", "accuracy"),
        baseline=layout.get("baseline", baseline) if baseline else None,
        test=layout.get("test", protocols[0].fitting_test),
        alpha=layout.get("alpha", 0.05),
        counts_of=layout.get("counts_of", "learner"),
    )


def style_of(study: Study, question: Question) -> Style:
    """Return how an experiment's table is set."""
    layout = study.layout.get("table") or {}
    return Style(
        caption=str(study.layout.get("title", "")),
        percent=bool(layout.get("percent", True)) and not question.score.endswith("_seconds"),
        decimals=layout.get("decimals"),
        labels=_labels(study),
        notes=tuple(study.layout.get("notes") or ()),
    )


def _labels(study: Study) -> dict[str, str]:
    """Return what tables print for each name; two learners of one label keep their names."""
    labels: dict[str, str] = {}
    for kind in ("noise", "learner"):
        parts: Mapping[str, Component] = study.components[kind]
        for name, part in parts.items():
            alone = sum(other.title == part.title for other in parts.values()) == 1
            labels[name] = part.title if alone else _with_settings(part)
    return labels


def _with_settings(part: Component) -> str:
    """Return a label that tells variants of one choice apart: kNN[n_neighbors=3]."""
    return part.title + part.name[part.name.index("[") :] if "[" in part.name else part.title


def results_of(store: RunStore, question: Question, *, protocol: str | None = None) -> Results:
    """Compute a run's table; lines and learners in the order of its configuration."""
    study = store.study()
    rows = store.read_rows()
    protocols = list(study.components["protocol"])
    if protocol is None and len(protocols) > 1:
        raise InputError(
            f"This run has several protocols ({', '.join(protocols)}), which one table cannot mix; "
            f"choose one with --protocol."
        )
    if protocol is not None:
        rows = rows[rows["protocol"] == protocol]
    lines = list(dict.fromkeys((cell.dataset, cell.noise) for cell in study.cells))
    have = set(rows["learner"])
    learners = [name for name in study.components["learner"] if name in have]
    return summarise(rows, question, learners, lines)


def write_outputs(store: RunStore, *, bold: bool = False) -> str:
    """Write a run's tables and figures, and return the table for the terminal."""
    study = store.study()
    question = question_of(study)
    style = style_of(study, question)
    texts = []
    for protocol in study.components["protocol"]:
        results = results_of(store, _present(question, store), protocol=protocol)
        stem = "table" if len(study.components["protocol"]) == 1 else f"table-{protocol}"
        write_tables(store, results, style, stem)
        figure = draw_scores(results, style)
        for ending in ("png", "svg"):
            save_figure(
                figure, store.folder / "figures" / f"{stem.replace('table', 'scores')}.{ending}"
            )
        texts.append(render(results, "text", replace(style, bold=bold)))
        pairs = compare(results, study)
        if pairs:
            text = set_comparison(pairs, style)
            write_text(store.folder / "tables" / f"{stem.replace('table', 'paper')}.txt", text)
            texts.append(text)
    return "\n".join(texts)


def _present(question: Question, store: RunStore) -> Question:
    """Drop a baseline that has no rows yet."""
    have = set(store.read_rows()["learner"])
    return question if question.baseline in have else replace(question, baseline=None)


def write_tables(store: RunStore, results: Results, style: Style, stem: str) -> None:
    """Write a table in every format."""
    for format in FORMATS:
        ending = "txt" if format == "text" else format
        path = store.folder / "tables" / f"{stem}.{ending}"
        write_text(path, render(results, format, style))


def draw(store: RunStore, question: Question, protocol: str | None, path: Path) -> None:
    """Draw a run's scores into one file."""
    results = results_of(store, question, protocol=protocol)
    save_figure(draw_scores(results, style_of(store.study(), question)), path)


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure whole, in the format of its ending; equal figures give equal files."""
    ending = path.suffix.lstrip(".")
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with matplotlib.rc_context({"svg.hashsalt": "noisebench"}):
        write_whole(
            path,
            lambda part: figure.savefig(
                part, format=ending, dpi=150, bbox_inches="tight", metadata=dates.get(ending)
            ),
        )
