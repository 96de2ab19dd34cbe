# Makes the films, figures and the curve of a sweep; pipelines/sweep.sh calls it and says what NAMES, INPUTS, TARGET and QUANTITY are.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.SECONDARY:
export PYTHONDONTWRITEBYTECODE := 1
HERE := $(dir $(lastword $(MAKEFILE_LIST)))
FILMS := $(NAMES:%=$(OUT)/%.vpf)
# The first interpreter that has matplotlib; without one, the figures alone.
PYTHON := $(or $(shell for p in python3 /usr/bin/python3; do $$p -c 'import matplotlib' 2>/dev/null && { echo $$p; break; }; done),python3)

all: $(OUT)/sweep.csv

$(OUT)/%.vpk: $(OUT)/%.pack $(INPUTS)
	@xargs -a '$<' volprep -q -o '$@' >/dev/null

# What it says (the estimate, a line of progress every ten seconds) gets the value's name in front.
$(OUT)/%.vpf $(OUT)/%.png $(OUT)/%.pfm &: $(OUT)/%.vpk $(OUT)/view.options
	@xargs -a '$(OUT)/view.options' volrender '$<' -j $(THREADS) -o '$(OUT)/$*.vpf' -o '$(OUT)/$*.png' -o '$(OUT)/$*.pfm' 2>&1 >/dev/null | sed -u 's/^/$*: /' >&2
	@echo '$*: rendered'

$(OUT)/%.json: $(OUT)/%.vpf
	@volinfo '$<' --json >'$@'

# Status 1 says that they differ, as they should.
$(OUT)/%.difference.json: $(OUT)/%.vpf $(TARGET)
	@volcompare '$<' '$(TARGET)' $(if $(filter %.vpf,$(TARGET)),,--resample area) --metric de2000 --json -q >'$@' || [[ $$? -eq 1 ]]

$(OUT)/sweep.csv: $(NAMES:%=$(OUT)/%.json) $(NAMES:%=$(OUT)/%.pfm) $(NAMES:%=$(OUT)/%.difference.json)
	@'$(PYTHON)' '$(HERE)sweep_curve.py' '$(OUT)' '$(QUANTITY)' '$(TARGET)' $(NAMES)
