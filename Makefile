# `make` alone lists what there is. Windows, or no make: see the pip commands in README.md.

PYTHON ?= python3
# One more than two processors: tests wait for processes, limits of time, and the disk.
JOBS ?= 3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
RUN_TIME := $(VENV)/run-time.stamp
DEV := $(VENV)/dev.stamp
PINS ?= dev/constraints/dev.txt

# Where no bytecode is kept, each process compiles all libraries anew: seconds for scikit-learn.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

LIST = awk 'BEGIN { FS = ":.*\#\# " } /^[a-z0-9-]+:.*\#\# / { sub("^suite-", ""); printf "  $(1)%-20s %s\n", $$1, $$2 }'

.PHONY: help
help: ## list these targets
	@$(call LIST,make ) Makefile
	@echo
	@echo '  PYTHON=python3.12 chooses the Python of a new .venv; JOBS=4 the test processes;'
	@echo '  ARGS="..." is passed on to what a target runs.'

# An environment: dev/constraints/install.py FOLDER PINS. It checks hashes, shows progress, goes on after
# an interruption, and takes uv where there is one.
INSTALL = $(PYTHON) dev/constraints/install.py
INSTALL_OPTIONS ?=

$(RUN_TIME): pyproject.toml dev/constraints/run-time.txt
	@$(INSTALL) $(VENV) dev/constraints/run-time.txt
	@touch $@

$(DEV): pyproject.toml $(PINS)
	@$(INSTALL) $(VENV) $(PINS) $(INSTALL_OPTIONS)
	@touch $@ $(RUN_TIME)

.PHONY: install
install: $(RUN_TIME) ## make .venv with what runs the package

.PHONY: install-dev
install-dev: $(DEV) ## make .venv with the tools and every extra

.PHONY: reproduce
reproduce: $(RUN_TIME) ## recompute what the five documents print
	@$(BIN)/irmetrics-edu reproduce $(ARGS)

# No table of rankings: what the tests of gates measure is made up.
.PHONY: test
test: $(DEV) ## run all tests and doctests, and compare every notebook's outputs
	$(BIN)/python -m pytest -n $(JOBS) --irm-table=no $(ARGS)
	$(NBVAL) notebooks
	@echo "Not run here: $(BESIDE). make suite SUITE=NAME runs one of them, .ci/run all."
	@echo "By hand, after a change of chapters or exercises: make test-lessons, make test-exercises."

BESIDE = guide clone site sandbox learners machines lowest pythons spark axe questions otter libraries-light retrievers

# The notebooks' own run: another collector, a forked kernel a notebook, whole notebooks side by side.
# Threads of the BLAS beside them would only wait for one another.
NBVAL = OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --nbval -p tests.forked_kernels \
	--nbval-sanitize-with notebooks/sanitize.cfg -n $(JOBS) --dist loadfile -q -o addopts= -o filterwarnings= -p no:cacheprovider

# Any target may run in another environment: VENV says where, PINS what is in it, PYTHON whose it is.
OTHER = $(MAKE) --no-print-directory
SUITE ?=

.PHONY: suite
suite: ## run what `make test` leaves out (SUITE=site; without a name: list the suites)
	@$(if $(SUITE),$(OTHER) -f dev/suites.mk suite-$(SUITE),$(call LIST,SUITE=) dev/suites.mk)

# Of suites that people ask for by their names alone.
test-%: $(DEV)
	@$(OTHER) suite SUITE=$*
gate-%: $(DEV)
	@$(OTHER) suite SUITE=gate-$*
limit%: $(DEV)
	@$(OTHER) suite SUITE=limit$*

.PHONY: check
check: $(DEV) ## lint, types, figures and the tests of what has changed (ARGS="--since HEAD~3"): about a minute
	@$(BIN)/python -m dev.tools.changed --jobs $(JOBS) $(ARGS)

.PHONY: lint
lint: $(DEV) ## ruff: rules and format; import-linter: which wing may import which
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo

.PHONY: types
types: $(DEV) ## mypy, strict, on the package
	$(BIN)/mypy

.PHONY: format
format: $(DEV) ## let ruff put the code in order
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format

