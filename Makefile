# `make` alone lists what there is. Windows, or no make: see the pip commands in README.md.

PYTHON ?= python3
JOBS ?= 2
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

.PHONY: help
help: ## list these targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z0-9 -]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo '  PYTHON=python3.12 chooses the Python of a new .venv; JOBS=4 the test processes;'
	@echo '  ARGS="..." is passed on by reproduce, test and coverage.'

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
reproduce: $(RUN_TIME) ## recompute every worked example of the documents
	@$(BIN)/irmetrics-edu reproduce $(ARGS)

# No table of rankings: what the tests of gates measure is made up.
.PHONY: test
test: $(DEV) ## run all tests and doctests, and compare every notebook's outputs
	$(BIN)/python -m pytest -n $(JOBS) --irm-table=no $(ARGS)
	$(NBVAL) notebooks
	@echo "Not run here: make $(BESIDE). .ci/run runs them all."

BESIDE = test-site test-sandbox test-learners test-machines test-lowest test-pythons test-spark \
	test-axe test-questions test-otter test-libraries-light test-retrievers

# The notebooks' own run: another collector, a forked kernel a notebook, whole notebooks side by side.
# Threads of the BLAS beside them would only wait for one another.
NBVAL = OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --nbval -p tests.forked_kernels \
	--nbval-sanitize-with notebooks/sanitize.cfg -n $(JOBS) --dist loadfile -q -o addopts= -o filterwarnings= -p no:cacheprovider

.PHONY: notebooks
notebooks: $(DEV) ## rebuild the notebooks, with their outputs, from their sources
	$(BIN)/python -m dev.tools.notebooks $(ARGS)

.PHONY: notebooks-check
notebooks-check: $(DEV) ## run all notebooks' code in seconds, for every save
	$(BIN)/python -m dev.tools.quick $(ARGS)

.PHONY: fuzz
fuzz: $(DEV) ## fuzz files and frames from a random seed (ARGS="--seconds 600 --seed 7 --kind files")
	$(BIN)/python -m tests.fuzz $(ARGS)

.PHONY: validate
validate: $(DEV) ## run the notebooks and compare all stored outputs (nbval)
	$(NBVAL) notebooks $(ARGS)

.PHONY: check
check: $(DEV) ## lint, types and the tests of what has changed (ARGS="--since HEAD~3"): under a minute
	@$(BIN)/python -m dev.tools.changed --jobs $(JOBS) $(ARGS)

.PHONY: lint
lint: $(DEV) ## ruff: rules and format; import-linter: which wing may import which
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo

.PHONY: house
house: $(DEV) ## what one reader must hold: wings, lines, circles of imports, the files that a call runs through
	@$(BIN)/python -m dev.tools.house $(ARGS)

.PHONY: metric
metric: $(DEV) ## what a metric still lacks, and which file to edit (NAME=nDCG; without a name: all)
	@$(BIN)/python -m dev.tools.metric $(NAME)

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

# The seed draws the changes; which tests reach which line is measured first, by a run under coverage.
.PHONY: mutants
mutants: $(DEV) ## change the code in 700 small ways, and say how many the tests catch (half an hour)
	$(BIN)/python -m tests.mutants --jobs $(JOBS) $(ARGS)

.PHONY: vector-mutants
vector-mutants: $(DEV) ## change what makes the test vectors in 880 small ways, and say how many a vector tells
	$(BIN)/python -m tests.mutants.of_vectors --jobs $(JOBS) $(ARGS)

.PHONY: coverage
coverage: $(DEV) ## all tests, with branch coverage and its lower bound
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term $(ARGS)

# What is slow and seldom tells: a browser on every page, attacks on the sandbox, whole trainings.
.PHONY: test-site test-sandbox test-learners
test-site test-sandbox test-learners: $(DEV) ## a suite that `make test` leaves out
	$(BIN)/python -m pytest -n $(JOBS) --suite=$(@:test-%=%) tests $(ARGS)

.PHONY: test-machines
test-machines: $(DEV) ## compare all outputs as other processors compute them (ARGS=--all: all tests)
	$(BIN)/python -m tests.machines --jobs $(JOBS) $(ARGS)

