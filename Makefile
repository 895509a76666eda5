# Every verb makes what it needs: Python 3.11 or later, make and the package index are enough.
#
#   make demo       grade a sample class end to end, and print its table
#   make test       every check that is quick: style, types, layers, tests
#   make slow       the tests that take long
#   make lab        open JupyterLab on the notebooks
#   make build      the lessons' text -> solutions/NN_x/NN_x.ipynb
#   make release    solutions/ -> notebooks/, what students get
#   make check      grade the notebooks in notebooks/ (NOTEBOOK=FILE for one of them)
#   make bench      what has a speed, measured
#   make conformance  posenc against torch and transformers, in an environment of its own
#   make weights    train the character models of lesson 8; their weights come with the library
#   make mutants    change posenc line by line, and see whether its tests notice
#
# PYTHON=python3.12 chooses the interpreter that .venv is made with; `make clean` first to change it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
CONFORMANCE := .venv-conformance
PINS := tests/conformance/constraints.txt
NOTEBOOK ?= $(wildcard notebooks/*/*.ipynb)
# JupyterLab does not start as root, which is who one is in most containers, unless it is told to.
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help demo test slow lab build release check bench conformance weights mutants clean

help:
	@sed -n 's/^#   //p' $(firstword $(MAKEFILE_LIST))

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python must be 3.11 or later, got " + sys.version)'
	@echo "installing into $(VENV) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[lab,teach,dev]'
	@touch $@

demo: $(STAMP)
	$(BIN)/autograder demo

test: $(STAMP)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --quiet --doctest-modules posenc
	$(BIN)/pytest

slow: $(STAMP)
	$(BIN)/pytest -m slow

lab: $(STAMP)
	cd notebooks && ../$(BIN)/jupyter lab $(AS_ROOT)

build: $(STAMP)
	$(BIN)/autograder build

release: build
	$(BIN)/autograder release

check: $(STAMP)
	$(BIN)/autograder check $(NOTEBOOK)

bench: $(STAMP)
	@for file in $$(grep -l '^if __name__' benchmarks/*.py); do \
	    echo "$$file"; $(BIN)/python -m benchmarks.$$(basename $$file .py) || exit 1; \
	done

# An index that has a CPU build of torch saves the download of several GB for graphics cards:
# PIP_EXTRA_INDEX_URL=... make conformance.
$(CONFORMANCE)/installed: pyproject.toml constraints.txt $(PINS)
	@echo "installing into $(CONFORMANCE) ..."
	@test -x $(CONFORMANCE)/bin/python || $(PYTHON) -m venv $(CONFORMANCE)
	@$(CONFORMANCE)/bin/python -m pip install --quiet --constraint constraints.txt --constraint $(PINS) \
	    --editable '.[conformance]'
	@touch $@

conformance: $(CONFORMANCE)/installed
	$(CONFORMANCE)/bin/python -m tests.conformance

# Two models at a time; each is kept as soon as it is done. Takes about half an hour on two cores.
weights: $(STAMP)
	$(BIN)/python -m posenc.lab

# CI=1 has Hypothesis draw the same examples each time, so that a mutant's fate does not depend on luck.
mutants: $(STAMP)
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt mutmut==3.8.1
	@rm -rf build/mutants && mkdir -p build/mutants/tests
	@cp -r posenc build/mutants && cp -r tests/posenc tests/conformance build/mutants/tests
	@cp tests/posenc/mutants.cfg build/mutants/setup.cfg
	cd build/mutants && CI=1 OPENBLAS_NUM_THREADS=1 ../../$(BIN)/mutmut run
	$(BIN)/python -m tests.posenc.mutants build/mutants

clean:
	rm -rf $(VENV) $(CONFORMANCE) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis *.egg-info
