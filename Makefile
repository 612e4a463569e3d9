# `make` alone lists what there is. Windows, or no make: see the pip commands in README.md.

PYTHON ?= python3
JOBS ?= 2
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
RUN_TIME := $(VENV)/run-time.stamp
DEV := $(VENV)/dev.stamp

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

.PHONY: help
help: ## list these targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  PYTHON=python3.12 chooses the Python of a new .venv; JOBS=4 the test processes;'
	@echo '  ARGS="..." is passed on by reproduce, test and coverage.'

# A pinned file holds hashes, and pip then checks them; a local project has none, so it comes
# after, alone, built by the pinned hatchling.
define install
	$(PIP) install --require-hashes --requirement $(1)
	$(PIP) install --no-deps --no-build-isolation --editable .
endef

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed, and this is " + \
	sys.version.split()[0] + "; name another: make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(RUN_TIME): pyproject.toml constraints/run-time.txt | $(BIN)/python
	$(call install,constraints/run-time.txt)
	@touch $@

$(DEV): pyproject.toml constraints/dev.txt | $(BIN)/python
	$(call install,constraints/dev.txt)
	@touch $@ $(RUN_TIME)

.PHONY: install
install: $(RUN_TIME) ## make .venv with what runs the package

.PHONY: install-dev
install-dev: $(DEV) ## make .venv with the tools and every extra

.PHONY: reproduce
reproduce: $(RUN_TIME) ## recompute every worked example of the documents
	@$(BIN)/irmetrics-edu reproduce $(ARGS)

.PHONY: test
test: $(DEV) ## run all tests and doctests, and compare every notebook's outputs
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)
	$(NBVAL) notebooks

# The notebooks' own run: another collector, one kernel a notebook, whole notebooks side by side.
NBVAL = $(BIN)/python -m pytest --nbval --nbval-sanitize-with notebooks/sanitize.cfg \
	-n $(JOBS) --dist loadfile -q -o addopts= -o filterwarnings= -p no:cacheprovider

.PHONY: notebooks
notebooks: $(DEV) ## rebuild the notebooks, with their outputs, from their sources
	$(BIN)/python -m irmetrics_edu.course.build $(ARGS)

.PHONY: notebooks-check
notebooks-check: $(DEV) ## run all notebooks' code in seconds, for every save
	$(BIN)/python -m irmetrics_edu.course.quick $(ARGS)

.PHONY: validate
validate: $(DEV) ## run the notebooks and compare all stored outputs (nbval)
	$(NBVAL) notebooks $(ARGS)

.PHONY: check
check: lint types test-fast ## lint, types and the fast tests: under two minutes

.PHONY: lint
lint: $(DEV) ## ruff: rules and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

.PHONY: types
types: $(DEV) ## mypy, strict, on the package
	$(BIN)/mypy

.PHONY: test-fast
test-fast: $(DEV) ## the tests not marked slow
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow" $(ARGS)

.PHONY: format
format: $(DEV) ## let ruff put the code in order
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format

.PHONY: coverage
coverage: $(DEV) ## all tests, with branch coverage and its lower bound
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term $(ARGS)

# pyspark is 450 MB, so it is not among the tools; this alone needs it.
SPARK := $(VENV)/spark.stamp
$(SPARK): constraints/spark.txt $(DEV)
	$(PIP) install --require-hashes --requirement constraints/spark.txt
	@touch $@

.PHONY: test-spark
test-spark: $(SPARK) ## test the Spark adapter (needs Java; installs pyspark)
	$(BIN)/python -m pytest tests/distributed/test_spark.py -p no:cacheprovider $(ARGS)

# The oldest pytest that we support stands on the path before the newer one; all else is the same.
PYTEST8 := $(VENV)/pytest8
$(PYTEST8): constraints/pytest8.txt $(DEV)
	rm -rf $@
	$(PIP) install --require-hashes --no-deps --target $@ --requirement $<
	@touch $@

