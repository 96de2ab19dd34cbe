#!/usr/bin/env bash
# Installs what is missing, builds the release configuration and runs its tests: run_tests.sh [--all].
#
# --all is what CI runs: GPU code compiled for sm_90 and checked (instances that only comparisons need, where they have changed), sanitizers, fuzz targets for six seconds each, the thread sanitizer, and
# the bits of the CPU kernels for 64-bit Arm under qemu, where install_packages.sh aarch64 has installed what that needs.
# The last line is the sum: "N passed, N failed, N skipped". What was skipped, and why, is printed above it, with the seconds of each part. Tests on public
# datasets run where VOLPT_TEST_DATA names their folder. VOLPT_JOBS sets the number of parallel jobs (default: all cores).
# Exit status: 0 all passed, 1 some failed, 2 usage, 4 packages are missing and may not be installed.
set -uo pipefail
if [[ ${1:-} == --help || ${1:-} == -h ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 0
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=${VOLPT_JOBS:-$(nproc)}
scope=release
if [[ $# -eq 1 && $1 == --all ]]; then
    scope=all
elif [[ $# -gt 0 ]]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
reports=$root/build/reports
passed=0 failed=0 skipped=0
notes=() times=() failing=()

# Begins a part, whose time ends where the next begins.
part='' part_start=0
say() {
    [[ -z $part ]] || times+=("$(printf '%5d s  %s' $((SECONDS - part_start)) "$part")")
    part=$* part_start=$SECONDS
    printf '\nrun_tests: %s (at %d s)\n' "$*" "$SECONDS"
}
skip() { skipped=$((skipped + 1)) && notes+=("skipped: $*"); }
fail() { failed=$((failed + 1)) && notes+=("FAILED: $*"); }

# attribute NAME FILE: a count from the first element of a JUnit file; 0 if it has none.
attribute() { (grep -o -m1 "\b$1=\"[0-9]*\"" "$2" || echo 0) | grep -o '[0-9]*' | head -n 1; }

# add_report FILE TESTS: adds up the results in a JUnit file; TESTS names them in the notes.
add_report() {
    local report=$1 tests=$2 total bad idle
    if [[ ! -s $report ]]; then
        fail "the tests of $tests wrote no report"
        return
    fi
    total=$(attribute tests "$report")
    bad=$(($(attribute failures "$report") + $(attribute errors "$report")))
    idle=$(($(attribute skipped "$report") + $(attribute disabled "$report")))
    passed=$((passed + total - bad - idle)) failed=$((failed + bad)) skipped=$((skipped + idle))
    if [[ $idle -gt 0 ]]; then notes+=("skipped: $idle tests of $tests, named in its list above"); fi
    if [[ $bad -gt 0 ]]; then notes+=("FAILED: $bad tests of $tests") failing+=("$report"); fi
}

# build PRESET [target ...]: configures and builds all or these targets; a failure is counted once.
build() {
    local preset=$1
    shift
    say "building preset $preset"
    (cd "$root" && cmake --preset "$preset" "${settings[@]}" --log-level=STATUS &&
        cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}) && return 0
    fail "preset $preset does not build"
    return 1
}

# run_preset PRESET [ctest arguments]: runs its tests and adds up their results.
run_preset() {
    local preset=$1 report=$reports/$1.xml
    shift
    say "testing preset $preset"
    rm -f "$report"
    # One more than cores: many tests of tools wait for a server or for a time to pass.
    (cd "$root" && "${launcher[@]}" ctest --preset "$preset" -j $((jobs + 1)) --output-junit "$report" "$@")
    add_report "$report" "preset $preset"
}

# fuzz_target PROGRAM: six seconds from the seeds that lie beside the sources; leaves a log and the exit status by its corpus.
fuzz_target() {
    local name corpus
    name=$(basename "$1")
    corpus=$root/build/fuzz/corpus/$name
    rm -f "$corpus.status"
    mkdir -p "$corpus"
    local seeds=("$corpus")
    if [[ -d $root/tests/fuzz/seeds/${name%_fuzz} ]]; then seeds+=("$root/tests/fuzz/seeds/${name%_fuzz}"); fi
    (cd "$corpus/.." && "$1" -max_total_time=6 -rss_limit_mb=2048 -malloc_limit_mb=1024 -timeout=10 \
        -print_final_stats=1 -verbosity=0 "${seeds[@]}") >"$corpus.log" 2>&1
    echo $? >"$corpus.status"
}

# The fuzz targets of a clang build.
smoke_fuzz() {
    local target name corpus
    say "fuzzing, $jobs targets at a time"
    for target in "$root"/build/fuzz/bin/*_fuzz; do
        if [[ ! -x $target ]]; then
            skip "fuzz smoke: no targets"
            return
        fi
        while [[ $(jobs -rp | wc -l) -ge $jobs ]]; do wait -n; done
        fuzz_target "$target" &
    done
    wait
    for target in "$root"/build/fuzz/bin/*_fuzz; do
        name=$(basename "$target") corpus=$root/build/fuzz/corpus
        if [[ $(cat "$corpus/$name.status" 2>/dev/null) == 0 ]]; then
            passed=$((passed + 1))
        else
            cat "$corpus/$name.log"
            fail "$name"
        fi
    done
}

bash "$root/pipelines/install_packages.sh" tests || exit
mkdir -p "$reports"
if [[ -z ${VOLPT_TEST_DATA:-} ]]; then notes+=("VOLPT_TEST_DATA is not set: tests on public datasets are skipped"); fi
launcher=()
# Where a version manager stands before python3, each start asks it first: a tenth of a second in hundreds of tests.
if folder=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))'); then PATH=$folder:$PATH; fi
# A first compilation is not preprocessed twice: ccache compares the headers that the compiler names.
export CCACHE_DEPEND=1

# Without a GPU the tests of the GPU code could not run; --all compiles them anyway.
main=tests settings=()
if [[ $scope == all ]]; then
    main=ci
    settings=(-DCMAKE_CUDA_FLAGS=)
    # GPU code that is the table's needs neither the instances for comparisons nor optimisation, six sevenths of the time.
    if bash "$root/.ci/check_kernels.sh" --is-current; then
        fast=-Xptxas=-O0
        if [[ $(PATH=$PATH:/usr/local/cuda/bin nvcc --help 2>&1) == *--Ofast-compile* ]]; then fast=--Ofast-compile=max; fi # from 12.9
        settings=(-DVOLPT_BUILD_STUDY=OFF "-DCMAKE_CUDA_FLAGS=$fast")
    fi
elif [[ -e /dev/nvidia0 ]] || nvidia-smi -L >/dev/null 2>&1; then
    settings=(-DVOLPT_CUDA=AUTO)
fi
built=no
if build "$main"; then
    built=yes
    run_preset "$main"
fi
settings=()
if ! grep -q '^VOLPT_CUDA_USED:INTERNAL=ON' "$root/build/$main/CMakeCache.txt" 2>/dev/null; then
    skip "GPU code: no GPU, or no nvcc 12.8 or newer"
fi

# run_python: the package as `pip install .` makes it of the build that was just tested, with its own tests. 77: it has not what it needs.
run_python() {
    local venv=$root/build/python report=$reports/python.xml
    rm -f "$report"
    if ! { python3 -m venv "$venv" && "$venv/bin/pip" install -q scikit-build-core nanobind numpy pytest hypothesis matplotlib; }; then
        return 77
    fi
    # What the build has stays: other switches would leave its folder without tests.
    local name kept=()
    for name in VOLPT_BUILD_TESTS VOLPT_BUILD_BENCH VOLPT_BUILD_API VOLPT_CPU_LEVELS VOLPT_CUDA_ARCHITECTURES; do
        kept+=(-C "cmake.define.$name=$(sed -n "s/^$name:[A-Z]*=//p" "$root/build/$main/CMakeCache.txt")")
    done
    "$venv/bin/pip" install --no-build-isolation --no-deps --force-reinstall -C build-dir="$root/build/$main" "${kept[@]}" "$root" || return 1
    (cd "$root/python/tests" && "$venv/bin/python" -m pytest -q -rs -p no:cacheprovider --junitxml="$report")
    return 0 # the report tells what failed
}

# start_python, join_python: that beside the build which comes next. Most of it is one process, which would leave the other cores idle.
python_process=''
start_python() {
    run_python >"$reports/python.log" 2>&1 &
    python_process=$!
    trap 'kill "$python_process" 2>/dev/null' EXIT
}
join_python() {
    local status=0
    if [[ -z $python_process ]]; then return; fi
    say "testing the Python package, begun beside the build before"
    wait "$python_process" || status=$?
    trap - EXIT
    python_process=''
    cat "$reports/python.log"
    case $status in
    0) add_report "$reports/python.xml" "the Python package" ;;
    77) skip "Python package: no venv, or pip cannot install nanobind, numpy, pytest and what goes with them" ;;
    *) fail "pip install of the Python package" ;;
    esac
}

# Of unit tests with sanitizers: all but those of millions of paths or of large meshes, whose code shorter ones reach.
left_out_units=('*FrozenOnCpu*' '*.OfSharedPathsIsWhatSeedsShow' Bvh.BitsDoNotDependOnThreads 'CheckMesh.FansTakeCheapTests*'
    'CheckMesh.MeshesOfTooManyPairs*' CheckMesh.WhatTakesFarTooManyTestsIsRefusedByASample
    SmoothSurface.OfAnythingBoundsASolidWithinTheBox Microsurface.LobesAreThoseOfAMarchedWalk '*.*AgreeWithDirectWalks'
    MakeLayerOutcome.SlabReflectanceIsThatOfAddingDoubling RenderToNoise.NoiseIsWhatIndependentFilmsShow
    LongSteps.FilmsResumeAfterEveryStopToTheSameFilm SmoothSurface.OfAVoxelisedSphereApproachesTheSphereAsVoxelsGetSmaller
    DimBackground.LeavesAtFactor0WhatAHiddenBackgroundLeaves Particles.FewContributionsRaiseNoAlarm '*MetricContract.ObjectThatVanishedIsSeen*'
    LightResampling.TheIntegralOverTheSphereIsThatOfThePixels MeshVolume.BytesDoNotDependOnThreads
    PlacedMesh.ClearanceDoesNotDependOnThreads PlacedMesh.SharesCountBricksThatAreFarInAllTheirPoints)
unit_tests=-$(IFS=:; echo "${left_out_units[*]}")

# test_sanitized: one sanitizer build for tests and fuzz targets; clang compiles it in three quarters of the time that g++ takes.
test_sanitized() {
    local sanitizers=fuzz
    if ! command -v clang++ >/dev/null; then
        skip "fuzz smoke: no clang++"
        sanitizers=asan
    fi
    local sanitizers_built=no
    # Without lines of the source a fifth less to compile: reports name functions. `cmake --preset asan` by itself has the lines.
    settings=(-DCMAKE_CXX_FLAGS_DEBUG=-O0)
    if build "$sanitizers"; then sanitizers_built=yes; fi
    settings=()
    join_python
    if [[ $sanitizers_built == no ]]; then return; fi
    # The fastest kernel's frozen hashes are in render. What else is left out compares pictures of millions of paths and reaches no code that
    # shorter tests do not: with checks they take 14 to 20 times as long, 16 of 46 minutes.
    # Nor do they run what takes its time in scripts, shells, browsers and readers of others: the programs run the same code in other tests.
    local left_out='^repo\.|^tools\.(long_steps|pipelines|completion|cluster|volprep_cross|volpt|volrender_gpu)\.'
    left_out+='|letters_are_read_from_renders|slabs_of_inks_have_their_reflectance|memory_stays_flat|smooth_surface_of_data|colour_wheel_on_a_core'
    # volview's page and pictures; requests of strangers, floods and connections that are cut stay.
    left_out+='|volview\.(page|tev|film|light|preview|probe|sections|saved|patch)_|volcompare\.page_'
    # Data that other tests read, twice and by each choice.
    left_out+='|volprep_auto\.told_lines|volprep_jobs\.wheel_round|volprep_materials\.colour_wheel_in|volprep\.inks_of_a_print'
    # Films by every kernel or to a small error, and what long steps choose.
    left_out+='|volcompare\.(path_agrees_with|noise_of_banks|error_falls|seeds_under)|volrender\.(long_steps_(auto|in|on)|object_is_rendered_alike)'
    GTEST_FILTER=$unit_tests run_preset "$sanitizers" --exclude-regex "$left_out"
    if [[ $sanitizers == fuzz ]]; then smoke_fuzz; fi
}

# test_aarch64: bits of the CPU kernels for 64-bit Arm. Two and a half minutes on two cores.
test_aarch64() {
    if ! command -v aarch64-linux-gnu-g++ >/dev/null || ! command -v qemu-aarch64 >/dev/null; then
        skip "64-bit Arm: no cross compiler or no qemu; pipelines/install_packages.sh aarch64 installs them"
        return
    fi
    if ! bash "$root/pipelines/install_packages.sh" aarch64; then
        skip "64-bit Arm: its libraries could not be unpacked, as said above"
        return
    fi
    settings=("-DVOLPT_CPU_LEVELS=neon;sve")
    if build aarch64 test_core test_cpu; then
        run_preset aarch64 --tests-regex '^(cpu\.(CpuKernels|Cpu/FrozenOnCpu)|core\.(Encoding|ExactMath|FixedPoint|Rng|SampleSequence)\.)'
    fi
    settings=()
}

# test_threads: clang compiles it in two thirds of the time that g++ takes. ThreadSanitizer needs its shadow where address randomisation may
# put something else; setarch -R turns that off.
test_threads() {
    settings=(-DCMAKE_CXX_FLAGS_DEBUG=-O0)
    if command -v clang++ >/dev/null; then settings+=(-DCMAKE_CXX_COMPILER=clang++); fi
    if setarch -R true 2>/dev/null; then launcher=(setarch -R); fi
    build tsan test_cpu test_render || return
    # CpuKernels run on one thread.
    GTEST_FILTER="$unit_tests:CpuKernels.*" run_preset tsan --tests-regex '^(cpu|render)\.'
}

if [[ $scope == all ]]; then
    if [[ $built == yes ]]; then start_python; fi
    test_sanitized
    test_aarch64
    test_threads
fi

say "the sum"
if [[ ${#failing[@]} -gt 0 ]]; then python3 -B "$root/.ci/print_failures.py" "${failing[@]}"; fi
printf 'run_tests: %s\n' "${times[@]}"
for note in "${notes[@]}"; do printf 'run_tests: %s\n' "$note"; done
printf 'run_tests: took %d s\n' "$SECONDS"
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[[ $failed -eq 0 && $passed -gt 0 ]]