.PHONY: house
house: $(DEV) ## what one reader must hold: wings, lines, circles of imports, the files that a call runs through
	@$(BIN)/python -m dev.tools.house $(ARGS)

.PHONY: metric
metric: $(DEV) ## what a metric still lacks, and which file to edit (NAME=nDCG; without a name: all)
	@$(BIN)/python -m dev.tools.metric $(NAME)

.PHONY: public
public: $(DEV) ## accept a change of the public interface, and print it
	@$(BIN)/python -m dev.tools.public

.PHONY: generated
generated: $(DEV) ## write the generated files anew: tables, stubs, messages, exercises, notebooks
	$(BIN)/python -m dev.tools.generate
	$(BIN)/python docs/architecture.py
	$(BIN)/python -m dev.tools.messages extract
	$(BIN)/python -m dev.tools.messages compile
	$(BIN)/python -m dev.tools.exercises
	$(BIN)/python -m dev.tools.notebooks

# The notebooks' outputs are compared by `make test`, letter by letter.
.PHONY: drift
drift: $(DEV) ## fail if a generated file is not what its source gives
	$(BIN)/python -m dev.tools.generate --check
	$(BIN)/python docs/architecture.py --check
	$(BIN)/python -m dev.tools.messages extract --check
	$(BIN)/python -m dev.tools.exercises --check

.PHONY: notebooks
notebooks: $(DEV) ## rebuild the notebooks, with their outputs, from their sources
	$(BIN)/python -m dev.tools.notebooks $(ARGS)

.PHONY: exercises
exercises: $(DEV) ## rebuild the students' copies and the solved exercises from their sources
	$(BIN)/python -m dev.tools.exercises $(ARGS)

# SITE_ADDRESS=https://... is where the site will be: for its sitemap, 404.html and previews of links.
SITE ?= dev/site/_site
export SITE_ADDRESS

.PHONY: site
site: $(DEV) ## build the site in dev/site/_site: guides, reference and course
	$(BIN)/python -m dev.tools.site.build $(SITE)

DEMO ?= build/demo-class
.PHONY: demo-class
demo-class: $(DEV) ## take a class of 40 to the course's total, then one with every layout and habit, beside its expected marks
	@rm -rf build/demo-class build/class-of-forty
	@$(BIN)/python -m dev.tools.demo_class $(DEMO)
	@echo
	@echo "A second class of 40: each with a layout and a habit, beside the marks deserved (tests/marking/forty)."
	@$(BIN)/python -m tests.marking.forty build/class-of-forty

.PHONY: benchmark
benchmark: $(DEV) ## time the package beside its peers (dev/benchmarks/README.md), then the grader (CLASS='--sizes 150,300' for a full class)
	@$(OTHER) -f dev/suites.mk libraries-environment
	$(BIN)/python -m dev.benchmarks $(ARGS)
	$(BIN)/python -m dev.benchmarks.grading_class $(CLASS)

# The seed draws the changes; which tests reach which line is measured first, by a run under coverage.
.PHONY: mutants
mutants: $(DEV) ## change the code in 700 small ways, and say how many the tests catch (half an hour)
	$(BIN)/python -m tests.mutants --jobs $(JOBS) $(ARGS)

.PHONY: fuzz
fuzz: $(DEV) ## fuzz all readers for ten minutes, from the date as seed (ARGS="--seconds 60 --seed 7 --kind files")
	$(BIN)/python -m tests.fuzz $(ARGS)

RELEASE := $(VENV)/release
$(RELEASE)/installed.stamp: dev/constraints/release.txt
	@$(INSTALL) $(RELEASE) dev/constraints/release.txt --no-project
	@touch $@

.PHONY: release
release: $(DEV) $(RELEASE)/installed.stamp ## build dist/ twice, look at it, try it on each Python, with checksums and an SBOM
	@$(BIN)/python -m dev.tools.release $(RELEASE)/bin $${TAG:+--tag "$$TAG"} $(if $(REHEARSE),--rehearse)

.PHONY: ci
ci: ## all that has to hold, as .ci/run runs it
	.ci/run

.PHONY: clean
clean: ## remove the environment, caches and builds
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
