# What seldom runs, or needs an environment of its own: `make suite SUITE=NAME` calls suite-NAME here.
# `make suite` lists them. CI runs most of them as its stages (.ci/run).

include Makefile

suite-%:
	@echo "there is no suite $*: make suite lists them" >&2; exit 2

# What is slow and seldom tells: a browser on every page, attacks on the sandbox, whole trainings.
MARKED = $(BIN)/python -m pytest -n $(JOBS) --suite=$(@:suite-%=%) tests $(ARGS)

.PHONY: suite-site suite-sandbox suite-learners suite-guide suite-lessons suite-exercises suite-faults
suite-site: $(DEV) ## a browser on the pages of the site and of the playground
	$(MARKED)
suite-sandbox: $(DEV) ## attacks on the sandbox of the grader
	$(MARKED) --dist loadgroup # tests of one group share what they stand on: one process has them all
suite-learners: $(DEV) ## whole trainings of rankers and recommenders
	$(MARKED)
suite-lessons: $(DEV) ## what the chapters conclude from random data, under 30 seeds, and cells run again (ARGS="-k 06")
	$(MARKED)
suite-exercises: $(DEV) ## changed solutions of the exercises: none passes for a right one (ARGS="-k 08")
	$(MARKED)
suite-faults: $(DEV) ## full disks, errors and signals at each system call of all writers (half an hour)
	$(MARKED)
suite-guide: $(DEV) ## CONTRIBUTING walked in a copy, all mutants that a function is told from, all guessers, slow rules
	$(MARKED)

.PHONY: suite-fast
suite-fast: $(DEV) ## the tests not marked slow
	$(BIN)/python -m pytest -n $(JOBS) -m "not slow" $(ARGS)

# What others have: a clone with neither the documents nor the data of others beside it. Whatever is
# skipped there, but for the tests that read these, is a failure.
.PHONY: suite-clone
suite-clone: $(DEV) ## the tests not marked slow, in a clone of the last commit, without ../shared
	@rm -rf build/clone && mkdir -p build/clone && git clone -q . build/clone/irmetrics-edu
	cd build/clone/irmetrics-edu && EXAMPLES=few NO_SKIPS=1 PYTHONPATH=. $(abspath $(BIN))/python -m pytest -n $(JOBS) \
		-m "not slow" --irm-table=no $(ARGS)

.PHONY: suite-notebooks
suite-notebooks: $(DEV) ## run the notebooks and compare all stored outputs (ARGS="-k NN_topic")
	$(NBVAL) notebooks $(ARGS)

.PHONY: suite-coverage
suite-coverage: $(DEV) ## all tests, with branch coverage and its lower bound
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term $(ARGS)

.PHONY: suite-limits
suite-limits: $(DEV) ## how inputs grow and the worst of 1 MB: writes docs/limits.md (ARGS=--hostile: try alone)
	$(BIN)/python -m tests.limits $(ARGS)

.PHONY: suite-gate-matrix
suite-gate-matrix: $(DEV) ## try gates on each break of an engine, and write what they stop (minutes)
	$(BIN)/python -W ignore -m dev.benchmarks.gate_matrix --write $(ARGS)

.PHONY: suite-vector-mutants
suite-vector-mutants: $(DEV) ## change what makes the test vectors in 880 small ways, and say how many a vector tells
	$(BIN)/python -m tests.mutants.of_vectors --jobs $(JOBS) $(ARGS)

.PHONY: suite-machines
suite-machines: $(DEV) ## compare all outputs as other processors compute them (ARGS=--all: all tests)
	$(BIN)/python -m tests.machines --jobs $(JOBS) $(ARGS)

# Beside the checks of `make test`, the pages have those of axe-core, which npm fetches here.
AXE := build/axe/package/axe.min.js
$(AXE):
	@mkdir -p build/axe
	npm pack --silent --pack-destination build/axe axe-core@4.14.1
	tar -xzf build/axe/axe-core-4.14.1.tgz -C build/axe -m package/axe.min.js

.PHONY: suite-axe
suite-axe: $(DEV) $(AXE) ## check every page of the site with axe-core (needs npm, which fetches it)
	$(BIN)/python -m tests.site.axe $(AXE)

