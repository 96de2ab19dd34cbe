#!/usr/bin/env bash
# Sourced by slurm_render.sh and parallel_render.sh: reads the command line of a render in sample ranges and stores it as FOLDER/job.sh.
#
# parse_job WORDS... sets the variables of a job, or loads those of --missing FOLDER; start_job checks them and writes the folder;
# find_missing sets `missing` to the tasks that must run, in the form of sbatch --array (3,7-9); empty if there are none.
# The caller defines `take_option`, a function that reads one of its own options and sets `taken` to the number of words used.

# shellcheck source=pipelines/find_tools.sh
. "$(dirname "${BASH_SOURCE[0]}")/find_tools.sh"

# shellcheck disable=SC2034 # written to job.sh by name
job_variables=(BIN DIRECTORY VOLUME FIRST COUNT CHUNK OUTPUTS RENDER MERGE)
FOLDER='' VOLUME='' FIRST='' COUNT='' CHUNK='' OUTPUTS=() RENDER=() MERGE=()
tasks='' missing_of='' samples='' taken=0

# refuse STATUS TEXT: prints the error and exits with a status of docs/exit-status.md.
refuse() {
    echo "$(basename "$0"): error: $2" >&2
    exit "$1"
}

# need_number OPTION TEXT: a positive decimal integer.
need_number() { [[ $2 =~ ^[1-9][0-9]{0,9}$ ]] || refuse 2 "$1 '$2' is not a positive integer; give for example 8"; }

# usage [0]: prints the head of the caller's file, asked for, and exits with status 0; else as an error, with status 2.
usage() {
    if [[ ${1:-2} -ne 0 ]]; then exec >&2; fi
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit "${1:-2}"
}

parse_job() {
    if [[ $# -eq 0 ]]; then usage; fi
    while [[ $# -gt 0 ]]; do
        case $1 in
            --samples=* | --spp=* | --output=* | --tasks=* | --chunk=* | --folder=* | --missing=* | --exposure=* | --illuminant=* | \
                --sbatch=* | --merge-sbatch=* | --at-once=* | --engine=* | --jobs=* | --parallel=*)
                set -- "${1%%=*}" "${1#*=}" "${@:2}"
                ;;
            -o?*) set -- -o "${1#-o}" "${@:2}" ;;
        esac
        taken=0
        take_option "$@"
        if [[ $taken -gt 0 ]]; then
            shift "$taken"
            continue
        fi
        case $1 in
            --samples | --spp | -o | --output | --tasks | --chunk | --folder | --missing | --exposure | --illuminant)
                [[ $# -gt 1 ]] || refuse 2 "$1 needs a value"
                case $1 in
                    --samples) samples=$2 ;;
                    --spp) samples=0:$2 ;;
                    -o | --output) OUTPUTS+=("$2") ;;
                    --tasks) need_number "$1" "$2" && tasks=$2 ;;
                    --chunk) need_number "$1" "$2" && CHUNK=$2 ;;
                    --folder) FOLDER=$2 ;;
                    --missing) missing_of=$2 ;;
                    *) MERGE+=("$1" "$2") ;;
                esac
                shift 2
                ;;
            --reproducible)
                MERGE+=("$1") RENDER+=("$1")
                shift
                ;;
            --resume | --resume=* | --stop-at-de | --stop-at-de=* | --trials | --trials=*)
                refuse 2 "${1%%=*} has no meaning for a render in sample ranges; tasks resume their own films"
                ;;
            -h | --help) usage 0 ;;
            *.vpk)
                [[ -z $VOLUME ]] || refuse 2 "two volumes are given, $VOLUME and $1; name one"
                VOLUME=$1
                shift
                ;;
            *)
                RENDER+=("$1")
                shift
                ;;
        esac
    done
}

