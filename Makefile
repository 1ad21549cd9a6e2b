# `make demo` and `make test` are all that is needed; the rest is for people who change the code.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
# Of some 20,000 modules a quarter is ever imported: Python compiles those when it first reads them.
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-compile -c constraints.txt
PINS := pyproject.toml constraints.txt
CHECKED := annotation config scoring tests benchmarks docker
HASH := $(BIN)/uv pip compile pyproject.toml -c constraints.txt -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links
SERVE := --demo

# The build of this package is pinned as well.
export PIP_CONSTRAINT = $(CURDIR)/constraints.txt
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-slow setup lint format types check bench bench-stats bench-neural bench-runs bench-faults bench-install screenshots pictures accessibility widths bundles catalogues docs hashes advisories release clean

demo: $(VENV)/installed  ## start everything with a demo study
	@exec $(BIN)/python manage.py serve $(SERVE)

test: $(VENV)/installed-dev  ## the whole suite, on SQLite and on PostgreSQL
	@$(BIN)/python -m tests.run

test-slow: $(VENV)/installed-dev  ## the proofs that take minutes
	@$(BIN)/python -m tests.run --slow

setup: $(VENV)/installed-dev  ## the environment with the tools for development

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

format: $(VENV)/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/installed-dev
	$(BIN)/mypy $(CHECKED)

check: $(VENV)/installed-dev  ## what Django itself can find wrong
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check --fail-level WARNING

bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks.submissions

bench-stats: $(VENV)/installed-dev  ## the reliability figures at scale
	$(BIN)/python -m benchmarks.stats

bench-neural: $(VENV)/installed-dev  ## the neural part of HAUSER on models of RoBERTa-base's size
	$(BIN)/python -m benchmarks.neural

bench-runs: $(VENV)/installed-dev  ## a run of scores by one and two workers
	$(BIN)/python -m benchmarks.runs

bench-faults: $(VENV)/installed-dev  ## the fault table: every part is killed while raters rate, on both databases
	$(BIN)/python -m benchmarks.faults

bench-install: $(VENV)/installed-dev  ## from `pip install` to the first page, beside potato-annotation
	$(BIN)/python -m benchmarks.install

screenshots: $(VENV)/installed-dev  ## every page, each in 12 forms, into var/screenshots/; WALK=--help for fewer
	@$(BIN)/python -m tests.e2e.walk.screenshots $(WALK)

pictures: $(VENV)/installed-dev  ## the pictures of the README, into docs/images/
	@$(BIN)/python -m tests.e2e.walk.readme_pictures

accessibility: $(VENV)/installed-dev  ## axe-core on every page, each in 12 forms; WALK=--help for fewer
	@$(BIN)/python -m tests.e2e.walk.accessibility $(WALK)

widths: $(VENV)/installed-dev  ## pages that are wider than their window, in each language
	@$(BIN)/python -m tests.e2e.walk.widths $(WALK)

bundles: $(VENV)/installed-dev  ## the rating page's scripts and styles in one file each (needs Node)
	@$(BIN)/python manage.py bundles

catalogues: $(VENV)/installed-dev  ## update and compile the translations of raters' pages
	@$(BIN)/python manage.py catalogues

docs: $(VENV)/installed-dev  ## the documentation as a site, into build/docs/; a broken link or anchor stops it
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet --config-file docs/site/mkdocs.yml

hashes: $(VENV)/installed-release  ## write the pins with the hashes of all their files
	$(HASH) -o requirements.txt
	$(HASH) --extra worker -o requirements-worker.txt

advisories: $(VENV)/installed-release  ## is anything known against the pinned dependencies?
	@$(BIN)/python docker/advisories.py

release: $(VENV)/installed-release  ## all files of a release, checked, in dist/; REHEARSE=1 for an unreleased version
	@$(BIN)/python docker/release.py $(if $(REHEARSE),--rehearse)

clean:  ## everything the tools made; `var/` (the data) stays
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -not -path './var/*' -prune -exec rm -rf {} +

$(BIN)/python:
	@echo "Making a Python environment in $(VENV) with $(PYTHON)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Groundwork needs Python 3.11 or newer.")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(PINS) | $(BIN)/python
	@echo "Installing the pinned dependencies (a minute or two, the first time)"
	@$(PIP) -e '.[worker]' || { echo "Without torch: scores by models stay empty, with the reason."; $(PIP) -e .; }
	@touch $@

$(VENV)/installed-dev: $(PINS) | $(BIN)/python
	@echo "Installing the pinned dependencies and the tools for development (some minutes, the first time)"
	@$(PIP) -e '.[dev,worker]'
	@touch $(VENV)/installed $@

$(VENV)/installed-release: $(PINS) | $(BIN)/python
	@echo "Installing what a release is made with"
	@$(PIP) -e '.[release]'
	@touch $@
