# `make run` follows a game, `make test` tests. Both first set up the project's own environment, .venv, if anything changed.
#
# What a command is given beyond its usual: make test ARGS='-k floor', make lock ARGS=--upgrade
# Another Python than the first that works: make clean && make test PYTHON=/path/to/python

ARGS   :=
PYTHON := python3.13 python3.12 python3.11 python3

.DELETE_ON_ERROR:
.PHONY: help run test lint coverage trace train dev lock arm64 translations release audit clean FORCE

help:
	@echo 'make run       play at a simulated table, read it with a camera, show it in a browser'
	@echo 'make test      run the tests'
	@echo 'make lint      check style, types and import contracts'
	@echo 'make coverage  run the tests and show the lines they missed'
	@echo 'make trace     path-trace photographs for training, first (hours; optional)'
	@echo 'make train     train the networks anew'
	@echo 'make dev       only set up the environment'
	@echo 'make translations  gather sentences to translate, compile the catalogues'
	@echo 'make release   build the wheel and its bill of materials (CycloneDX) into dist'
	@echo 'make audit     see whether known faults concern what is pinned (asks an index)'
	@echo 'make lock      recompile the pinned requirements'
	@echo 'make arm64     see that everything pinned is there for a Pi'
	@echo 'make clean     remove everything that make made'

# Which game is played at the simulated table, and who plays: make run EDITION=azul-mini SEED=9 PLAYERS=Ann,Ben,Cleo
EDITION := azul
SEED    := 7
PLAYERS := Anna,Boris

run: .venv/.run
	@.venv/bin/azul run --camera simulated --edition $(EDITION) --seed $(SEED) --players $(PLAYERS) --dashboard $(ARGS)

test: .venv/.dev .venv/.browser
	@.venv/bin/python -m pytest -n auto $(ARGS) tests

lint: .venv/.dev
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo

coverage: .venv/.dev .venv/.browser
	@.venv/bin/coverage run -m pytest $(ARGS) tests
	@.venv/bin/coverage report

# Which family of networks is taught: a folder of models/ with a recipe.
FAMILY := azul

trace: build/tracing/.made
	@PYTHONPATH=. build/tracing/bin/python -m models.training.traced $(FAMILY) $(ARGS)

train: .venv/.train
	@.venv/bin/python -m models.training $(FAMILY) $(ARGS)

dev: .venv/.dev

clean:
	@rm -rf .venv build dist htmlcov .coverage .coverage.* .hypothesis
	@rm -rf .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# New sentences come into the catalogues empty; a test fails until they are translated and compiled.
CATALOGUES := companion/dashboard/translations
translations: .venv/.dev
	@mkdir -p build
	@.venv/bin/pybabel -q extract -F $(CATALOGUES)/babel.cfg -k say -k say_n:1,2 --no-location --sort-output \
	  -o build/messages.pot .
	@.venv/bin/pybabel -q update -i build/messages.pot -d $(CATALOGUES) --no-fuzzy-matching --ignore-obsolete
	@.venv/bin/pybabel -q compile -d $(CATALOGUES)

# The newest versions come only with ARGS=--upgrade; otherwise what is pinned stays pinned.
lock: .venv/.made
	@scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT; \
	uv=uv; \
	if ! uv --version >/dev/null 2>&1; then \
	  $(call quietly,.venv/bin/python -m venv "$$scratch/uv"); \
	  $(call quietly,"$$scratch/uv/bin/python" -m pip install uv); \
	  uv=$$scratch/uv/bin/uv; \
	fi; \
	for list in run dev training tracing release; do \
	  "$$uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	    --no-emit-index-url --no-emit-find-links $(ARGS) \
	    --output-file requirements/$$list.txt requirements/$$list.in || exit 1; \
	done

# The bill of materials lists what runs at a table, with versions and hashes.
release: .venv/.dev build/release/.made
	@rm -rf dist && mkdir -p dist
	@.venv/bin/python -m hatchling build --directory dist
	@build/release/bin/cyclonedx-py requirements requirements/run.txt --pyproject pyproject.toml --of JSON \
	  --output-reproducible --output-file dist/azul-companion.cdx.json
	@cd dist && sha256sum * > SHA256SUMS && cat SHA256SUMS

audit: build/release/.made
	@for list in run dev training; do \
	  build/release/bin/pip-audit --require-hashes --disable-pip --requirement requirements/$$list.txt || exit 1; \
	done

# Downloads, by their hashes, the wheels that a Pi with Python 3.13 would install; nothing is compiled there.
arm64: .venv/.dev
	@scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT; \
	.venv/bin/python -m pip --disable-pip-version-check download --quiet --require-hashes --only-binary=:all: --no-deps \
	  --python-version 3.13 --implementation cp --abi cp313 --abi abi3 --abi none \
	  $(foreach glibc,17 26 27 28 31 34 35 39 41,--platform manylinux_2_$(glibc)_aarch64) \
	  --platform manylinux2014_aarch64 --dest "$$scratch" --requirement requirements/run.txt && \
	echo "$$(ls "$$scratch" | wc -l) wheels for arm64, $$(du -sh "$$scratch" | cut -f1)"

