# Every target makes the environment that it needs in .venv, from PyPI alone.
PYTHON ?= python3
PROFILE ?= quick
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup test lint reproduce-tables check bench wheel-test clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

setup: $(READY)  ## make the environment

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "noisebench needs Python 3.11 or newer; name one with make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

test: $(READY)  ## run the tests
	$(BIN)/python -m pytest -n auto

lint: $(READY)  ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

reproduce-tables: $(READY)  ## regenerate the papers' tables (PROFILE=quick or paper)
	$(BIN)/noisebench reproduce profile=$(PROFILE)

check: $(READY)  ## compare figures that the papers print with ours
	$(BIN)/python -m pytest -q tests/test_paper_figures.py

bench: $(READY)  ## measure speed against named peers
	@for script in scripts/bench_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

wheel-test: $(READY)  ## build the wheel, install it into an empty environment, and run it there
	$(BIN)/python scripts/wheel_test.py

clean:  ## remove the environment, caches and builds (runs/ stays)
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
