#!/usr/bin/env bash
# Runs every GPU kernel over small scenes, holds each film to the CPU's to the last bit, and prints one table.
#
# gpu_checks.sh --volumes FOLDER [--bin FOLDER] [--sanitizer on|off] [--device cuda|cpu]
# FOLDER holds packed volumes (.vpk; small ones: each is rendered three times by every kernel). Needs the installed programs, on PATH
# or in --bin, and neither a compiler nor a network. test_kernels and compute-sanitizer are run where they are found, else counted
# as skipped. --device cpu tries the script itself, on the CPU's kernels. Exit status: 0 all passed, 1 something failed, 2 usage,
# 4 no GPU.
set -uo pipefail

fail_usage() { echo "gpu_checks: $*; see the head of $0" >&2 && exit 2; }
volumes='' bin='' device=cuda sanitizer=on
while [[ $# -gt 0 ]]; do
    [[ $# -ge 2 ]] || fail_usage "$1 needs a value"
    case $1 in
        --volumes) volumes=$2 ;;
        --bin) bin=$(cd "$2" && pwd) || exit 2 ;;
        --device) device=$2 ;;
        --sanitizer) sanitizer=$2 ;;
        *) fail_usage "unknown option $1" ;;
    esac
    shift 2
done
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ -z $bin && -x $here/../../bin/volrender ]]; then bin=$here/../../bin; fi # installed as share/volpt/gpu_checks.sh
PATH=${bin:+$bin:}$PATH
for tool in volrender volcompare volinfo; do
    command -v $tool >/dev/null || fail_usage "$tool is neither on PATH nor in --bin"
done
shopt -s nullglob
files=("$volumes"/*.vpk)
[[ -n $volumes && ${#files[@]} -gt 0 ]] || fail_usage "--volumes '$volumes' holds no .vpk"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mapfile -t kernels < <(volrender --list-kernels --json | awk -F'"' -v device="$device" \
    '$2 == "device" { mine = $4 == device } $2 == "kernel" && mine { print $4 }')
small=(--hints off --resolution 70x50 --spp 3)
if ! volrender "${files[0]}" "${small[@]}" --device "$device" -o "$scratch/first.vpf" >"$scratch/first" 2>&1 || [[ ${#kernels[@]} -eq 0 ]]; then
    echo "gpu_checks: no device to check: $(tail -n 1 "$scratch/first")" >&2
    exit 4
fi

declare -A passes failures skips references
columns=(scenes paths tiles shapes memory films sanitizer)
passed=0 failed=0 skipped=0

# note ROW COLUMN passed|failed|skipped [WHY]
note() {
    case $3 in
        passed) passed=$((passed + 1)) && passes[$1,$2]=$((${passes[$1,$2]:-0} + 1)) ;;
        failed) failed=$((failed + 1)) && failures[$1,$2]=$((${failures[$1,$2]:-0} + 1)) && echo "FAILED: $1 $2: ${4:-}" >&2 ;;
        skipped) skipped=$((skipped + 1)) && skips[$1,$2]=$((${skips[$1,$2]:-0} + 1)) && echo "skipped: $1 $2: ${4:-}" >&2 ;;
    esac
}

# render ARGUMENTS: sets hash, or message and status.
render() {
    hash='' status=0
    timeout 120 volrender "$@" --json -q -o "$scratch/film.vpf" >"$scratch/answer" 2>"$scratch/error" || status=$?
    message=$(tail -n 1 "$scratch/error")
    [[ $status -ne 0 ]] || hash=$(sed -n 's/.*"film_hash": "\([0-9a-f]*\)".*/\1/p' "$scratch/answer")
}

# expect_bits KERNEL COLUMN "SCENE ARGUMENTS" "ARGUMENTS THAT CHANGE NO BIT": the film must be the CPU's. A shape that the kernel does not
# have is passed over, and what a build without VOLPT_BUILD_STUDY lacks.
expect_bits() {
    local kernel=$1 column=$2 extra=() scene=()
    IFS=$'\t' read -ra scene <<<"$3"
    read -ra extra <<<"$4"
    if [[ -z ${references[$3]:-} ]]; then
        render "${scene[@]}" --device cpu
        references[$3]=${hash:-none}
    fi
    render "${scene[@]}" --device "$device" --kernel "$kernel" "${extra[@]}"
    if [[ $status -eq 2 && $message =~ (has no choice of|takes --[a-z-]+ .*, not |is not compiled for (--long-steps|long steps|volumes that a mesh)|is not in this build) ]]; then return; fi
    if [[ -n $hash && $hash == "${references[$3]}" ]]; then
        note "$kernel" "$column" passed
    else
        note "$kernel" "$column" failed "film ${hash:-none, status $status, $message} instead of ${references[$3]}: volrender ${scene[*]} --kernel $kernel $4"
    fi
}