# Beside the checks of `make test`, the pages have those of axe-core, which npm fetches here.
AXE := build/axe/package/axe.min.js
$(AXE):
	@mkdir -p build/axe
	npm pack --silent --pack-destination build/axe axe-core@4.14.1
	tar -xzf build/axe/axe-core-4.14.1.tgz -C build/axe -m package/axe.min.js

.PHONY: test-axe
test-axe: $(DEV) $(AXE) ## check every page of the site with axe-core (needs npm, which fetches it)
	$(BIN)/python -m tests.site.axe $(AXE)

# The DTD of QTI 1.2.1, which pyslet carries, validates the bank for Canvas.
QUESTIONS := $(VENV)/questions
$(QUESTIONS)/installed.stamp: dev/constraints/questions.txt
	@$(INSTALL) $(QUESTIONS) dev/constraints/questions.txt --no-project
	@touch $@

.PHONY: test-questions
test-questions: $(DEV) $(QUESTIONS)/installed.stamp ## let a DTD validate 300 questions
	@rm -rf build/questions && mkdir -p build/questions
	@$(BIN)/python -m tests.questions.written build/questions & written=$$!; \
	$(QUESTIONS)/bin/python -m pip --quiet --disable-pip-version-check download --no-deps \
		--no-binary pyslet --require-hashes --requirement dev/constraints/questions.txt \
		--dest build/questions; fetched=$$?; wait $$written && exit $$fetched
	$(QUESTIONS)/bin/python tests/questions/imported.py build/questions

# Otter-Grader brings a browser's driver and much of Jupyter: an environment apart.
OTTER := $(VENV)/otter
$(OTTER)/installed.stamp: pyproject.toml dev/constraints/otter.txt
	@$(INSTALL) $(OTTER) dev/constraints/otter.txt
	@touch $@

.PHONY: test-otter
test-otter: $(DEV) $(OTTER)/installed.stamp ## let Otter-Grader grade an exercise by our test files
	$(BIN)/python -m tests.exercises.otter $(abspath $(OTTER)/bin/otter)

.PHONY: spelling
spelling: $(DEV) ## check the spelling of all texts (needs hunspell and hunspell-en-gb)
	CI=true $(BIN)/python -m pytest --suite=site tests/site/test_spelling.py -q $(ARGS)

# pyspark is 450 MB, so it is not among the tools; this alone needs it.
SPARK := $(VENV)/spark.stamp
$(SPARK): dev/constraints/spark.txt $(DEV)
	@$(INSTALL) $(VENV) dev/constraints/spark.txt --no-project
	@touch $@

.PHONY: test-spark
test-spark: $(SPARK) ## test the Spark adapter (needs Java; installs pyspark)
	$(BIN)/python -m pytest tests/distributed/test_spark.py -p no:cacheprovider $(ARGS)

# Any target may run in another environment: VENV says where, PINS what is in it, PYTHON whose it is.
OTHER = $(MAKE) --no-print-directory

# The lowest versions that pyproject.toml admits, beside the pinned tools. pytest 8.0 is among them,
# so the plugin's slow tests run too, less those that bring a pytest or a mypy of their own, and the
# sessions over broken files, which take minutes and ask nothing else of pytest.
LOWEST := $(VENV)/lowest
.PHONY: test-lowest
test-lowest: ## run the fast tests with the lowest versions admitted (an environment of its own)
	@for python in $(PYTHON) python3.11 python3.12; do \
		"$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' 2>/dev/null || continue; \
		$(OTHER) test-fast VENV=$(LOWEST) PINS=dev/constraints/lowest.txt INSTALL_OPTIONS=--wheels PYTHON="$$python" && \
		exec $(LOWEST)/bin/python -m pytest tests/plugin -n $(JOBS) -m slow -k "not broken_file" $(ARGS) \
			--ignore=tests/plugin/test_as_a_stranger.py --ignore=tests/plugin/test_types.py; \
		exit; \
	done; \
	echo 'The lowest versions have wheels for Python 3.11 and 3.12 alone, and neither was found:' \
		'name one, make test-lowest PYTHON=python3.11'; exit 1