# Loads the job of --missing.
load_job() {
    [[ -z $VOLUME$samples$CHUNK$tasks$FOLDER && ${#OUTPUTS[@]}${#RENDER[@]}${#MERGE[@]} == 000 ]] ||
        refuse 2 "--missing takes volume, samples and options from the folder; give it alone"
    [[ -r $missing_of/job.sh ]] || refuse 3 "$missing_of: this is not the folder of a job; there is no job.sh in it"
    FOLDER=$(cd "$missing_of" && pwd)
    # shellcheck disable=SC1091 # written by start_job
    . "$FOLDER/job.sh"
}

# Sets FIRST, COUNT and CHUNK from the options.
split_samples() {
    [[ -n $samples ]] || refuse 2 "the samples are not given; give --samples FIRST:COUNT or --spp N"
    [[ $samples =~ ^([0-9]{1,10}:)?[1-9][0-9]{0,9}$ ]] || refuse 2 "--samples '$samples' cannot be read; give FIRST:COUNT, for example 0:4096"
    FIRST=0 COUNT=$((10#${samples##*:}))
    if [[ $samples == *:* ]]; then FIRST=$((10#${samples%%:*})); fi
    if [[ -n $tasks && -n $CHUNK ]]; then refuse 2 "--tasks and --chunk contradict each other; give one of the two"; fi
    tasks=${tasks:-8}
    if [[ -z $CHUNK ]]; then
        [[ $COUNT -ge $tasks ]] || refuse 2 "$COUNT samples cannot be split over $tasks tasks; give at most --tasks $COUNT"
        CHUNK=$(((COUNT + tasks - 1) / tasks))
    fi
}

# Checks the job and writes FOLDER/job.sh. An existing folder must be of the same job; its films are then used.
start_job() {
    local output text
    if [[ -n $missing_of ]]; then
        load_job
    else
        [[ -n $VOLUME ]] || refuse 2 "no volume (.vpk) is given"
        [[ -r $VOLUME ]] || refuse 3 "$VOLUME: cannot open: check the name and the permissions"
        [[ ${#OUTPUTS[@]} -gt 0 ]] || refuse 2 "no output is given; give -o OUT.vpf, -o IMAGE.png or both"
        split_samples
        FOLDER=$(realpath -m -- "${FOLDER:-${OUTPUTS[0]}.parts}")
        # shellcheck disable=SC2034 # written to job.sh by name
        BIN=$(cd "$(dirname "$(command -v volrender)")" && pwd) DIRECTORY=$PWD VOLUME=$(realpath -- "$VOLUME")
        for output in "${!OUTPUTS[@]}"; do
            OUTPUTS[output]=$(realpath -m -- "${OUTPUTS[output]}")
            [[ $(dirname "${OUTPUTS[output]}") != "$FOLDER" ]] || refuse 2 "${OUTPUTS[output]}: an output cannot be in the folder of the tasks' films"
        done
    fi
    # -g: job.sh is read in a function.
    text=$(declare -p "${job_variables[@]}" | sed 's/^declare /declare -g /')
    task_count=$(((COUNT + CHUNK - 1) / CHUNK))
    if [[ ${dry_run:-no} == yes || -n $missing_of ]]; then return; fi
    if [[ -e $FOLDER/job.sh ]] && ! cmp -s "$FOLDER/job.sh" - <<<"$text"; then
        refuse 2 "$FOLDER: the films there are of another job (see its job.sh); remove the folder, or give another one with --folder"
    fi
    # The outputs' folders are checked before the render, not after it.
    for output in "$FOLDER/log" "${OUTPUTS[@]%/*}"; do
        if ! mkdir -p "$output" 2>/dev/null || [[ ! -w $output ]]; then
            refuse 4 "$output: cannot be written; check the permissions and the space on the disk"
        fi
    done
    printf '%s\n' "$text" >"$FOLDER/job.sh" || refuse 4 "$FOLDER/job.sh: cannot be written; free some space"
}

find_missing() {
    local status=0
    missing=0-$((task_count - 1))
    if [[ ! -d $FOLDER ]]; then return; fi
    missing=$(volmerge "$FOLDER" --expect "$FIRST:$COUNT" --chunk "$CHUNK" --heads-only -q) || status=$?
    if [[ $status -gt 1 ]]; then exit "$status"; fi
    missing=$(sed -n 's/^missing_tasks: //p' <<<"$missing")
}
