# `make demo` and `make test` need nothing but make and Python >= 3.11: they set up .venv themselves.

PYTHON ?= python3
# A process for each core; a file's tests stay together, as what they share is dear to set up.
PYTEST_FLAGS ?= -n auto --dist loadfile
VENV := .venv
BIN := $(VENV)/bin
ADULT := src/rocspace/datasets/_data/adult_scores.csv.gz

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint types imports types-and-docs tests coverage docs bench fuzz mutants format clean FORCE

help: ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

demo: $(VENV)/.app ## report on the largest bundled data set (adult-report.html)
	$(BIN)/rocspace report $(ADULT) --label label --score logreg --score hgb --output adult-report.html

test: lint imports types-and-docs tests ## everything that must hold

lint: $(VENV)/.dev ## style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types-and-docs: $(VENV)/.dev # side by side: each takes one core for most of a minute
	$(MAKE) --no-print-directory --jobs 2 types docs

types: $(VENV)/.dev ## mypy --strict
	$(BIN)/mypy

imports: $(VENV)/.dev ## modules import only downward
	$(BIN)/lint-imports

tests: $(VENV)/.dev ## tests and docstring examples
	$(BIN)/python -m pytest $(PYTEST_FLAGS)

coverage: $(VENV)/.dev ## the same, and which lines of the library no test reaches; takes longer
	$(BIN)/python -m pytest --cov $(PYTEST_FLAGS)

docs: $(VENV)/.dev ## the documentation, warnings are errors; its home without barriers
	@if [ -f docs/conf.py ]; then \
	  set -xe; $(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html; \
	  PYTHONPATH=tests $(BIN)/python -m accessible docs/_build/html/index.html; \
	else echo "docs: no docs/conf.py yet"; fi

bench: $(VENV)/.dev ## timings against other programs
	$(BIN)/python -m benchmarks.speed

fuzz: $(VENV)/.dev ## calls, damaged states and uploads at random: SECONDS=60 of each, or COUNT=, SEED=, JOBS=
	PYTHONPATH=tests $(BIN)/python -m fuzz --seconds $(or $(SECONDS),60) \
	  --count $(or $(COUNT),inf) --seed $(or $(SEED),0) --jobs $(or $(JOBS),1)

mutants: $(VENV)/.dev ## does a test notice a changed operator? ROOMS="costs compare" COUNT=500 SEED=
	$(BIN)/python tools/mutants.py $(ROOMS) --count $(or $(COUNT),500) --seed $(or $(SEED),0)

format: $(VENV)/.dev ## mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## remove what the other targets made, except .venv
	rm -rf build dist htmlcov docs/_build docs/generated adult-report.html .coverage coverage.xml
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find src tests tools benchmarks docs -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# Set up again only when the requirements change, or when a Python was asked for by name.
ifneq ($(origin PYTHON),file)
EXACT := --exact
$(VENV)/.app $(VENV)/.dev: FORCE
endif

$(VENV)/.app: pyproject.toml tools/bootstrap.py
	$(PYTHON) tools/bootstrap.py $(EXACT) --venv $(VENV) --extra app
	@touch $@

$(VENV)/.dev: pyproject.toml tools/bootstrap.py
	$(PYTHON) tools/bootstrap.py $(EXACT) --venv $(VENV) --extra dev
	@touch $@ $(VENV)/.app
