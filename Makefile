# The front door: `make demo` and `make test`. Everything else is for those who change the program.
# PYTHON may name an interpreter; otherwise the first one that is new enough.
PYTHON ?= $(or $(shell for p in python3 python3.13 python3.12 python3.11; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done),python3)
RUN := .venv/bin/

.PHONY: help build demo test test-all test-core check bench pictures format clean

help: ## shows this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

build: ## makes .venv and installs everything into it; quick when nothing changed
	@command -v "$(PYTHON)" >/dev/null || \
	  { echo "liven: $(PYTHON) is not there. Python 3.11 or newer is needed; Debian: apt install python3 python3-venv python3-dev" >&2; exit 3; }
	@"$(PYTHON)" tools/bootstrap.py

demo: build ## opens the program; without a display, drives it and saves a screenshot
	@$(RUN)liven demo

test: build ## runs the tests that a newcomer needs
	@$(RUN)python -m pytest -m "not slow"

test-all: build test-core ## runs every test, also what is slow; a soak of half an hour among them
	@LIVEN_SOAK_MINUTES=$${LIVEN_SOAK_MINUTES:-30} $(RUN)python -m pytest
	@$(RUN)python tools/core_mutants.py

test-core: build ## runs the C tests, and those of the Python face, under the sanitizers
	@$(RUN)python tools/core_tests.py
	@$(RUN)python tools/binding_tests.py

check: build ## runs every check that needs no test run: style, types, arrows, layout, budgets
	@$(RUN)python tools/check.py

bench: build ## runs every measurement
	@$(RUN)python tools/bench_all.py

pictures: build ## makes the pictures of the docs again
	@$(RUN)python tools/pictures.py

format: build ## puts Python and C into the one format
	@$(RUN)ruff check --fix-only -q . ; $(RUN)ruff format -q .
	@git ls-files '*.c' '*.h' | xargs $(RUN)clang-format -i

clean: ## removes everything that was made here
	@find . -path ./.venv -prune -o -name __pycache__ -type d -print0 | xargs -0 rm -rf
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
