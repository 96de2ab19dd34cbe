#!/usr/bin/env bash
# Renders on a Slurm cluster, as a job array of sample ranges followed by a merge: slurm_render.sh SCENE.vpk -o OUT.vpf --samples FIRST:COUNT [options]
#
#   --tasks N           tasks of the array (8); or --chunk N, samples per task; multiples of 64 are best for long steps
#   --sbatch "OPTIONS"  options of sbatch for the tasks (--partition, --time, --gpus-per-task=1, --signal, ...) and, without --merge-sbatch, the merge
#   --at-once N         maximum number of tasks that run at the same time
#   --folder DIR        folder for the tasks' films, logs and job.sh (OUT.vpf.parts)
#   --missing DIR       run the tasks that are missing in this folder, with the options stored there: DIR/job.sh is executed, so name only
#                       folders that you trust
#   --wait              wait until the merge has ended, and return its exit status
#   --dry-run           print the scripts that would be submitted
#
# Other options are passed to volrender (--time-limit, -j, camera, ...); -o may be repeated and name images. The same command again runs only the
# missing tasks.
# A task that is preempted or approaches its --time (SIGTERM one minute before) writes its film and is queued again; see docs/cluster.md.
# Uses the tools on PATH, else those in build/. Exit status: 0 submitted (--wait: merged), 1 (--wait) tasks are missing, 2 usage, 3 input, 4 Slurm refused.
set -euo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=pipelines/range_job.sh
. "$here/range_job.sh"

dry_run=no wait=no at_once='' task_options=() merge_options=()
# shellcheck disable=SC2034 # `taken` is range_job.sh's
take_option() {
    case $1 in
        --dry-run) dry_run=yes taken=1 ;;
        --wait) wait=yes taken=1 ;;
        --sbatch | --merge-sbatch | --at-once)
            [[ $# -gt 1 ]] || refuse 2 "$1 needs a value"
            case $1 in
                --sbatch) read -ra task_options <<<"$2" ;;
                --merge-sbatch) read -ra merge_options <<<"$2" ;;
                --at-once) need_number "$1" "$2" && at_once=%$2 ;;
            esac
            taken=2
            ;;
    esac
}
parse_job "$@"
[[ $dry_run == yes ]] || command -v sbatch >/dev/null || refuse 4 "there is no sbatch on PATH; run this on a machine with Slurm, or use parallel_render.sh"
start_job
if [[ ${#merge_options[@]} -eq 0 ]]; then merge_options=("${task_options[@]}"); fi
find_missing
name=$(basename "${OUTPUTS[0]}")

# Preemption signals every process, --signal=B only the shell: render_range.sh handles both.
array=(--array="$missing$at_once" --job-name="$name" --output="$FOLDER/log/%a.log" --open-mode=append --requeue --signal=B:TERM@60)
task_script="#!/bin/bash
exec bash $(printf '%q ' "$here/render_range.sh" "$FOLDER")\"\$SLURM_ARRAY_TASK_ID\" slurm"
merge=(--job-name="$name-merge" --output="$FOLDER/log/merge.log" --open-mode=truncate)
merge_script="#!/bin/bash
exec bash $(printf '%q ' "$here/merge_ranges.sh" "$FOLDER" "$here/slurm_render.sh")"

if [[ $dry_run == yes ]]; then
    if [[ -n $missing ]]; then
        printf '# sbatch %s\n%s\n\n' "$(printf '%q ' "${array[@]}" "${task_options[@]}")" "$task_script"
        merge+=(--dependency=afterany:ARRAY)
    fi
    printf '# sbatch %s\n%s\n' "$(printf '%q ' "${merge[@]}" "${merge_options[@]}")" "$merge_script"
    exit 0
fi

submit() { sbatch --parsable "$@" || refuse 4 "Slurm refused the job; see its message above"; }
array_job=''
if [[ -n $missing ]]; then
    last=${missing##*[,-]}
    largest=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *//p')
    if [[ -n $largest && $last -ge $largest ]]; then
        refuse 2 "task $last exceeds this cluster's MaxArraySize, $largest; give at most --tasks $largest"
    fi
    array_job=$(submit "${array[@]}" "${task_options[@]}" <<<"$task_script")
    array_job=${array_job%%;*}
    echo "array_job: $array_job"
    echo "tasks: $missing"
    # afterany, not afterok: the merge must run and report the missing tasks even if a task failed.
    merge+=(--dependency="afterany:$array_job")
fi
if [[ $wait == yes ]]; then merge+=(--wait); fi
status=0
merge_job=$(sbatch --parsable "${merge[@]}" "${merge_options[@]}" <<<"$merge_script") || status=$?
if [[ -z $merge_job ]]; then
    if [[ -n $array_job ]]; then scancel "$array_job"; fi
    refuse 4 "Slurm refused the merge, so its array was cancelled; see its message above"
fi
echo "merge_job: ${merge_job%%;*}"
echo "folder: $FOLDER"
if [[ $wait == no ]]; then exit 0; fi
cat "$FOLDER/log/merge.log"
exit "$status"