# The DTD of QTI 1.2.1, which pyslet carries, validates the bank for Canvas.
QUESTIONS := $(VENV)/questions
$(QUESTIONS)/installed.stamp: dev/constraints/questions.txt
	@$(INSTALL) $(QUESTIONS) dev/constraints/questions.txt --no-project
	@touch $@

.PHONY: suite-questions
suite-questions: $(DEV) $(QUESTIONS)/installed.stamp ## let a DTD validate 300 questions
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

.PHONY: suite-otter
suite-otter: $(DEV) $(OTTER)/installed.stamp ## let Otter-Grader grade an exercise by our test files
	$(BIN)/python -m tests.exercises.otter $(abspath $(OTTER)/bin/otter)

.PHONY: suite-spelling
suite-spelling: $(DEV) ## check the spelling of all texts (needs hunspell and hunspell-en-gb)
	CI=true $(BIN)/python -m pytest --suite=site tests/site/test_spelling.py -q $(ARGS)

# pyspark is 450 MB, so it is not among the tools; this alone needs it.
SPARK := $(VENV)/spark.stamp
$(SPARK): dev/constraints/spark.txt $(DEV)
	@$(INSTALL) $(VENV) dev/constraints/spark.txt --no-project
	@touch $@

.PHONY: suite-spark
suite-spark: $(SPARK) ## test the Spark adapter (needs Java; installs pyspark)
	$(BIN)/python -m pytest tests/distributed/test_spark.py -p no:cacheprovider $(ARGS)

# The lowest versions that pyproject.toml admits, beside the pinned tools. pytest 8.0 is among them,
# so the plugin's slow tests run too, less those that bring a pytest or a mypy of their own, and the
# sessions over broken files, which take minutes and ask nothing else of pytest. What asks of texts,
# pages and our own tools hangs on no version that pyproject.toml admits. Properties get few examples.
LOWEST := $(VENV)/lowest
OF_TEXTS := benchmarks course mutants playground questions site
.PHONY: suite-lowest
suite-lowest: ## run the fast tests with the lowest versions admitted (an environment of its own)
	@for python in $(PYTHON) python3.11 python3.12; do \
		"$$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))' 2>/dev/null || continue; \
		EXAMPLES=few $(OTHER) suite SUITE=fast VENV=$(LOWEST) PINS=dev/constraints/lowest.txt INSTALL_OPTIONS=--wheels PYTHON="$$python" \
			ARGS="$(OF_TEXTS:%=--ignore=tests/%) $(ARGS)" && \
		exec $(LOWEST)/bin/python -m pytest tests/plugin -n $(JOBS) -m slow -k "not broken_file" $(ARGS) \
			--ignore=tests/plugin/test_as_a_stranger.py --ignore=tests/plugin/test_types.py; \
		exit; \
	done; \
	echo 'The lowest versions have wheels for Python 3.11 and 3.12 alone, and neither was found:' \
		'name one, make suite SUITE=lowest PYTHON=python3.11'; exit 1

# A name on the path may be a stand-in that only says which version is missing: it has to run.
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
HOW ?= fast
.PHONY: suite-pythons
suite-pythons: ## run the fast tests with every Python found (an environment each; PYTHONS="...", HOW=clone)
	@missing=""; for python in $(PYTHONS); do \
		version=$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || \
			{ missing="$$missing $$python"; continue; }; \
		echo "Python $$version ($$python)"; \
		$(OTHER) suite SUITE=$(HOW) VENV=$(VENV)/$$version PYTHON="$$python" || exit; \
	done; \
	[ -z "$$missing" ] || echo "Not found, and so not tested:$$missing"

# Each run draws other examples, and says how to draw them again. What it finds becomes an @example.
SEED ?=
.PHONY: suite-thorough
suite-thorough: $(DEV) ## try 500 new examples of every property (SEED=N repeats a run)
	@seed=$(SEED); : $${seed:=$$($(BIN)/python -c 'import secrets; print(secrets.randbelow(2**32))')}; \
	echo "seed $$seed"; \
	$(BIN)/python -m pytest -n $(JOBS) -m hypothesis --hypothesis-profile=thorough \
		--hypothesis-seed=$$seed $(ARGS) || \
	{ code=$$?; echo "To repeat it: make suite SUITE=thorough SEED=$$seed"; exit $$code; }

