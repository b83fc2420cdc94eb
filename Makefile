# make demo   a fresh machine: sets up, reads the archived fixtures, shows the table
# make test   a fresh machine: sets up, passes every test; says which of the real tools and servers are not installed
# make check  types, lint, import rule
# make bench  the figures of benchmarks/README.md

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

# program=package of Debian: what the tests run, on the loopback interface only
TOOLS = ab=apache2-utils wrk=wrk nginx=nginx apache2=apache2 openssl=openssl

.PHONY: demo test tools check bench golden clean

demo: $(VENV)/.run
	$(BIN)/abcompare parse fixtures/demo

test: tools $(VENV)/.dev
	$(BIN)/python -m pytest -n auto -m "not alone" tests
	$(BIN)/python -m pytest -m alone tests

tools:
	@PATH="$$PATH:/usr/sbin:/sbin"; missing=""; \
	for pair in $(TOOLS); do command -v "$${pair%%=*}" >/dev/null || missing="$$missing $${pair#*=}"; done; \
	if [ -n "$$missing" ]; then echo "the tests need more programs: apt install$$missing" >&2; exit 1; fi

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
