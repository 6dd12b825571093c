"""From rows to the cells of a results table: means, spreads, significance marks, counts.

Everything that a table shows is computed here, once, so that no two outputs can disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from noisebench.errors import InputError, did_you_mean
from noisebench.scores import Score, find_score
from noisebench.statistics import TESTS, Counts, Outcome, average_ranks, friedman, win_tie_loss

#: What makes two rows of different learners the same run of an experiment.
RUN = ["protocol", "seed", "repeat", "fold"]
#: What makes a line of the table.
LINE = ["dataset", "noise"]

TEST_NAMES = {
    "paired-t": "paired t-test",
    "corrected-t": "corrected resampled t-test",
    "wilcoxon": "Wilcoxon signed-rank test over runs",
    "bayesian-t": "Bayesian t-test (Bayes factor above 1)",
}


@dataclass(frozen=True)
class Question:
    """What a table is to show: a score, and against whom and how differences are tested.

    ``counts_of`` says whose wins the last line counts: each "learner"'s against the baseline, or
    the "baseline"'s against each learner (as Gao et al. print them).
    """

    score: str = "accuracy"
    baseline: str | None = None
    test: str = "corrected-t"
    alpha: float = 0.05
    counts_of: str = "learner"

    def check(self, learners: Sequence[str]) -> None:
        find_score(self.score)
        if self.test not in TESTS:
            raise InputError(f"There is no test '{self.test}'. {did_you_mean(self.test, TESTS)}")
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha must lie between 0 and 1, got {self.alpha}.")
        if self.counts_of not in ("learner", "baseline"):
            raise InputError(f"counts_of must be 'learner' or 'baseline', got {self.counts_of!r}.")
        if self.baseline is not None and self.baseline not in learners:
            hint = did_you_mean(self.baseline, learners)
            raise InputError(f"No learner '{self.baseline}' in these rows. {hint}")


@dataclass(frozen=True)
class Entry:
    """One learner on one line: mean and spread over runs, and how it does against the baseline."""

    mean: float
    std: float
    n: int
    best: bool = False
    outcome: Outcome | None = None
    p_value: float | None = None


@dataclass(frozen=True)
class Results:
    """All that a table shows, before any formatting."""

    question: Question
    score: Score
    lines: list[tuple[str, str]]
    learners: list[str]
    entries: dict[tuple[tuple[str, str], str], Entry]
    averages: dict[str, float]
    counts: dict[str, Counts]
    ranks: dict[str, float]
    friedman_p: float | None
    runs: tuple[int, int]
    test_over_train: tuple[float, float]
    missing: list[str]


def summarise(
    rows: pd.DataFrame,
    question: Question,
    learners: Sequence[str] | None = None,
    lines: Sequence[tuple[str, str]] | None = None,
) -> Results:
    """Compute a results table.

    Parameters
    ----------
    rows : DataFrame
        The rows of a run, one per data set, noise, learner and run.
    question : Question
        Score, baseline, test and level.
    learners, lines : sequences, optional
        Which learners and (data set, noise) pairs to show, in which order; all by default.
    """
    if rows.empty:
        raise InputError("There are no finished rows to show yet.")
    learners = list(learners or sorted(rows["learner"].unique()))
    question.check(learners)
    score = find_score(question.score)
    if question.score not in rows:
        raise InputError(f"These rows have no score '{question.score}'.")
    scores = _scores_by_run(rows, question.score)
    present = list(dict.fromkeys(zip(rows["dataset"], rows["noise"], strict=True)))
    lines = [line for line in (lines or sorted(present)) if line in set(present)]
    ratios = (rows["n_test"] / rows["n_train"]).groupby([rows[key] for key in LINE]).mean()
    entries: dict[tuple[tuple[str, str], str], Entry] = {}
    for line in lines:
        ratio = float(ratios[line])
        entries |= _line_entries(_runs_of(scores, line), line, learners, question, score, ratio)
    means = _means(entries, lines, learners)
    full = means.dropna()
    sizes = [entry.n for entry in entries.values()]
    return Results(
        question=question,
        score=score,
        lines=list(lines),
        learners=learners,
        entries=entries,
        averages={name: float(full[name].mean()) for name in learners} if len(full) else {},
        counts=_counts(entries, lines, learners, question),
        ranks=_ranks(full, score),
        friedman_p=_friedman_p(full, score),
        runs=(min(sizes), max(sizes)),
        test_over_train=(float(ratios.min()), float(ratios.max())),
        missing=_missing(entries, lines, learners, max(sizes)),
    )


def _scores_by_run(rows: pd.DataFrame, score: str) -> pd.DataFrame:
    """Return a table with one line per run and one column per learner."""
    return rows.pivot(index=[*LINE, *RUN], columns="learner", values=score)


def _runs_of(scores: pd.DataFrame, line: tuple[str, str]) -> pd.DataFrame:
    runs = scores.xs(line, level=LINE)
    assert isinstance(runs, pd.DataFrame)
    return runs


def _line_entries(
    scores: pd.DataFrame,
    line: tuple[str, str],
    learners: Sequence[str],
    question: Question,
    score: Score,
    ratio: float,
) -> dict[tuple[tuple[str, str], str], Entry]:
    found: dict[tuple[tuple[str, str], str], Entry] = {}
    sign = 1 if score.greater_is_better else -1
    have = [name for name in learners if name in scores and scores[name].notna().any()]
    means = {name: float(scores[name].mean()) for name in have}
    best = max((sign * mean for mean in means.values()), default=0.0)
    for name in have:
        runs = scores[name].dropna()
        outcome, p_value = None, None
        if question.baseline in have and name != question.baseline:
            outcome, p_value = _compare(scores, name, question, sign, ratio)
        found[line, name] = Entry(
            mean=means[name],
            std=float(runs.std(ddof=1)) if len(runs) > 1 else float("nan"),
            n=len(runs),
            # Means that print alike may differ in the last bit; none of them is the better one.
            best=len(have) > 1 and bool(np.isclose(sign * means[name], best, rtol=0, atol=1e-12)),
            outcome=outcome,
            p_value=p_value,
        )
    return found


def _compare(
    scores: pd.DataFrame, name: str, question: Question, sign: int, ratio: float
) -> tuple[Outcome | None, float | None]:
    """Test a learner against the baseline over the runs that both have finished."""
    assert question.baseline is not None
    pairs = scores[[name, question.baseline]].dropna()
    if len(pairs) < 2:
        return None, None
    a, b = (sign * pairs[column].to_numpy() for column in pairs)
    result = TESTS[question.test](a, b, test_over_train=ratio)
    return result.outcome(question.alpha), result.p_value


def _means(
    entries: dict[tuple[tuple[str, str], str], Entry],
    lines: Sequence[tuple[str, str]],
    learners: Sequence[str],
) -> pd.DataFrame:
    values = [
        [entries[line, name].mean if (line, name) in entries else np.nan for name in learners]
        for line in lines
    ]
    return pd.DataFrame(values, columns=list(learners))


def _counts(
    entries: dict[tuple[tuple[str, str], str], Entry],
    lines: Sequence[tuple[str, str]],
    learners: Sequence[str],
    question: Question,
) -> dict[str, Counts]:
    counts = {}
    for name in learners:
        found = [entries[line, name].outcome for line in lines if (line, name) in entries]
        outcomes = [outcome for outcome in found if outcome is not None]
        if outcomes:
            won = win_tie_loss(outcomes)
            turned = Counts(won.loss, won.tie, won.win)
            counts[name] = turned if question.counts_of == "baseline" else won
    return counts


def _ranks(means: pd.DataFrame, score: Score) -> dict[str, float]:
    if len(means) < 2 or means.shape[1] < 2:
        return {}
    ranks = average_ranks(means.to_numpy(), score.greater_is_better)
    return {str(name): float(rank) for name, rank in zip(means.columns, ranks, strict=True)}


def _friedman_p(means: pd.DataFrame, score: Score) -> float | None:
    """Return the p-value over data sets; three learners and lines are the least it takes."""
    if means.shape[1] < 3 or len(means) < 3:
        return None
    return float(friedman(means.to_numpy(), score.greater_is_better).p_value)


def _missing(
    entries: dict[tuple[tuple[str, str], str], Entry],
    lines: Sequence[tuple[str, str]],
    learners: Sequence[str],
    most: int,
) -> list[str]:
    """Name the entries that rest on fewer runs than the others."""
    found = []
    for line in lines:
        for name in learners:
            n = entries[line, name].n if (line, name) in entries else 0
            if n < most:
                found.append(f"{name} on {line[0]}, {line[1]}: {n} of {most} runs")
    return found