# A name on the path may be a stand-in that only says which version is missing: it has to run.
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
.PHONY: test-pythons
test-pythons: ## run the fast tests with every Python found (an environment each; PYTHONS="...")
	@missing=""; for python in $(PYTHONS); do \
		version=$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || \
			{ missing="$$missing $$python"; continue; }; \
		echo "Python $$version ($$python)"; \
		$(OTHER) test-fast VENV=$(VENV)/$$version PYTHON="$$python" || exit; \
	done; \
	[ -z "$$missing" ] || echo "Not found, and so not tested:$$missing"

# Each run draws other examples, and says how to draw them again. What it finds becomes an @example.
SEED ?=
.PHONY: test-thorough
test-thorough: $(DEV) ## try 500 new examples of every property (SEED=N repeats a run)
	@seed=$(SEED); : $${seed:=$$($(BIN)/python -c 'import secrets; print(secrets.randbelow(2**32))')}; \
	echo "seed $$seed"; \
	$(BIN)/python -m pytest -n $(JOBS) -m hypothesis --hypothesis-profile=thorough \
		--hypothesis-seed=$$seed $(ARGS) || \
	{ code=$$?; echo "To repeat it: make test-thorough SEED=$$seed"; exit $$code; }

# rankerEval reads np.NaN, which numpy 2 has no more, and ranx brings numba: an environment apart,
# for Python 3.11 and 3.12, the last that numpy 1 has wheels for. numba compiles for a minute.
LIBRARIES := $(VENV)/libraries
$(LIBRARIES)/installed.stamp: pyproject.toml dev/constraints/libraries.txt
	@$(INSTALL) $(LIBRARIES) dev/constraints/libraries.txt
	@touch $@

.PHONY: test-libraries-compiled
test-libraries-compiled: $(LIBRARIES)/installed.stamp ## compare ranx and rankerEval live (installs 500 MB)
	LIBRARIES=compiled $(LIBRARIES)/bin/python -m pytest tests/libraries/test_compiled.py \
		tests/libraries/test_asked.py tests/libraries/test_defects.py -p no:cacheprovider $(ARGS)

# The other libraries in groups, an environment each: those that install in a minute, and those that
# need PyTorch, JAX or TensorFlow. What is pinned is installed and
# no more; in the light one, a library comes with what its metrics import.
GROUPS := light torch jax tensorflow
$(VENV)/libraries-%/installed.stamp: pyproject.toml dev/constraints/libraries-%.txt
	@$(INSTALL) $(@D) dev/constraints/libraries-$*.txt
	@touch $@

ASKED = LIBRARIES=$(1) PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 $(2)/bin/python -m pytest \
	tests/libraries/test_asked.py -p no:cacheprovider $(ARGS)

.PHONY: test-libraries-light
test-libraries-light: $(VENV)/libraries-light/installed.stamp ## compare fifteen libraries live (installs 1.4 GB)
	$(call ASKED,light,$(VENV)/libraries-light)

.PHONY: test-libraries-torch
test-libraries-torch: $(VENV)/libraries-torch/installed.stamp ## compare those that need PyTorch (installs 6 GB)
	$(call ASKED,torch,$(VENV)/libraries-torch)

.PHONY: test-libraries-jax
test-libraries-jax: $(VENV)/libraries-jax/installed.stamp ## compare Rax and KerasRS (installs 700 MB)
	$(call ASKED,jax,$(VENV)/libraries-jax)

.PHONY: test-libraries-tensorflow
test-libraries-tensorflow: $(VENV)/libraries-tensorflow/installed.stamp ## compare TF-Ranking (installs 1.4 GB)
	@$(INSTALL) $(VENV)/libraries-tensorflow dev/constraints/libraries-tensorflow-ranking.txt --no-project
	$(call ASKED,tensorflow,$(VENV)/libraries-tensorflow)

.PHONY: test-libraries-spark
test-libraries-spark: $(SPARK) ## compare PySpark's RankingMetrics (needs Java; installs pyspark)
	$(call ASKED,spark,$(VENV))

.PHONY: test-libraries-newest
test-libraries-newest: $(DEV) ## ask the newest releases, and print which bundle no longer holds (installs each apart)
	@$(BIN)/python -m tests.libraries.newest $(NAMES)

.PHONY: defects
defects: $(DEV) ## ask the newest releases whether what dev/defects/ says is still so (installs each apart)
	@$(BIN)/python -m dev.tools.defects $(CASES)

