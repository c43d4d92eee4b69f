# What a newcomer types. Everything runs in .venv, which is made on first use.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check bench soak vsix test-editors docs clean

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

# The VS Code extension as a package: vscode-extension/goldlens.vsix. Needs node 20 and npm.
vsix: vscode-extension/node_modules/.stamp
	cd vscode-extension && npm test --silent && npm run --silent package
	@test $$(wc -c <vscode-extension/goldlens.vsix) -lt 1000000 || \
		{ echo "goldlens.vsix is larger than 1 MB: see what is in it with unzip -l" >&2; exit 1; }

# Neovim (from PyPI), Emacs if it is there, and the package in the real VS Code, which is put into
# EDITORS once; pictures and logs in tests/editors/vscode/artefacts. Needs chromium, ripgrep and a
# C++ compiler too.
EDITORS ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/goldlens-editors
test-editors: .venv/.editors-stamp vsix tests/editors/vscode/node_modules/.stamp
	$(BIN)/pytest tests/editors tests/docs/test_daemon_pages.py
	tests/editors/vscode/install.sh $(EDITORS)
	cd tests/editors/vscode && GOLDLENS_EDITORS=$(EDITORS) node --test --test-concurrency=1

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

%/node_modules/.stamp: %/package-lock.json
	cd $* && npm ci --silent --no-fund --no-audit
	@touch $@

.venv/.editors-stamp: .venv/.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[editors]'
	@touch $@

.venv/.docs-stamp: .venv/.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@
