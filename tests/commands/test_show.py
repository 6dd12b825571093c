"""`table`, `rows`, `figure`, `list` on a finished run."""

from __future__ import annotations

import pandas as pd
import pytest

from noisebench.engine.store import LEADING


@pytest.fixture
def demo(noisebench):
    """A small finished run, runs/demo."""
    words = "dataset=iris,wine noise=none,uniform learner=knn,majority protocol.repeats=2"
    assert noisebench(f"run -q -m {words} executor=serial name=demo") == 0
    return noisebench


def test_a_run_prints_its_table_and_says_where_everything_lies(noisebench, here, capsys):
    assert noisebench("run dataset=iris protocol.repeats=1 executor=serial name=a") == 0
    told = capsys.readouterr()
    assert "kNN" in told.out
    assert "Mean ± standard deviation of accuracy (per cent) over 4 runs, no noise." in told.out
    assert "Rows, tables and figures lie in runs/a/" in told.out
    assert "4 tasks: 4 computed, 0 reused, 0 failed" in told.err
    found = {str(path.relative_to(here / "runs/a")) for path in (here / "runs/a").rglob("*.*")}
    assert {
        "config.yaml",
        "provenance.json",
        "tables/table.md",
        "tables/table.csv",
        "tables/table.tex",
        "tables/table.txt",
        "figures/scores.png",
        "figures/scores.svg",
    } <= found


def test_quiet_means_silent(noisebench, capsys):
    assert noisebench("run -q dataset=iris protocol.repeats=1 executor=serial") == 0
    told = capsys.readouterr()
    assert told.out == told.err == ""


def test_a_table_answers_the_question_asked(demo, capsys):
    assert demo("table runs/demo --baseline majority --test paired-t --alpha 0.01") == 0
    text = capsys.readouterr().out
    assert "better than majority (paired t-test, two-sided, level 0.01)" in text
    assert text.count(" ◦") >= 4
    assert demo("table demo --baseline knn") == 0
    text = capsys.readouterr().out
    assert "than kNN (corrected resampled t-test, two-sided, level 0.05, test/train" in text
    assert text.count(" •") >= 4


@pytest.mark.parametrize(
    ("format", "sign"),
    [
        ("md", "| :-- |"),
        ("tex", "\\toprule"),
        ("csv", "dataset,noise,learner,mean"),
        ("text", "──"),
    ],
)
def test_tables_come_in_every_format(demo, capsys, format, sign):
    assert demo(f"table runs/demo --format {format}") == 0
    assert sign in capsys.readouterr().out


def test_a_table_can_go_to_a_file(demo, here):
    assert demo("table runs/demo --format md -o out/t.md --fraction --decimals 2") == 0
    assert "0.9" in (here / "out/t.md").read_text()


def test_rows_come_out_tidy(demo, here, capsys):
    assert demo("rows runs/demo -o rows.csv") == 0
    assert demo("rows runs/demo -o rows.parquet") == 0
    capsys.readouterr()
    assert demo("rows runs/demo") == 0
    printed = capsys.readouterr().out
    table = pd.read_csv(here / "rows.csv")
    assert list(table.columns[: len(LEADING)]) == list(LEADING)
    assert len(table) == 2 * 2 * 2 * 8
    assert printed == (here / "rows.csv").read_text()
    exact = pd.read_parquet(here / "rows.parquet")
    assert (exact["accuracy"] == table["accuracy"]).all()
    assert set(table["noise"]) == {"none", "uniform"}


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_figures_are_drawn(demo, here, ending):
    assert demo(f"figure runs/demo -o f.{ending} --score macro_f1") == 0
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert (here / f"f.{ending}").read_bytes().startswith(start)


def test_the_same_rows_give_the_same_files(demo, here):
    for name in ("a.svg", "b.svg"):
        assert demo(f"figure runs/demo -o {name}") == 0
    assert (here / "a.svg").read_bytes() == (here / "b.svg").read_bytes()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("table runs/nothing", "There is no run at runs/nothing"),
        ("table runs/demo --baseline svm", "No learner 'svm'"),
        ("table runs/demo --test z", "no test 'z'"),
        ("table runs/demo --alpha 7", "alpha must lie between 0 and 1"),
        ("table runs/demo --score speed", "no score 'speed'"),
        ("rows runs/demo -o rows.xlsx", "must end in .csv or .parquet"),
        ("figure runs/demo -o f.gif", "must end in .png, .svg or .pdf"),
    ],
)
def test_bad_questions_end_in_one_sentence(demo, capsys, line, message):
    capsys.readouterr()
    assert demo(line) == 2
    told = capsys.readouterr().err
    assert message in told
    assert len(told.strip().splitlines()) == 1


def test_protocols_are_not_mixed_in_one_table(noisebench, here, capsys):
    words = "dataset=iris protocol=cv4x10,cv10x10 protocol.repeats=1 executor=serial name=two"
    assert noisebench(f"run -q -m {words}") == 0
    assert (here / "runs/two/tables/table-cv10x10.md").exists()
    assert noisebench("table runs/two") == 2
    assert "choose one with --protocol" in capsys.readouterr().err
    assert noisebench("table runs/two --protocol cv10x10") == 0
    assert "over 10 runs" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("datasets", "breast_cancer"),
        ("noise", "class_conditional"),
        ("learners", "rknn"),
        ("protocols", "cv10x10"),
        ("experiments", "gao_table2"),
        ("executors", "serial"),
        ("profiles", "quick"),
    ],
)
def test_list_names_what_there_is(noisebench, capsys, kind, name):
    assert noisebench(f"list {kind}") == 0
    lines = capsys.readouterr().out.splitlines()
    [line] = [line for line in lines if line.split()[:1] == [name]]
    assert len(line.split()) > 2


def test_help_teaches(noisebench, capsys):
    for line in ("--help", "run --help", "table --help", "reproduce --help"):
        with pytest.raises(SystemExit) as stop:
            noisebench(line)
        assert stop.value.code == 0
        assert "noisebench" in capsys.readouterr().out
    with pytest.raises(SystemExit) as stop:
        noisebench("table runs/demo --wrong")
    assert stop.value.code == 2