.PHONY: test-libraries
test-libraries: test-libraries-compiled test-libraries-spark $(GROUPS:%=test-libraries-%) ## all of these

# The clients of retrievers, 600 MB: an environment apart.
RETRIEVERS := $(VENV)/retrievers
$(RETRIEVERS)/installed.stamp: pyproject.toml dev/constraints/retrievers.txt
	@$(INSTALL) $(RETRIEVERS) dev/constraints/retrievers.txt
	@touch $@

.PHONY: test-retrievers
test-retrievers: $(RETRIEVERS)/installed.stamp ## ask real retrievers, and gate a sample RAG (installs 600 MB)
	$(RETRIEVERS)/bin/python -m pytest tests/collecting -p no:cacheprovider $(ARGS)

.PHONY: generated
generated: $(DEV) ## write the generated files anew: tables, stubs, exercises, notebooks
	$(BIN)/python -m dev.tools.generate
	$(BIN)/python docs/architecture.py
	$(BIN)/python -m dev.tools.exercises
	$(BIN)/python -m dev.tools.notebooks

.PHONY: messages
messages: $(DEV) ## write the templates, catalogues and .mo files of translations
	$(BIN)/python -m dev.tools.messages extract $(ARGS)
	$(BIN)/python -m dev.tools.messages compile

.PHONY: messages-status
messages-status: $(DEV) ## say what translations lack, and what has changed in English
	$(BIN)/python -m dev.tools.messages status $(ARGS)

DEMO ?= build/demo-class
.PHONY: demo-class
demo-class: $(DEV) ## take a class of 40 from Canvas and Moodle to the course's total, and name its pages
	@rm -rf build/demo-class
	@$(BIN)/python -m dev.tools.demo_class $(DEMO)

.PHONY: exercises
exercises: $(DEV) ## rebuild the students' copies and the solved exercises from their sources
	$(BIN)/python -m dev.tools.exercises $(ARGS)

# The notebooks' outputs are compared by `make test`, letter by letter.
.PHONY: drift
drift: $(DEV) ## fail if a generated file is not what its source gives
	$(BIN)/python -m dev.tools.generate --check
	$(BIN)/python docs/architecture.py --check
	$(BIN)/python -m dev.tools.messages extract --check
	$(BIN)/python -m dev.tools.exercises --check

# SITE_ADDRESS=https://... is where the site will be: for its sitemap, 404.html and previews of links.
SITE ?= dev/site/_site
export SITE_ADDRESS

.PHONY: site
site: $(DEV) ## build the site in dev/site/_site: guides, reference and course
	$(BIN)/python -m dev.tools.site.build $(SITE)

.PHONY: slides
slides: $(DEV) ## build a deck of slides for each chapter in build/slides (ARGS=--notebooks for RISE)
	$(BIN)/python -m dev.tools.site.slides build/slides $(ARGS)

.PHONY: benchmark
benchmark: $(DEV) $(LIBRARIES)/installed.stamp ## time the package beside its peers (dev/benchmarks/README.md), then the grader (CLASS='--sizes 150,300' for a full class)
	$(BIN)/python -m dev.benchmarks $(ARGS)
	$(BIN)/python -m dev.benchmarks.grading_class $(CLASS)

.PHONY: gates
gates: $(DEV) ## simulate how often gates are right (minutes); writes docs/gates.md and its figure
	$(BIN)/python -m dev.benchmarks.gate $(ARGS)

# uv only resolves; it lives in a throw-away environment. What is pinned stays as it is unless
# pyproject.toml asks for something else; UPGRADE=--upgrade takes the newest of everything.
# run-time.txt is bound to dev.txt, so that one .venv serves both; lowest.txt is dev.txt but for the
# least versions that the package and its extras admit, and for what these don't go with.
UPGRADE ?=
COMPILE = compile pyproject.toml --group build --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --quiet $(UPGRADE)

