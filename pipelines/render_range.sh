#!/usr/bin/env bash
# Renders one task of a job in sample ranges: render_range.sh FOLDER INDEX slurm|none [OPTIONS]. slurm_render.sh and parallel_render.sh start it.
#
# FOLDER/job.sh says what is rendered (range_job.sh writes it); the film is FOLDER/INDEX.vpf, five digits. A film that is there goes on
# where it stopped, one that is complete is left alone. On SIGTERM or SIGINT the samples done so far are written; with `slurm`, a job
# that Slurm still runs is then queued again.
# Exit status: 0 the film is complete, or Slurm has the task again; 1 it is not, and can go on; otherwise volrender's.
set -euo pipefail

# A function is read whole before it runs: the checkout may change under a task that takes hours.
main() {
    folder=$1 index=$2 scheduler=$3
    options=("${@:4}")
    # shellcheck disable=SC1091 # written by range_job.sh
    . "$folder/job.sh"
    # Slurm writes there itself.
    if [[ $scheduler == none ]]; then exec >>"$folder/log/$index.log"; fi
    PATH=$BIN:$PATH
    cd "$DIRECTORY"

    # shellcheck disable=SC2153 # of job.sh
    first=$((FIRST + index * CHUNK))
    # shellcheck disable=SC2153 # of job.sh
    count=$((FIRST + COUNT - first < CHUNK ? FIRST + COUNT - first : CHUNK))
    film=$folder/$(printf %05d "$index").vpf
    if [[ $count -le 0 ]]; then
        echo "render_range.sh: error: there is no task $index, all samples are in the tasks before it" >&2
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
        # A job that was cancelled, or that Slurm itself queues again, is no longer RUNNING: it is left as it is.
        [[ $(scontrol -o show job "$SLURM_JOB_ID") == *JobState=RUNNING* ]] || return 1
        scontrol requeue "$SLURM_JOB_ID"
    }

    # Of a run that was killed while it wrote; nobody else writes this film.
    rm -f "$film".tmp-*
    status=0
    paths_before=$(count_paths) || status=$?
    if [[ $status -eq 0 ]]; then
        echo "task $index: samples $first:$count are there"
        exit 0
    fi
    if [[ $status -gt 1 ]]; then exit "$status"; fi

    # Whoever stops a task may signal all of its processes or the shell alone, and volrender takes a second signal for "at once". So it gets
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
    tell_renderer # of a signal that came before it ran
    # A signal ends `wait`, not the renderer.
    while status=0 && { wait "$renderer" || status=$?; } && kill -0 "$renderer" 2>/dev/null; do :; done

    if [[ $stopped == no && $status -ne 0 ]]; then exit "$status"; fi
    status=0
    paths=$(count_paths) || status=$?
    if [[ $status -ne 1 ]]; then exit "$status"; fi
    echo "task $index: stopped at $paths paths; the film goes on from there"
    if [[ $stopped == no && $paths == "$paths_before" ]]; then
        echo "render_range.sh: error: $film: no sample was finished within --time-limit; give it more time" >&2
        exit 4
    fi
    if queue_again; then exit 0; fi
    exit 1
}
main "$@"
