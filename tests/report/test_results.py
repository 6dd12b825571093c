from __future__ import annotations

import io
import itertools

import numpy as np
import pandas as pd
import pytest

from noisebench.errors import InputError
from noisebench.report.results import Question, summarise
from noisebench.report.tables import FORMATS, Style, render
from noisebench.statistics import corrected_t, paired_t


def make_rows(scores: dict[tuple[str, str, str], list[float]]) -> pd.DataFrame:
    """Rows of 4 folds: (data set, noise, learner) → scores."""
    rows = [
        {
            "dataset": dataset,
            "noise": noise,
            "learner": learner,
            "protocol": "p",
            "seed": 0,
            "repeat": run // 4,
            "fold": run % 4,
            "accuracy": value,
            "fit_seconds": 1 - value,
            "n_train": 30,
            "n_test": 10,
        }
        for (dataset, noise, learner), values in scores.items()
        for run, value in enumerate(values)
    ]
    return pd.DataFrame(rows)


A = [0.80, 0.84, 0.82, 0.79, 0.85, 0.83, 0.81, 0.86]
B = [0.78, 0.80, 0.81, 0.80, 0.80, 0.82, 0.79, 0.81]
ROWS = make_rows(
    {
        ("heart", "none", "knn"): B,
        ("heart", "none", "rknn"): A,
        ("heart", "noisy", "knn"): A,
        ("heart", "noisy", "rknn"): B,
        ("iris", "none", "knn"): B,
        ("iris", "none", "rknn"): B,
    }
)
PAIRED = Question(baseline="knn", test="paired-t")


def test_means_spreads_and_marks_of_a_worked_example():
    results = summarise(ROWS, PAIRED)
    entry = results.entries[("heart", "none"), "rknn"]
    assert entry.mean == pytest.approx(np.mean(A))
    assert entry.std == pytest.approx(np.std(A, ddof=1))
    assert (entry.n, entry.best, entry.outcome) == (8, True, "win")
    assert entry.p_value == pytest.approx(0.016198, abs=1e-6)
    assert results.entries[("heart", "noisy"), "rknn"].outcome == "loss"
    assert results.entries[("iris", "none"), "rknn"].outcome == "tie"
    assert results.entries[("heart", "none"), "knn"].outcome is None
    assert str(results.counts["rknn"]) == "1/1/1"
    assert "knn" not in results.counts
    assert results.averages["knn"] == pytest.approx((np.mean(A) + 2 * np.mean(B)) / 3)
    assert results.ranks == {"knn": 1.5, "rknn": 1.5}


def test_the_variance_factor_comes_from_the_sizes_of_the_parts():
    results = summarise(ROWS, Question(baseline="knn", test="corrected-t"))
    expected = corrected_t(A, B, 10 / 30).p_value
    assert results.entries[("heart", "none"), "rknn"].p_value == pytest.approx(expected)
    assert results.test_over_train == pytest.approx((1 / 3, 1 / 3))
    assert results.entries[("heart", "none"), "rknn"].outcome == "tie"


def test_equal_means_are_all_best():
    results = summarise(ROWS, Question())
    assert results.entries[("iris", "none"), "knn"].best
    assert results.entries[("iris", "none"), "rknn"].best


def test_counts_can_be_the_baselines():
    rows = ROWS[ROWS["noise"] == "none"]
    results = summarise(rows, Question(baseline="knn", test="paired-t", counts_of="baseline"))
    assert str(results.counts["rknn"]) == "0/1/1"


def test_a_score_where_less_is_better_turns_wins_around():
    results = summarise(ROWS, Question(score="fit_seconds", baseline="knn", test="paired-t"))
    entry = results.entries[("heart", "none"), "rknn"]
    assert entry.mean == pytest.approx(1 - np.mean(A))
    assert (entry.best, entry.outcome) == (True, "win")


def test_runs_are_paired_by_what_they_are_not_by_position():
    shuffled = ROWS.sample(frac=1, random_state=0)
    assert summarise(ROWS, PAIRED).entries == summarise(shuffled, PAIRED).entries


def test_missing_runs_are_left_out_of_the_pairs_and_named():
    rows = ROWS.drop(ROWS[(ROWS["learner"] == "rknn") & (ROWS["fold"] == 3)].index)
    results = summarise(rows, PAIRED)
    kept = [0, 1, 2, 4, 5, 6]
    expected = paired_t([A[i] for i in kept], [B[i] for i in kept]).p_value
    assert results.entries[("heart", "none"), "rknn"].p_value == pytest.approx(expected)
    assert "rknn on heart, none: 6 of 8 runs" in results.missing
    assert "Incomplete: rknn on heart, noisy: 6 of 8 runs" in render(results, "text")