.PHONY: test-pytest8
test-pytest8: $(PYTEST8) ## run the plugin's tests under pytest 8.0
	PYTHONPATH=$(abspath $(PYTEST8)) $(BIN)/python -m pytest tests/plugin -n $(JOBS) \
	-p no:cacheprovider --ignore=tests/plugin/test_as_a_stranger.py --ignore=tests/plugin/test_types.py $(ARGS)

# rankerEval reads np.NaN, which numpy 2 has no more, and ranx brings numba: an environment apart,
# for Python 3.11 and 3.12, the last that numpy 1 has wheels for. numba compiles for a minute.
LIBRARIES := $(VENV)/libraries
$(LIBRARIES)/installed.stamp: pyproject.toml constraints/libraries.txt
	$(PYTHON) -m venv $(LIBRARIES)
	$(LIBRARIES)/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes \
		--requirement constraints/libraries.txt
	$(LIBRARIES)/bin/python -m pip --quiet --disable-pip-version-check install --no-deps \
		--no-build-isolation --editable .
	@touch $@

.PHONY: test-libraries
test-libraries: $(LIBRARIES)/installed.stamp ## compare ranx and rankerEval live (installs 500 MB)
	$(LIBRARIES)/bin/python -m pytest tests/libraries/test_compiled.py -p no:cacheprovider $(ARGS)

.PHONY: generated
generated: $(DEV) ## write the generated files anew: tables, stubs, exercises, notebooks
	$(BIN)/python -m irmetrics_edu.commands.generate
	$(BIN)/python -m irmetrics_edu.exercises.build
	$(BIN)/python -m irmetrics_edu.course.build

.PHONY: exercises
exercises: $(DEV) ## rebuild the students' copies and the solved exercises from their sources
	$(BIN)/python -m irmetrics_edu.exercises.build $(ARGS)

# The notebooks' outputs are compared by `make test`, letter by letter.
.PHONY: drift
drift: $(DEV) ## fail if a generated file is not what its source gives
	$(BIN)/python -m irmetrics_edu.commands.generate --check
	$(BIN)/python -m irmetrics_edu.exercises.build --check

.PHONY: book
book: $(DEV) ## build the course as a static site in book/_site
	$(BIN)/python -m irmetrics_edu.course.book book/_site

.PHONY: benchmark
benchmark: $(DEV) $(LIBRARIES)/installed.stamp ## time the package beside its peers; writes benchmarks/README.md
	$(BIN)/python -m benchmarks $(ARGS)

# uv only resolves; it lives in a throw-away environment. What is pinned stays as it is unless
# pyproject.toml asks for something else; UPGRADE=--upgrade takes the newest of everything.
# run-time.txt is bound to dev.txt, so that one .venv serves both.
UPGRADE ?=
COMPILE = compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --quiet $(UPGRADE)

.PHONY: constraints
constraints: ## pin all dependencies anew (UPGRADE=--upgrade for the newest)
	@tool=$$(mktemp -d) && trap 'rm -rf "$$tool"' EXIT && \
	$(PYTHON) -m venv "$$tool" && \
	"$$tool/bin/python" -m pip --quiet --disable-pip-version-check install uv && \
	"$$tool/bin/uv" pip $(COMPILE) --extra dev --output-file constraints/dev.txt && \
	"$$tool/bin/uv" pip $(COMPILE) --constraint constraints/dev.txt --output-file constraints/run-time.txt && \
	"$$tool/bin/uv" pip $(COMPILE) --extra spark --constraint constraints/dev.txt --output-file constraints/spark.txt && \
	"$$tool/bin/uv" pip $(COMPILE) --group libraries --output-file constraints/libraries.txt && \
	echo 'pytest==8.0.*' | "$$tool/bin/uv" pip $(subst pyproject.toml --group build,- --no-deps,$(COMPILE)) \
	--output-file constraints/pytest8.txt

.PHONY: clean
clean: ## remove the environment, caches and builds
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
