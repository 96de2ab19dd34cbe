# Runs the tasks VOLPT_RANGE_TASKS of a job in sample ranges; pipelines/parallel_render.sh --engine make calls it.

TASKS := $(VOLPT_RANGE_TASKS)
.PHONY: all $(TASKS)

all: $(TASKS)

$(TASKS):
	@exec bash "$$VOLPT_RANGE_SCRIPT" "$$VOLPT_RANGE_FOLDER" $@ none $$VOLPT_RANGE_OPTIONS