# tabbed WORDS: one string, words kept apart by tabs.
tabbed() { local IFS=$'\t' && echo "$*"; }

views=("--boundary none --majorant global" "--boundary smooth --int-ior 1.5 --majorant local --env 1 --env-below 0.2"
    "--boundary rough --int-ior 1.3 --alpha 0.2 --majorant local --seed 9"
    "--boundary smooth --int-ior 1.5 --long-steps on"
    "--boundary smooth --int-ior 1.5 --ground checker:.2:.7")
read -ra rough <<<"${views[2]}"
one=$(tabbed "${files[0]}" "${small[@]}" "${rough[@]}")
read -ra steps <<<"${views[3]}"
stepping=$(tabbed "${files[0]}" "${small[@]}" "${steps[@]}")
layered=''
for file in "${files[@]}"; do # the first with a core, if any has one
    layered=$(tabbed "$file" "${small[@]}" --probe top --sides periodic --boundary smooth --int-ior 1.5 --long-steps layers)
    IFS=$'\t' read -ra words <<<"$layered"
    volrender "${words[@]}" --device cpu -q -o "$scratch/layered.vpf" >/dev/null 2>&1 && break
    layered=''
done

check_kernel() {
    local kernel=$1 file view words shape
    for file in "${files[@]}"; do
        for view in "${views[@]}"; do
            read -ra words <<<"$view"
            expect_bits "$kernel" scenes "$(tabbed "$file" "${small[@]}" "${words[@]}")" ""
        done
    done
    for shape in "1x1 1" "33x1 1" "31x37 29" "1000x1000 1"; do
        expect_bits "$kernel" paths "$(tabbed "${files[0]}" --hints off --resolution "${shape% *}" --spp "${shape#* }")" ""
    done
    for shape in "--tile-size 17" "--tile-size 64" "--tiles 5x3"; do expect_bits "$kernel" tiles "$one" "$shape"; done
    expect_bits "$kernel" memory "$one" "--volume-memory zerocopy"
    expect_bits "$kernel" memory "$one" "--volume-memory device"
    expect_bits "$kernel" memory "$one" "--volume-cache 0"
    # The bounds and compiled values of every knob of kernels.def; a kernel without a knob is passed over.
    local shapes=("--min-blocks 1" "--min-blocks 6" "--min-blocks 8" "--paths-per-lane 1" "--paths-per-lane 2" "--paths-per-lane 4"
        "--paths-per-lane 8" "--paths-per-lane 16" "--refill off" "--connection-stream on" "--connection-stream off" "--exit-votes 1" "--exit-votes 16" "--exit-votes 32"
        "--vote-flights 1" "--vote-flights 64"
        "--start-votes 1 --face-votes 32" "--start-votes 32 --face-votes 1" "--min-blocks 1 --start-votes 16")
    for shape in "--step-votes 1" "--step-votes 32"; do expect_bits "$kernel" shapes "$stepping" "$shape"; done
    if [[ -n $layered ]]; then expect_bits "$kernel" scenes "$layered" ""; fi
    for shape in "${shapes[@]}"; do expect_bits "$kernel" shapes "$one" "$shape"; done
}

# What --kernel auto writes: whole, the CPU's by volcompare's judgement, and resumable.
check_films() {
    local film=$scratch/auto.vpf
    for file in "${files[@]}"; do
        if volrender "$file" "${small[@]}" --device "$device" -q -o "$film" >/dev/null 2>"$scratch/error" && volinfo "$film" --verify full >/dev/null &&
            volrender "$file" --hints off --resume "$film" --spp 7 --device "$device" -q >/dev/null 2>"$scratch/error" &&
            volcompare --against-cpu "$file" "$film" >/dev/null 2>"$scratch/error"; then
            note auto films passed
        else
            note auto films failed "$file: $(tail -n 1 "$scratch/error")"
        fi
    done
}

# All GPUs on one pool, and the CPU beside them: long enough for each to get some.
check_together() {
    local lists=(all cpu+all 0) list expected scene=("${files[0]}" --hints off "${rough[@]}" --resolution 300x200 --spp 64)
    if [[ $device == cpu ]]; then lists=(cpu); fi
    render "${scene[@]}" --devices cpu
    expected=${hash:-none}
    for list in "${lists[@]}"; do
        render "${scene[@]}" --devices "$list"
        if [[ -n $hash && $hash == "$expected" ]]; then
            note auto films passed
        else
            note auto films failed "film ${hash:-none, status $status, $message} instead of $expected with --devices $list"
        fi
    done
}

# sanitize KERNEL TOOL [ARGUMENTS]: compute-sanitizer over a few paths.
sanitize() {
    local status=0 words=(volrender "${files[0]}" --hints off --resolution 9x7 --spp 2 --device "$device" --kernel "$1" --json -q
        --boundary rough --int-ior 1.3 --alpha 0.2 --microfacets single -o "$scratch/film.vpf" "${@:3}")
    timeout 300 compute-sanitizer --tool "$2" --error-exitcode 99 "${words[@]}" >"$scratch/sanitizer" 2>&1 || status=$?
    if ! grep -qE '(ERROR|RACECHECK) SUMMARY' "$scratch/sanitizer"; then
        note "$1" sanitizer skipped "$2 does not run here (status $status): $(tail -n 1 "$scratch/sanitizer")"
    elif [[ $status -eq 0 ]] && grep -qE 'SUMMARY: 0 (errors|hazards)' "$scratch/sanitizer"; then
        note "$1" sanitizer passed
    else
        note "$1" sanitizer failed "$2: $(grep -E 'SUMMARY' "$scratch/sanitizer" | tail -n 1)"
    fi
}

for kernel in "${kernels[@]}"; do
    printf '%4d s  %s\n' "$SECONDS" "$kernel" >&2
    check_kernel "$kernel"
done
check_films
check_together
if [[ $sanitizer == off || $device != cuda ]]; then
    note all sanitizer skipped "switched off, or no GPU"
elif ! command -v compute-sanitizer >/dev/null; then
    note all sanitizer skipped "compute-sanitizer is not on PATH"
else
    for kernel in "${kernels[@]}"; do
        printf '%4d s  compute-sanitizer on %s\n' "$SECONDS" "$kernel" >&2
        for tool in memcheck racecheck initcheck synccheck; do
            sanitize "$kernel" $tool
            if [[ $kernel == regen_* ]]; then sanitize "$kernel" $tool --long-steps on; fi
        done
    done
fi

# The unit tests, which also hold the kernels to the frozen hashes beside this script.
tests=$(dirname "$(command -v volrender)")/test_kernels
if [[ -x $tests && $device == cuda ]]; then
    status=0
    VOLPT_TESTS_DIR=$here "$tests" --gtest_brief=1 >"$scratch/tests" 2>&1 || status=$?
    count() { sed -nE "s/^\[  $1 +\] ([0-9]+) tests?[.,].*/\1/p" "$scratch/tests" | head -n 1 | grep . || echo 0; }
    bad=$(count FAILED) good=$(count PASSED) idle=$(count SKIPPED)
    if [[ $status -ne 0 && $bad -eq 0 ]]; then bad=1; fi
    printf 'test_kernels: %d passed, %d failed, %d skipped (status %d)\n' "$good" "$bad" "$idle" "$status"
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + idle))
else
    note all units skipped "test_kernels does not lie beside volrender"
fi

printf '\n%-16s' kernel
printf ' %10s' "${columns[@]}"
printf '\n'
for kernel in "${kernels[@]}" auto; do
    printf '%-16s' "$kernel"
    for column in "${columns[@]}"; do
        cell=${passes[$kernel,$column]:+${passes[$kernel,$column]} pass}
        if [[ -n ${skips[$kernel,$column]:-} ]]; then cell="${passes[$kernel,$column]:-0} + ${skips[$kernel,$column]} skip"; fi
        if [[ -n ${failures[$kernel,$column]:-} ]]; then cell="${failures[$kernel,$column]} FAIL"; fi
        printf ' %10s' "${cell:--}"
    done
    printf '\n'
done
grep '^device: ' "$scratch/first"
printf 'took %d s on %d volumes\n%d passed, %d failed, %d skipped\n' "$SECONDS" "${#files[@]}" "$passed" "$failed" "$skipped"
[[ $failed -eq 0 && $passed -gt 0 ]]
