# Runs the tasks that FOLDER/log/tasks lists, of a job in sample ranges; pipelines/parallel_render.sh --engine make calls it.

TASKS := $(shell cat "$$VOLPT_RANGE_FOLDER/log/tasks")
.PHONY: all $(TASKS)

all: $(TASKS)

$(TASKS):
	@exec bash "$$VOLPT_RANGE_SCRIPT" "$$VOLPT_RANGE_FOLDER" $@ none $$VOLPT_RANGE_OPTIONS
