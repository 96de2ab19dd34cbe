#!/usr/bin/env bash
# Renders sample ranges in parallel, with GNU parallel or make, and merges them: parallel_render.sh SCENE.vpk -o OUT.vpf --samples FIRST:COUNT [options]
#
#   --engine E          parallel (GNU parallel, the default if installed) or make
#   --tasks N           number of films (8); or --chunk N, samples per film; multiples of 64 are best for long steps
#   --jobs N            tasks at the same time (all cores); each gets an equal share of the cores unless -j gives its threads
#   --parallel "OPTIONS" options of GNU parallel, such as --sshloginfile HOSTS on a shared file system
#   --folder DIR        folder for the tasks' films, logs and job.sh (OUT.vpf.parts)
#   --missing DIR       run the tasks that are missing in this folder, with the options stored there: DIR/job.sh is executed, so name only
#                       folders that you trust
#   --dry-run           print the commands without running them
#
# Other options are passed to volrender (--time-limit, camera, ...); -o may be repeated and name images. The same command again runs only the
# missing tasks.
# Uses the tools on PATH, else those in build/. Exit status: 0 merged, 1 tasks are missing, 2 usage, 3 input, 4 system.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=pipelines/range_job.sh
. "$here/range_job.sh"

dry_run=no engine='' jobs='' threads='' parallel_options=() share=()
# shellcheck disable=SC2034 # `taken` is range_job.sh's
take_option() {
    case $1 in
        --dry-run) dry_run=yes taken=1 ;;
        --engine | --jobs | --parallel)
            [[ $# -gt 1 ]] || refuse 2 "$1 needs a value"
            case $1 in
                --engine) engine=$2 ;;
                --jobs) need_number "$1" "$2" && jobs=$2 ;;
                --parallel) read -ra parallel_options <<<"$2" ;;
            esac
            taken=2
            ;;
        -j | -j?* | --threads | --threads=*) threads=given ;;
    esac
}
parse_job "$@"
if [[ -z $engine ]]; then engine=$(command -v parallel >/dev/null && echo parallel || echo make); fi
case $engine in parallel | make) ;; *) refuse 2 "--engine '$engine' is neither parallel nor make" ;; esac
[[ $dry_run == yes ]] || command -v "$engine" >/dev/null || refuse 4 "there is no $engine on PATH; install it, or choose the other --engine"
jobs=${jobs:-$(nproc)}
start_job
# Not stored in the job: another engine or machine may continue it.
if [[ -n $missing_of && " ${RENDER[*]}" =~ \ (-j|--threads) ]]; then threads=given; fi
if [[ -z $threads ]]; then share=(-j "$((jobs < $(nproc) ? $(nproc) / jobs : 1))"); fi
find_missing

# Indices, one per line.
list_tasks() {
    tr ',' '\n' <<<"$missing" | while IFS=- read -r first last; do
        if [[ -n $first ]]; then seq "$first" "${last:-$first}"; fi
    done
}
# After SIGTERM a task writes its film, which takes longer than GNU parallel's default delay of 0.2 s.
if [[ $engine == parallel ]]; then
    runner=(parallel --jobs "$jobs" --termseq 'TERM,60000,KILL,25' --joblog "$FOLDER/log/parallel.log" "${parallel_options[@]}" --quote bash "$here/render_range.sh" "$FOLDER" "{}" none "${share[@]}")
else
    runner=(make --no-print-directory -k -j "$jobs" -f "$here/ranges.mk")
fi
if [[ $dry_run == yes ]]; then
    printf '%q ' "${runner[@]}"
    printf '# tasks %s\n' "$missing"
    printf '%q ' bash "$here/merge_ranges.sh" "$FOLDER" "$here/parallel_render.sh"
    echo
    exit 0
fi

# The engine's exit status is ignored: the merge reports the failed tasks. The engine has its own process group, so that it receives a signal to
# this script and a Ctrl-C alike, once.
export VOLPT_RANGE_SCRIPT=$here/render_range.sh VOLPT_RANGE_FOLDER=$FOLDER VOLPT_RANGE_OPTIONS="${share[*]}"
if [[ -n $missing ]]; then
    list_tasks >"$FOLDER/log/tasks"
    set -m
    "${runner[@]}" <"$FOLDER/log/tasks" &
    engine_process=$!
    set +m
    trap 'kill -TERM "$engine_process" 2>/dev/null || true' TERM INT
    while { wait "$engine_process" || true; } && kill -0 "$engine_process" 2>/dev/null; do :; done
fi
exec bash "$here/merge_ranges.sh" "$FOLDER" "$here/parallel_render.sh"