.PHONY: constraints
constraints: ## pin all dependencies anew (UPGRADE=--upgrade for the newest)
	@tool=$$(mktemp -d) && trap 'rm -rf "$$tool"' EXIT && \
	$(PYTHON) -m venv "$$tool" && \
	"$$tool/bin/python" -m pip --quiet --disable-pip-version-check install uv && \
	echo uv | "$$tool/bin/uv" pip $(subst pyproject.toml --group build,-,$(COMPILE)) --output-file dev/constraints/uv.txt && \
	"$$tool/bin/uv" pip $(COMPILE) --extra dev --output-file dev/constraints/dev.txt && \
	"$$tool/bin/uv" pip $(COMPILE) --constraint dev/constraints/dev.txt --output-file dev/constraints/run-time.txt && \
	"$$tool/bin/uv" pip $(COMPILE) --extra spark --constraint dev/constraints/dev.txt --output-file dev/constraints/spark.txt && \
	"$$tool/bin/uv" pip $(COMPILE) --group libraries --output-file dev/constraints/libraries.txt && \
	"$$tool/bin/uv" pip $(COMPILE) --group retrievers --output-file dev/constraints/retrievers.txt && \
	"$$tool/bin/uv" pip $(COMPILE) dev/constraints/otter.in --constraint dev/constraints/dev.txt --output-file dev/constraints/otter.txt && \
	for name in questions release; do \
		"$$tool/bin/uv" pip $(subst pyproject.toml --group build,dev/constraints/$$name.in,$(COMPILE)) \
		--output-file dev/constraints/$$name.txt || exit; \
	done && \
	for group in $(GROUPS) tensorflow-ranking; do \
		"$$tool/bin/uv" pip $(subst pyproject.toml --group build,dev/constraints/libraries-$$group.in,$(COMPILE)) \
		$$(case $$group in light | tensorflow-ranking) echo --no-deps;; esac) \
		--output-file dev/constraints/libraries-$$group.txt || exit; \
	done && \
	"$$tool/bin/uv" pip $(filter-out --generate-hashes,$(COMPILE)) --extra all --extra site --extra dask \
	--resolution lowest-direct --no-deps --output-file "$$tool/lowest.in" >/dev/null && \
	cp dev/constraints/dev.txt dev/constraints/lowest.txt && \
	"$$tool/bin/uv" pip $(COMPILE) --extra dev --constraint "$$tool/lowest.in" --output-file dev/constraints/lowest.txt

RELEASE := $(VENV)/release
$(RELEASE)/installed.stamp: dev/constraints/release.txt
	@$(INSTALL) $(RELEASE) dev/constraints/release.txt --no-project
	@touch $@

.PHONY: release
release: $(DEV) $(RELEASE)/installed.stamp ## build dist/ twice, look at it, try it on each Python, with checksums and an SBOM
	@$(BIN)/python -m dev.tools.release $(RELEASE)/bin $(if $(TAG),--tag $(TAG)) $(if $(REHEARSE),--rehearse)

.PHONY: paper
paper: $(RELEASE)/installed.stamp ## make build/paper.pdf of dev/paper/paper.md (needs chromium)
	@mkdir -p build
	@cd dev/paper && ../../$(RELEASE)/bin/python -c "import pypandoc; pypandoc.convert_file('paper.md', 'html5', \
		outputfile='../../build/paper.html', extra_args=['--citeproc', '--mathml', '--standalone'])"
	@chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer \
		--print-to-pdf=build/paper.pdf build/paper.html 2>/dev/null
	@echo build/paper.pdf

.PHONY: public
public: $(DEV) ## accept a change of the public interface, and print it
	@$(BIN)/python -m dev.tools.public

SCHEMA = $(RELEASE)/bin/check-jsonschema --builtin-schema vendor
.PHONY: workflows
workflows: $(RELEASE)/installed.stamp ## check the workflows, the forms and the citation against their schemas
	@$(SCHEMA).github-workflows .github/workflows/*.yml
	@$(SCHEMA).github-actions dev/ci/action.yml
	@$(SCHEMA).github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
	@$(SCHEMA).citation-file-format CITATION.cff
	@$(SCHEMA).gitlab-ci dev/ci/gitlab.yml
	@$(SCHEMA).readthedocs dev/site/.readthedocs.yaml

.PHONY: ci
ci: ## all that has to hold, as .ci/run runs it
	.ci/run

.PHONY: clean
clean: ## remove the environment, caches and builds
	rm -rf $(VENV) build dist htmlcov .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
