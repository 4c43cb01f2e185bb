# Needs nothing but Python 3.11+ and make. `make` alone lists the targets.
PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
READY   := $(VENV)/.ready
EXTRAS  := usd,mesh,film,physics,studio,dev
SECONDS ?= 60
SOAK    ?= 600
HOURS   ?= 8
# pip's own version notices and cache warnings say nothing about walkon.
PIP     := PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_CONSTRAINT=constraints.txt $(BIN)/pip install --quiet

# Where byte code is not kept, each of the many processes below would parse the whole package again.
unexport PYTHONDONTWRITEBYTECODE

CAMPAIGN := PYTHONPATH=tools $(BIN)/python -m campaign

FIND_CHROMIUM := { [ -n "$$WALKON_CHROMIUM" ] || command -v chromium || command -v chromium-browser; } > /dev/null

.DEFAULT_GOAL := help
.PHONY: help setup demo studio studio-assets test lint types layers unit examples bench soak campaign fuzz check-blender pictures constraints clean

help: ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

setup: $(READY) ## create .venv with everything the other targets need

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "walkon needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "setting up $(VENV) (a minute or two, once)"
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) -e '.[$(EXTRAS)]' 2>&1 | { grep -v '^WARNING' || true; }
	@$(BIN)/python -c 'import walkon'
	@touch $@

demo: $(READY) ## the main job on the built-in motion; look in out/
	@$(BIN)/python tools/warm_up.py & $(BIN)/python examples/04_station.py; status=$$?; wait; exit $$status

studio: studio-assets ## a live crowd in the browser; make studio SCENE=file.toml
	@$(BIN)/walkon studio $(SCENE)

studio-assets: $(READY) ## bundle the studio's page (needs the network once)
	@$(BIN)/python tools/build_studio.py

test: lint ## everything that blocks a change
	@$(MAKE) --no-print-directory --jobs 2 unit types layers

lint: $(READY) ## style and likely mistakes
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --quiet --check . && echo "ruff: clean"

types: $(READY) ## static types
	@$(BIN)/pyright --warnings

layers: $(READY) ## rooms import only rooms to their left
	@$(BIN)/lint-imports --no-logo 2>/dev/null || $(BIN)/lint-imports

unit: $(READY) ## unit, property and reference tests, and every numbered example
	@$(BIN)/python tools/build_studio.py || echo "studio: NO BUNDLE, THE TESTS IN A BROWSER ARE SKIPPED"
	@$(FIND_CHROMIUM) || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && echo "installing chromium" && \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; } > /dev/null 2>&1; } || \
	  echo "studio: NO CHROMIUM HERE, THE TESTS IN A BROWSER ARE SKIPPED"
	@$(BIN)/pytest -n 2 --dist worksteal

examples: $(READY) ## every numbered example, headless
	@$(BIN)/pytest -n 2 tests/examples

bench: $(READY) ## every benchmark, as tables (minutes)
	@$(PIP) -e '.[bench]' 2>&1 | { grep -v '^WARNING' || true; }
	@for name in $$($(BIN)/walkon bench --list); do $(BIN)/walkon bench $$name || exit 1; done

soak: $(READY) ## crowds of all kinds for half an hour, and one live crowd for SOAK=600 seconds, audited
	@$(CAMPAIGN) --parts people --hours 0.5 --out out/soak
	@$(BIN)/python tools/soak_live.py --seconds $(SOAK)

campaign: $(READY) ## kills, failing disks, lost power, damaged files, crowds, all scenes: make campaign HOURS=8 PARTS=kills,fuzz
	@$(CAMPAIGN) --hours $(HOURS) $(if $(PARTS),--parts $(PARTS))

fuzz: $(READY) ## hammer the readers: make fuzz SECONDS=60
	@$(PIP) -e '.[fuzz]' 2>&1 | { grep -v '^WARNING' || true; }
	@for target in fuzz/fuzz_*.py; do $(BIN)/python $$target --seconds $(SECONDS) || exit 1; done

check-blender: $(READY) ## opt-in: does Blender put our joints where we do? (installs bpy in .venv-blender)
	@$(BIN)/python tools/check_blender.py

pictures: $(READY) ## make docs/pictures and docs/films again
	@$(BIN)/python tools/make_docs_pictures.py
	@$(BIN)/python tools/make_docs_films.py
	@$(BIN)/python tools/make_station_pictures.py
	@$(BIN)/python tools/make_classic_scenes.py
	@$(BIN)/python tools/make_bodies_pictures.py
	@$(BIN)/python tools/make_tree_pictures.py
	@$(BIN)/python tools/make_graph_pictures.py
	@$(BIN)/python tools/make_studio_pictures.py
	@$(BIN)/python tools/make_report_picture.py

constraints: $(READY) ## pin what is installed now
	@$(BIN)/python tools/pin_constraints.py

clean: ## remove everything that can be made again
	rm -rf $(VENV) .venv-blender out build dist .cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
