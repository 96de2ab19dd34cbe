#!/usr/bin/env bash
# Merges the films of a job in sample ranges, or prints the missing tasks: merge_ranges.sh FOLDER PROGRAM. Started by slurm_render.sh and
# parallel_render.sh; PROGRAM is the one of them that can run the missing tasks.
#
# Exit status: 0 merged; 1 tasks are missing and nothing was written; otherwise that of volmerge.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

folder=$1 program=$2
# shellcheck disable=SC1091,SC2153 # written by range_job.sh
. "$folder/job.sh"
PATH=$BIN:$PATH
cd "$DIRECTORY"

status=0
answer=$(volmerge "$folder" --expect "$FIRST:$COUNT" --chunk "$CHUNK" --heads-only) || status=$?
if [[ $status -eq 1 ]]; then
    tell() { sed -n "s/^$1: //p" <<<"$answer"; }
    missing=$(tell missing_tasks)
    if [[ -z $missing ]]; then
        tell deviation
        exit 1
    fi
    echo "missing_tasks: $missing"
    echo "$(tell missing_task_count) of $(((COUNT + CHUNK - 1) / CHUNK)) tasks are missing; nothing was written. Log files are in $folder/log."
    if [[ -n $(tell resumable_tasks) ]]; then echo "These were interrupted and will continue where they stopped: $(tell resumable_tasks)"; fi
    echo "To run the missing tasks and merge: bash $(printf '%q ' "$program" --missing "$folder")"
    exit 1
fi
if [[ $status -ne 0 ]]; then exit "$status"; fi

outputs=()
# shellcheck disable=SC2153 # of job.sh
for output in "${OUTPUTS[@]}"; do outputs+=(-o "$output"); done
exec volmerge "$folder" --expect "$FIRST:$COUNT" "${outputs[@]}" "${MERGE[@]}"