def test_a_learner_without_rows_on_a_line_leaves_a_gap():
    rows = ROWS[~((ROWS["learner"] == "rknn") & (ROWS["dataset"] == "iris"))]
    results = summarise(rows, Question(baseline="knn"))
    assert (("iris", "none"), "rknn") not in results.entries
    # Averages and ranks are over the lines that all learners have.
    assert results.averages["knn"] == pytest.approx((np.mean(A) + np.mean(B)) / 2)
    assert "–" in render(results, "md")


def test_one_run_has_no_spread_and_no_test():
    rows = ROWS[(ROWS["fold"] == 0) & (ROWS["repeat"] == 0)]
    results = summarise(rows, Question(baseline="knn"))
    entry = results.entries[("heart", "none"), "rknn"]
    assert np.isnan(entry.std)
    assert entry.outcome is None
    assert "±" not in render(results, "text").split("Mean")[0]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (Question(score="acc"), "no score 'acc'"),
        (Question(score="macro_f1"), "These rows have no score"),
        (Question(test="t"), "no test 't'"),
        (Question(alpha=1.5), "alpha must lie between 0 and 1"),
        (Question(baseline="svm"), "No learner 'svm' in these rows. Known: knn, rknn"),
        (Question(counts_of="x"), "counts_of must be"),
    ],
)
def test_bad_questions_are_refused(question, message):
    with pytest.raises(InputError, match=message):
        summarise(ROWS, question)


def test_no_rows_no_table():
    with pytest.raises(InputError, match="no finished rows"):
        summarise(ROWS.iloc[:0], Question())


STYLE = Style(caption="Results_1 & 2", labels={"rknn": "RkNN", "noisy": "τ₊=0.1"})


def test_the_text_table_reads_like_a_papers():
    text = render(summarise(ROWS, PAIRED), "text", STYLE)
    lines = text.splitlines()
    assert lines[0] == "Results_1 & 2"
    assert lines[2].split() == ["knn", "RkNN"]
    noisy = next(line for line in lines if "τ₊=0.1" in line)
    assert noisy.split() == ["heart,", "τ₊=0.1", "82.50±2.45*", "80.12±1.25", "•"]
    clean = next(line for line in lines if "heart, none" in line)
    assert clean.split() == ["heart,", "none", "80.12±1.25", "82.50±2.45*", "◦"]
    assert any(line.split() == ["win/tie/loss", "1/1/1"] for line in lines)
    marks = "• / ◦: significantly worse / better than knn (paired t-test, two-sided, level 0.05)."
    assert marks in text
    assert "over 8 runs" in text
    assert len({line.rfind("±") for line in lines[4:7]}) == 1


def test_markdown_has_bold_bests_and_equal_columns():
    text = render(summarise(ROWS, PAIRED), "md", STYLE)
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in table}) == 1
    assert "**82.50±2.45** ◦" in text


def test_latex_escapes_names_and_balances():
    text = render(summarise(ROWS, PAIRED), "tex", STYLE)
    assert "Results\\_1 \\& 2" in text
    assert "\\textbf{82.50$\\pm$2.45} $\\circ$" in text
    assert text.count("\\begin") == text.count("\\end")
    assert text.count("{") == text.count("}")
    rows = [line for line in text.splitlines() if line.endswith("\\\\") and "&" in line]
    assert len({line.count("&") - line.count("\\&") for line in rows}) == 1
    assert not set(text) & set("±•◦τ₊")


def test_csv_gives_numbers_in_full():
    text = render(summarise(ROWS, PAIRED), "csv", STYLE)
    table = pd.read_csv(io.StringIO(text))
    assert len(table) == 6
    line = table[(table["noise"] == "noisy") & (table["learner"] == "rknn")].iloc[0]
    assert line["mean"] == pytest.approx(np.mean(B), abs=1e-15)
    assert line["outcome"] == "loss"


def test_fractions_and_decimals():
    results = summarise(ROWS, Question())
    assert "0.8250±0.0245" in render(results, "text", Style(percent=False))
    assert "80.1±1.2" in render(results, "text", Style(decimals=1))


def test_bold_on_a_terminal_keeps_columns_straight():
    text = render(summarise(ROWS, PAIRED), "text", Style(bold=True))
    assert "\x1b[1m82.50±2.45\x1b[0m" in text
    plain = text.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert len({line.rfind("±") for line in plain.splitlines()[2:5]}) == 1


def test_friedman_needs_three_learners_and_lines():
    names = itertools.product(["a", "b", "c"], ["x", "y", "z"])
    scores = {(d, "none", m): [v + 0.01 * i for v in A] for i, (d, m) in enumerate(names)}
    results = summarise(make_rows(scores), Question(baseline="x"))
    assert results.friedman_p == pytest.approx(np.exp(-3), rel=1e-6)  # chi-square 6, 2 degrees
    assert "Friedman test over the 3 lines: p = 0.0498" in render(results, "text")
    assert summarise(ROWS, Question()).friedman_p is None


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_ends_in_one_newline(format):
    text = render(summarise(ROWS, Question()), format, STYLE)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