# rankerEval reads np.NaN, which numpy 2 has no more, and ranx brings numba: an environment apart,
# for Python 3.11 and 3.12, the last that numpy 1 has wheels for. numba compiles for a minute.
LIBRARIES := $(VENV)/libraries
$(LIBRARIES)/installed.stamp: pyproject.toml dev/constraints/libraries.txt
	@$(INSTALL) $(LIBRARIES) dev/constraints/libraries.txt
	@touch $@

.PHONY: suite-libraries-compiled
suite-libraries-compiled: $(LIBRARIES)/installed.stamp ## compare ranx and rankerEval live (installs 500 MB)
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

.PHONY: suite-libraries-light
suite-libraries-light: $(VENV)/libraries-light/installed.stamp ## compare fifteen libraries live (installs 1.4 GB)
	$(call ASKED,light,$(VENV)/libraries-light)

.PHONY: suite-libraries-torch
suite-libraries-torch: $(VENV)/libraries-torch/installed.stamp ## compare those that need PyTorch (installs 6 GB)
	$(call ASKED,torch,$(VENV)/libraries-torch)

.PHONY: suite-libraries-jax
suite-libraries-jax: $(VENV)/libraries-jax/installed.stamp ## compare Rax and KerasRS (installs 700 MB)
	$(call ASKED,jax,$(VENV)/libraries-jax)

.PHONY: suite-libraries-tensorflow
suite-libraries-tensorflow: $(VENV)/libraries-tensorflow/installed.stamp ## compare TF-Ranking (installs 1.4 GB)
	@$(INSTALL) $(VENV)/libraries-tensorflow dev/constraints/libraries-tensorflow-ranking.txt --no-project
	$(call ASKED,tensorflow,$(VENV)/libraries-tensorflow)

.PHONY: suite-libraries-spark
suite-libraries-spark: $(SPARK) ## compare PySpark's RankingMetrics (needs Java; installs pyspark)
	$(call ASKED,spark,$(VENV))

.PHONY: suite-libraries-newest
suite-libraries-newest: $(DEV) ## ask the newest releases, and print which bundle no longer holds (installs each apart)
	@$(BIN)/python -m tests.libraries.newest $(NAMES)

.PHONY: suite-libraries
suite-libraries: suite-libraries-compiled suite-libraries-spark $(GROUPS:%=suite-libraries-%) ## all groups of libraries

# The clients of retrievers, 600 MB: an environment apart.
RETRIEVERS := $(VENV)/retrievers
$(RETRIEVERS)/installed.stamp: pyproject.toml dev/constraints/retrievers.txt
	@$(INSTALL) $(RETRIEVERS) dev/constraints/retrievers.txt
	@touch $@

.PHONY: suite-retrievers
suite-retrievers: $(RETRIEVERS)/installed.stamp ## ask real retrievers, and gate a sample RAG (installs 600 MB)
	$(RETRIEVERS)/bin/python -m pytest tests/collecting -p no:cacheprovider $(ARGS)

.PHONY: libraries-environment
libraries-environment: $(LIBRARIES)/installed.stamp # for the benchmark

SCHEMA = $(RELEASE)/bin/check-jsonschema --builtin-schema vendor
.PHONY: suite-workflows
suite-workflows: $(RELEASE)/installed.stamp ## check the workflows, the forms and the citation against their schemas
	@$(SCHEMA).github-workflows .github/workflows/*.yml
	@$(SCHEMA).github-actions dev/ci/action.yml
	@$(SCHEMA).github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
	@$(SCHEMA).citation-file-format CITATION.cff
	@$(SCHEMA).gitlab-ci dev/ci/gitlab.yml
	@$(SCHEMA).readthedocs dev/site/.readthedocs.yaml

.PHONY: suite-paper
suite-paper: $(RELEASE)/installed.stamp ## make build/paper.pdf of dev/paper/paper.md (needs chromium)
	@mkdir -p build
	@cd dev/paper && ../../$(RELEASE)/bin/python -c "import pypandoc; pypandoc.convert_file('paper.md', 'html5', \
		outputfile='../../build/paper.html', extra_args=['--citeproc', '--mathml', '--standalone'])"
	@chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer \
		--print-to-pdf=build/paper.pdf build/paper.html 2>/dev/null
	@echo build/paper.pdf
