#!/usr/bin/env bash
# Renders one task of a job in sample ranges: render_range.sh FOLDER INDEX slurm|none [OPTIONS]. Started by slurm_render.sh and parallel_render.sh.
#
# FOLDER/job.sh, written by range_job.sh, describes the job; the film is FOLDER/INDEX.vpf, with five digits. An interrupted film is
# continued, a complete one is left as it is. On SIGTERM or SIGINT the samples done so far are written; with `slurm`, a task that Slurm
# still considers running is then queued again.
# Exit status: 0 the film is complete, or the task is queued again; 1 it is incomplete and can be continued; otherwise that of volrender.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

# In a function, because bash reads it whole before it runs: the checkout may change during a task of hours.
main() {
    folder=$1 index=$2 scheduler=$3
    options=("${@:4}")
    # shellcheck disable=SC1091 # written by range_job.sh
    . "$folder/job.sh"
    # Slurm writes the log itself.
    if [[ $scheduler == none ]]; then exec >>"$folder/log/$index.log"; fi
    PATH=$BIN:$PATH
    cd "$DIRECTORY"

    # shellcheck disable=SC2153 # of job.sh
    first=$((FIRST + index * CHUNK))
    # shellcheck disable=SC2153 # of job.sh
    count=$((FIRST + COUNT - first < CHUNK ? FIRST + COUNT - first : CHUNK))
    film=$folder/$(printf %05d "$index").vpf
    if [[ $count -le 0 ]]; then
        echo "render_range.sh: error: there is no task $index; the tasks before it have all samples" >&2
        exit 2
    fi

    # count_paths: paths in the film, 0 without one; status 0 if it is complete, 1 if not.
    count_paths() {
        local answer status=0
        if [[ ! -e $film ]]; then
            echo 0
            return 1
        fi
        answer=$(volmerge "$film" --expect "$first:$count" --heads-only -q) || status=$?
        sed -n 's/^paths: //p' <<<"$answer"
        return "$status"
    }

    queue_again() {
        [[ $scheduler == slurm ]] || return 1
        # A job that was cancelled, or that Slurm queues again itself, is no longer RUNNING: it is left as it is.
        [[ $(scontrol -o show job "$SLURM_JOB_ID") == *JobState=RUNNING* ]] || return 1
        scontrol requeue "$SLURM_JOB_ID"
    }

    # Left by a run that was killed while writing; no other process writes this film.
    rm -f "$film".tmp-*
    status=0
    paths_before=$(count_paths) || status=$?
    if [[ $status -eq 0 ]]; then
        echo "task $index: samples $first:$count are there"
        exit 0
    fi
    if [[ $status -gt 1 ]]; then exit "$status"; fi

    # A task may be stopped by a signal to all of its processes or to the shell alone, and a second signal ends volrender at once. So it gets
    # one, from here: SIGTERM is blocked, and a terminal's SIGINT does not reach a process group of its own. Slurm, some of which find a job's
    # processes by their group, has no terminal.
    stopped=no told=no renderer=''
    tell_renderer() {
        if [[ $stopped == no || $told == yes || -z $renderer ]]; then return; fi
        told=yes
        kill -INT "$renderer" 2>/dev/null || true
    }
    trap 'stopped=yes; tell_renderer' TERM INT
    resume=()
    if [[ -e $film ]]; then resume=(--resume "$film"); fi
    if [[ $scheduler == none ]]; then set -m; fi
    env --default-signal=INT --block-signal=TERM volrender "$VOLUME" --samples "$first:$count" -o "$film" "${resume[@]}" "${RENDER[@]}" "${options[@]}" &
    renderer=$!
    set +m
    tell_renderer # in case a signal arrived before it ran
    # A signal ends `wait`, not the renderer.
    while status=0 && { wait "$renderer" || status=$?; } && kill -0 "$renderer" 2>/dev/null; do :; done

    if [[ $stopped == no && $status -ne 0 ]]; then exit "$status"; fi
    status=0
    paths=$(count_paths) || status=$?
    if [[ $status -ne 1 ]]; then exit "$status"; fi
    echo "task $index: stopped at $paths paths; the film will be continued from there"
    if [[ $stopped == no && $paths == "$paths_before" ]]; then
        echo "render_range.sh: error: $film: no sample was finished within --time-limit; give it more time" >&2
        exit 4
    fi
    if queue_again; then exit 0; fi
    exit 1
}
main "$@"
