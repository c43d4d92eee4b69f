# What a newcomer types. Everything runs in .venv, which is made on first use.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check bench soak docs clean

demo: .venv/.stamp
	$(BIN)/goldlens demo

test: .venv/.stamp
	$(BIN)/pytest

check: .venv/.stamp
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy scoring server clients/python

bench: .venv/.stamp
	$(BIN)/python -m benchmarks

soak: .venv/.stamp
	$(BIN)/python -m benchmarks.soak

docs: .venv/.docs-stamp
	$(BIN)/mkdocs build --strict

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks dist build site

.venv/.stamp: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Goldlens needs Python 3.11 or newer: make PYTHON=python3.11 (or where yours is)" >&2; exit 1; }
	@echo "Setting up .venv, once: this takes a minute and needs the network"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

.venv/.docs-stamp: .venv/.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@
