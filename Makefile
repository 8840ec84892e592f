# Everything lands in .venv (and .bench for the benchmarks); `make clean` removes both.
# Another interpreter: make test PYTHON=python3.12

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
BENCH := .bench
PIP_FLAGS := --quiet --disable-pip-version-check --no-input

# The first of these that is Python 3.11 or newer; only the named one where PYTHON is set.
ifeq ($(origin PYTHON),undefined)
PYTHONS := python3 python3.13 python3.12 python3.11
else
PYTHONS := $(PYTHON)
endif

# Two workers on two cores; more than eight cost more to start than they save.
PYTEST := $(BIN)/python -m pytest -n auto --maxprocesses=8 --dist=worksteal
SCHEMA := $(BIN)/python -m ragstone.reports.schema
# Property tests draw the same examples in every run; "dev" draws new ones each time.
export HYPOTHESIS_PROFILE ?= ci

.PHONY: help demo test test-all check lint format types layers schema schema-check bench bench-text bench-answers bench-corpus bench-size clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

demo: $(VENV)/.package  ## score, compare and judge two retrievers on the built-in example
	@$(BIN)/ragstone demo

test: $(VENV)/.dev  ## run the tests, without the slow ones
	$(PYTEST) -m "not slow"

test-all: test $(VENV)/.heavy  ## run the tests, then the slow ones, with torch and Spark
	$(PYTEST) -m slow

check: lint types layers schema-check test  ## everything CI runs but the slow tests

lint: $(VENV)/.dev  ## ruff: lint and formatting; the schemas and zizmor's rules for CI files
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.gitlab-ci ci/gitlab.yml
	$(BIN)/zizmor --offline --pedantic --strict-collection --quiet .

format: $(VENV)/.dev  ## ruff: repair lint and formatting where it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.dev  ## mypy --strict
	$(BIN)/mypy

layers: $(VENV)/.dev  ## import-linter: imports go down the layers only
	$(BIN)/lint-imports --no-logo

schema: $(VENV)/.dev  ## write schemas/report.v1.json anew from the types
	@text=$$($(SCHEMA)) && printf '%s\n' "$$text" > schemas/report.v1.json

schema-check: $(VENV)/.dev
	$(SCHEMA) | diff -u schemas/report.v1.json -

bench: $(BENCH)/.ready  ## measure CPU and memory of an installed wheel
	$(BENCH)/venv/bin/python benchmarks/run.py

bench-text: $(BENCH)/.ready $(BENCH)/.text  ## measure text matching beside Krag: 1 GB, ten minutes
	$(BENCH)/venv/bin/python benchmarks/run.py --only text

bench-answers: $(BENCH)/.ready $(BENCH)/.answers  ## the same for answers, and for asking a judge
	$(BENCH)/venv/bin/python benchmarks/run.py --only answers

bench-corpus: $(BENCH)/.ready  ## the same for the checks of corpora, up to a million documents
	$(BENCH)/venv/bin/python benchmarks/run_corpus.py

bench-size: $(BENCH)/.ready  ## size and start of fresh installs, beside ragas and deepeval: 2 GB
	$(BENCH)/venv/bin/python benchmarks/run_size.py $(BENCH)/dist/*.whl

clean:  ## remove everything the other targets made
	rm -rf $(VENV) $(BENCH) build dist .coverage .hypothesis .import_linter_cache \
	    .mypy_cache .pytest_cache .ruff_cache ragstone-demo
	find . -name __pycache__ -prune -exec rm -rf {} +

# ---- what the targets stand on -------------------------------------------------------------

$(VENV)/pyvenv.cfg:
	@.ci/venv $(VENV) $(PYTHONS)

$(VENV)/.package: pyproject.toml | $(VENV)/pyvenv.cfg
	@echo "Installing ragstone into $(VENV)"
	@$(BIN)/python -m pip install $(PIP_FLAGS) --editable .
	@touch $@

# --group is younger than the pip that comes with Python 3.11.
$(VENV)/.dev: $(VENV)/.package
	@echo "Installing what the tests and checks need; this takes a minute, once"
	@$(BIN)/python -m pip install $(PIP_FLAGS) --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install $(PIP_FLAGS) --group dev
	@touch $@

$(VENV)/.heavy: $(VENV)/.dev
	@echo "Installing torch and Spark for the slow tests: 2 GB, once"
	@$(BIN)/python -m pip install $(PIP_FLAGS) --group heavy
	@touch $@

$(BENCH)/.tools: pyproject.toml
	@.ci/venv $(BENCH)/venv $(PYTHONS)
	@$(BENCH)/venv/bin/python -m pip install $(PIP_FLAGS) --upgrade "pip>=25.1"
	@$(BENCH)/venv/bin/python -m pip install $(PIP_FLAGS) --group bench
	@touch $@

$(BENCH)/.answers: $(BENCH)/.tools
	@$(BENCH)/venv/bin/python -m pip install $(PIP_FLAGS) --group bench-answers
	@touch $@

# Krag has an environment of its own: it needs an older Kiwi than ragstone.
$(BENCH)/.text: $(BENCH)/.tools
	@echo "Installing Krag, Kiwi and rouge-score to measure beside: 1 GB, once"
	@$(BENCH)/venv/bin/python -m pip install $(PIP_FLAGS) --group bench-text
	@.ci/venv $(BENCH)/krag $(PYTHONS)
	@$(BENCH)/krag/bin/python -m pip install $(PIP_FLAGS) --upgrade "pip>=25.1"
	@$(BENCH)/krag/bin/python -m pip install $(PIP_FLAGS) --group bench-krag
	@touch $@

# The wheel, not the checkout: what a user installs is what is measured.
$(BENCH)/.ready: $(BENCH)/.tools $(shell find src -type f -not -name '*.pyc' 2>/dev/null)
	@echo "Building the wheel to measure"
	@rm -rf $(BENCH)/dist
	@$(BENCH)/venv/bin/python -m pip wheel $(PIP_FLAGS) --no-deps --wheel-dir $(BENCH)/dist .
	@$(BENCH)/venv/bin/python -m pip uninstall --quiet --yes ragstone 2>/dev/null
	@$(BENCH)/venv/bin/python -m pip install $(PIP_FLAGS) $(BENCH)/dist/*.whl
	@touch $@
