# make demo   a fresh machine: sets up, reads the archived fixtures, shows the table
# make test   a fresh machine: sets up, passes every test
# make check  types, lint, import rule
# make bench  the figures of benchmarks/README.md

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test check bench golden clean

demo: $(VENV)/.run
	$(BIN)/abcompare parse fixtures/demo

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto tests

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy -p abcompare

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks.parse

# Writes the expected JSON of every fixture anew: read the difference before you commit it.
golden: $(VENV)/.dev
	$(BIN)/python -m tests.golden

clean:
	rm -rf $(VENV) build dist

$(VENV)/.run: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@
