# `make demo` opens the program, `make test` runs its tests. The rest is for those who change it.
# PYTHON may name an interpreter; otherwise the first one that is new enough is used.
PYTHON ?= $(or $(shell for p in python3 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done),python3)
RUN := .venv/bin/
JOBS ?= 2

.PHONY: help program build demo test test-all test-core check bench pictures format clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

program: python ## make .venv with what the program needs to run (370 MB)
	@"$(PYTHON)" tools/bootstrap.py program

build: python ## make .venv with everything, for tests and checks too (1.5 GB)
	@"$(PYTHON)" tools/bootstrap.py

.PHONY: python
python:
	@command -v "$(PYTHON)" >/dev/null || \
	  { echo "liven: $(PYTHON) is not there. Python 3.11 or newer is needed; Debian: apt install python3 python3-venv python3-dev" >&2; exit 3; }

demo: program ## open two programs on one desktop; without a display, drive them and save a picture
	@$(RUN)liven demo

test: build ## run the tests that a newcomer needs, on two cores (JOBS=N for more or fewer)
	@$(RUN)python -m pytest -m "not slow" -n $(JOBS) --dist loadgroup

test-all: build test-core ## run every test, slow ones, a soak of half an hour and a campaign of faults too
	@LIVEN_SOAK_MINUTES=$${LIVEN_SOAK_MINUTES:-30} $(RUN)python -m pytest
	@$(RUN)python -m tests.chaos --minutes 3
	@$(RUN)python -m tools.core.mutants

test-core: build ## run the tests of the C core and of its Python binding under the sanitizers
	@$(RUN)python -m tools.core.sanitized_tests
	@$(RUN)python -m tools.core.binding_tests

check: build ## run every check that needs no test run: style, types, arrows, layout, budgets
	@$(RUN)python -m tools.check

bench: build ## run every measurement
	@$(RUN)python -m tools.bench_all

pictures: build ## make the pictures of the docs again
	@$(RUN)python -m tools.pictures.screenshots
	@$(RUN)python -m tools.pictures.screens.scenes
	@$(RUN)python -m tools.pictures.house_drawing
	@$(RUN)python -m tools.pictures.walks

format: build ## format Python and C
	@$(RUN)ruff check --fix-only -q . ; $(RUN)ruff format -q .
	@git ls-files '*.c' '*.h' | xargs $(RUN)clang-format -i

clean: ## remove everything that was made here
	@find . -path ./.venv -prune -o -name __pycache__ -type d -print0 | xargs -0 rm -rf
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