# ------------------------------------------------------------------------------------------------------- set-up
# Stamps in .venv say what is done: .made (the environment exists); .run, .dev and .train (its packages are installed);
# .browser (a chromium is there).

# $(call quietly,command) says nothing unless the command fails.
quietly = said=$$($(1) 2>&1) || { printf '%s\n' "$$said" >&2; exit 1; }

# $(call install,list) installs only what is pinned by hash, then the project itself as it lies here.
define install
	@if uv --version >/dev/null 2>&1; then \
	  install='uv pip install --python .venv/bin/python'; \
	else \
	  install='.venv/bin/python -m pip install'; \
	  .venv/bin/python -m pip --version >/dev/null 2>&1 || { $(call quietly,.venv/bin/python -m ensurepip); }; \
	fi; \
	$(call quietly,$$install --require-hashes -r requirements/$(1).txt); \
	$(call quietly,$$install --no-deps --no-build-isolation --editable .)
endef

.venv/.run: .venv/.made requirements/run.txt pyproject.toml
	@echo 'Installing what the companion needs...'
	$(call install,run)
	@touch $@

# The dev list holds all of the run list, at the same versions.
.venv/.dev: .venv/.made requirements/run.txt requirements/dev.txt pyproject.toml
	@echo 'Installing what the tests need...'
	$(call install,dev)
	@touch .venv/.run $@

# So does the training list.
.venv/.train: .venv/.made requirements/run.txt requirements/training.txt pyproject.toml
	@echo 'Installing what training needs...'
	$(call install,training)
	@touch .venv/.run $@

# Blender comes for one version of Python only, and with another numpy than the companion's.
build/tracing/.made: requirements/tracing.txt
	@if ! python3.11 -c 'import venv' 2>/dev/null; then \
	  echo 'Tracing needs Python 3.11 as python3.11, with venv. Install it, then try again.' >&2; \
	  exit 1; \
	fi
	@echo 'Installing what tracing needs...'
	@rm -rf build/tracing && python3.11 -m venv build/tracing
	@$(call quietly,build/tracing/bin/python -m pip install --require-hashes -r $<)
	@touch $@

build/release/.made: requirements/release.txt .venv/.made
	@echo 'Installing what a release needs...'
	@rm -rf build/release && .venv/bin/python -m venv build/release
	@$(call quietly,build/release/bin/python -m pip install --require-hashes -r $<)
	@touch $@

# The dashboard is tested in the system's chromium; CHROMIUM names another one.
.venv/.browser: .venv/.made
	@if [ -z "$$CHROMIUM" ] && ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null; then \
	  if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
	    echo 'The tests need Chromium. Install it (sudo apt install chromium) or name one in CHROMIUM.' >&2; \
	    exit 1; \
	  fi; \
	  echo 'Installing chromium...'; \
	  $(call quietly,apt-get update); \
	  $(call quietly,DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium); \
	fi
	@touch $@

# An environment names its folder in its scripts, so one that was moved or copied, or lost its Python, is made anew.
STALE := $(shell [ "$$(cat .venv/.made 2>/dev/null)" = "$$(pwd -P)" ] && .venv/bin/python -c '' 2>/dev/null || echo FORCE)

# A Python counts only if it runs (a pyenv shim may exist without one behind it); one with venv and pip is preferred.
.venv/.made: $(STALE)
	@rm -rf .venv; \
	bare= whole= uv=; \
	for candidate in $(PYTHON); do \
	  path=$$("$$candidate" -c 'import sys; print(sys.executable) if sys.version_info >= (3, 11) else sys.exit(1)' \
	    2>/dev/null) || continue; \
	  bare=$${bare:-$$path}; \
	  if "$$path" -c 'import ensurepip, venv' 2>/dev/null; then whole=$$path; break; fi; \
	done; \
	if uv --version >/dev/null 2>&1; then uv=yes; fi; \
	if [ -z "$$bare$$uv" ]; then \
	  echo 'No Python 3.11 or newer was found (tried: $(PYTHON)). Install one, or uv, then try again.' >&2; \
	  exit 1; \
	fi; \
	if [ -z "$$whole$$uv" ]; then \
	  package=$$("$$bare" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'); \
	  if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
	    echo "$$bare cannot make environments. Install its venv (sudo apt install $$package), then try again." >&2; \
	    exit 1; \
	  fi; \
	  echo "Installing $$package..."; \
	  $(call quietly,apt-get update); \
	  $(call quietly,DEBIAN_FRONTEND=noninteractive apt-get install --yes "$$package"); \
	  whole=$$bare; \
	fi; \
	echo "Making .venv with $${whole:-$${bare:-a Python of uv}}..."; \
	if [ -n "$$uv" ]; then \
	  $(call quietly,uv venv --python "$${whole:-$${bare:->=3.11}}" .venv); \
	else \
	  $(call quietly,"$$whole" -m venv .venv); \
	fi; \
	pwd -P >$@

FORCE:
