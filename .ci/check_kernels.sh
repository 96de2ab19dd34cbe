#!/usr/bin/env bash
# Checks the GPU code as compiled for sm_90: IEEE single precision alone, nothing contracted, at most 20 bytes spilled, registers as committed.
#
# check_kernels.sh BUILD [--update]: BUILD has compile_commands.json of a configuration with CUDA. --update writes the registers found
# to kernels/registers.txt. Under the nvcc that wrote the table, registers must be equal to it; under another, none may have grown
# by more than 8. An object younger than every header that holds its PTX for sm_90 (preset ci)
# gives it, and its registers where ptxas' report lies beside it; others are compiled anew. A build without VOLPT_BUILD_STUDY is
# compared with the rows that it has; one that nvcc did not optimise (--Ofast-compile or -Xptxas=-O0) must be of the sources of the table.
#
# check_kernels.sh --is-current: whether the table was written from the GPU code as it is, by the checksum in it. If so, instances
# for comparisons need not be compiled to be checked, and the others not optimised.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
table=$root/kernels/registers.txt
# Of all that the .cu files include, and of the files that make some of them.
sources=$(cd "$root" && python3 - <<'PYTHON'
import hashlib, pathlib, re
made = [path for pattern in ("*.def", "*.in") for path in pathlib.Path("kernels").rglob(pattern)]
todo, found = [*pathlib.Path("kernels").rglob("*.cu"), *made], set()
while todo:
    path = todo.pop()
    if path in found or not path.exists():
        continue
    found.add(path)
    todo += map(pathlib.Path, re.findall(r'#\s*include\s*"([^"@]+)"', path.read_text()))
print(hashlib.sha256(b"".join(str(path).encode() + hashlib.sha256(path.read_bytes()).digest() for path in sorted(found))).hexdigest())
PYTHON
)
if [[ $1 == --is-current ]]; then grep -q "^sources *$sources$" "$table" && exit 0 || exit 1; fi
build=$(cd "$1" && pwd)
mode=${2:-compare}
extent=whole
if grep -q '^VOLPT_BUILD_STUDY:[A-Z]*=OFF' "$build/CMakeCache.txt"; then extent=part; fi
if grep -qE '^CMAKE_CUDA_FLAGS:[A-Z]*=.*(--Ofast-compile=|-Xptxas=-O0)' "$build/CMakeCache.txt"; then extent=unoptimised; fi
if [[ $mode == --update && $extent != whole ]]; then
    echo "check_kernels: the table needs all instances, optimised; configure with VOLPT_BUILD_STUDY=ON and no CMAKE_CUDA_FLAGS" >&2
    exit 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export build scratch
bad=0
report() {
    echo "check_kernels: $*" >&2
    bad=1
}

# Every command must switch contraction off; kernels/*.cu become PTX, or lines "name <tab> command" that write it.
python3 - "$build/compile_commands.json" "$scratch" "$root" "$build" <<'PYTHON' || bad=1
import json, pathlib, re, sys
entries = json.load(open(sys.argv[1]))
scratch, root = map(pathlib.Path, sys.argv[2:4])
sources = [path for folder in ("kernels", "libvolpt") for path in (root / folder).rglob("*") if path.suffix in (".h", ".def", ".cu", ".cuh")]
changed = max(path.stat().st_mtime for path in sources)
bad, jobs, taken, nvcc = [], [], 0, None


def embedded_ptx(path):
    """The PTX for sm_90 that an object holds uncompressed, or None."""
    if not path.is_file() or path.stat().st_mtime < changed:
        return None
    texts = re.findall(rb"[.]version [0-9]+[.][0-9]+\n[.]target sm_90\n[^\0]*", path.read_bytes())
    return texts[0] if len(texts) == 1 else None


for entry in entries:
    file, command = entry["file"], entry["command"]
    cuda = file.endswith(".cu")
    if "/nanobind-static.dir/" in file:
        continue  # of the Python package's binding: code of others
    if "-ffp-contract=off" not in command or (cuda and "-fmad=false" not in command):
        bad.append(f"{file}: compiled without -ffp-contract=off" + (" or -fmad=false" if cuda else ""))
    if re.search(r"-ffast-math|-Ofast(?!-compile)|-ffp-contract=(fast|on)|fast.math|-fmad=true|-ffinite-math|-funsafe-math", command):
        bad.append(f"{file}: compiled with a flag that gives bits away")
    if cuda and file.startswith((f"{root}/kernels/", f"{sys.argv[4]}/kernels/")):
        nvcc = re.sub(r"^\S*keep_ptxas_report.sh |\S*ccache ", "", command).split()[0]
        output = pathlib.Path(entry["directory"], re.search(r" -o (\S+)", command)[1])
        if ptx := embedded_ptx(output):
            (scratch / f"{pathlib.Path(file).stem}.ptx").write_bytes(ptx)
            taken += 1
            report = output.with_name(output.name + ".ptxas")
            if report.is_file() and report.stat().st_mtime >= changed and b"Compiling entry function" in report.read_bytes():
                (scratch / f"{pathlib.Path(file).stem}.log").write_bytes(report.read_bytes())
            continue
        command = re.sub(r' (-o|-c|"?--generate-code)[= ]\S+|^\S*keep_ptxas_report.sh |\S*ccache | -Xptxas=-v', "", command)
        jobs.append(f"{pathlib.Path(file).stem}\t{command} {file} -ptx -arch=compute_90")
for line in bad:
    print("check_kernels:", line, file=sys.stderr)
if not jobs and not taken:
    sys.exit("check_kernels: no kernels among the compile commands; configure with VOLPT_CUDA=ON")
(scratch / "jobs").write_text("".join(f"{job}\0" for job in jobs))
(scratch / "nvcc").write_text(nvcc)
print(f"check_kernels: {len(entries)} compile commands, {len(jobs) + taken} kernel files, PTX of {taken} from their objects")
sys.exit(bool(bad))
PYTHON
[[ -s $scratch/nvcc ]] || exit 1
# The tools that belong to the compiler of the commands.
nvcc=$(<"$scratch/nvcc")
if [[ $nvcc == */* ]]; then PATH=$(dirname "$nvcc"):$PATH; fi

# PTX of the rest, then ptxas' report on each that the build has not kept, where registers are compared.
# shellcheck disable=SC2016 # expanded by the inner shell
xargs -0 -P "$(nproc)" -I{} bash -euo pipefail -c '
    name=${1%%$'"'\t'"'*}
    cd "$build"
    eval "${1#*$'"'\t'"'} -o $scratch/$name.ptx"' _ {} <"$scratch/jobs"
# shellcheck disable=SC2016 # expanded by the inner shell
for ptx in "$scratch"/*.ptx; do [[ $extent == unoptimised || -f ${ptx%.ptx}.log ]] || printf '%s\0' "$ptx"; done | xargs -0 -r -P "$(nproc)" -I{} bash -euo pipefail -c '
    ptxas -v -arch=sm_90 "$1" -o "${1%.ptx}.cubin" 2>"${1%.ptx}.log"' _ {} || { cat "$scratch"/*.log >&2; exit 1; }

multiplying=0
for ptx in "$scratch"/*.ptx; do
    name=$(basename "$ptx" .ptx)
    # Opcodes alone: a register may be called %f64. Without .rn ptxas may contract; .approx, .full and .ftz are not IEEE,
    # but for the two approximations that exact_math.hd.h corrects to the nearest float.
    awk '{ sub(/^[ \t]+/, ""); if ($1 ~ /^@/) $1 = ""; sub(/^ /, ""); sub(/;$/, "", $1); print $1 }' "$ptx" | sort | uniq -c >"$scratch/opcodes"
    wrong=$(awk '$2 ~ /^(rsqrt|rcp)[.]approx[.]ftz[.]f32$/ { next } $2 ~ /[.]f64/ && $2 !~ /^(ld|st|mov)[.]/ || $2 ~ /[.](approx|full|ftz)/ ||
        $2 ~ /^(add|sub|mul|mad|fma|div|rcp|sqrt)[.].*f(16|32)/ && $2 !~ /[.]rn[.]/' "$scratch/opcodes")
    [[ -z $wrong ]] || report "$name has instructions that round as they like or work in double:"$'\n'"$wrong"
    multiplying=$((multiplying + $(grep -c ' mul[.]rn[.]f32$' "$scratch/opcodes" || true)))
done
# All but kernels/host/join_half.cu do.
((multiplying >= $(find "$scratch" -name '*.ptx' | wc -l) - 1)) || report "kernels multiply nothing: the PTX is not what this script reads"

if [[ $extent == unoptimised ]]; then
    grep -q "^sources *$sources$" "$table" || report "the registers are those of other sources; build without CMAKE_CUDA_FLAGS and compare"
    echo "check_kernels: registers were compared when the table was written, from the same sources"
    exit "$bad"
fi
nvcc_version=$(nvcc --version | sed -n 's/.*, V\([0-9.]*\)$/\1/p')
if ! cat "$scratch"/*.log | c++filt | python3 -c '
import collections, pathlib, re, sys
table_path, mode, nvcc, sources, extent = pathlib.Path(sys.argv[1]), *sys.argv[2:6]
media, found, bad, name = set(), collections.defaultdict(dict), [], None
spills_allowed, spilling = ("regen_thread<16>", "regen_warp<16>"), [] # min_blocks 16 of kernels.def: 32 registers
called_bytes = 512 # among other surfaces, starts and events there are calls, which take a path by its address
emitter_bytes = 1024 # with emitters, so are rays towards them, and a path has three times as many words
nested_bytes = 1280 # among nested solids, so are flights, which take a copy of it
joined_bytes = 1792 # a bidirectional path is two subpaths with a vertex of each, and all of it is behind an address at calls
chain_bytes = 2304 # and one that a chain proposes has the state of the chain
joined_spills = 700 # follow_connections of such paths among surfaces keeps them in memory across a call for each side of a ray
few_bytes = 20 # some words at the bound of 64 registers, read where a path starts or ends; a bound of 72 costs a block
for line in sys.stdin:
    if match := re.search(r"Compiling entry function \x27(.*)\x27 for", line):
        text = re.sub(r"\(volpt::\w+\)|\(anonymous namespace\)::|volpt::|^void |\(int\)", "", match[1])
        medium = re.search(r"Medium<(\d), (\d), (\d), (\d), (\d), (\d)>", text)
        kind = ("", "-s", "-l")[int(medium[4])] + ("", "-m", "-o", "-n")[int(medium[5])] + ("", "-e", "-p", "-t", "-b", "-c")[int(medium[6])] if medium else ""
        key = "-".join(medium.groups()[:3]) + kind if medium else "any"
        function = re.sub(r"\(.*", "", re.sub(r"Medium<[^>]*>(, )?", "", text)).replace(" ", "").replace("<>", "")
        name = (function, key)
        media.add(key)
    elif match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
        if name and any(map(int, match.groups())):
            frame, *spills = map(int, match.groups())
            calls = name[1].endswith("-o") or re.fullmatch(r"fill_stream<PathState<\d>,2>", name[0])
            with_emitters = name[1].endswith(("-e", "-p", "-t", "-b", "-c")) or re.match(r"fill_stream<(Lit|Particle|Tally|Bidirectional)Path<", name[0])
            joined = name[1].endswith(("-b", "-c")) and frame <= (chain_bytes if name[1].endswith("-c") else joined_bytes) and max(spills) <= (joined_spills if name[0] == "follow_connections" else few_bytes)
            few = joined or max(spills) <= few_bytes and frame <= (nested_bytes if "-n" in name[1] else emitter_bytes if with_emitters else called_bytes if calls else few_bytes)
            (spilling if few or name[0].endswith(spills_allowed) else bad).append(
                "{} {} has a stack frame of {} bytes, spills {} and loads {}".format(*name, *match.groups()))
    elif name and (match := re.search(r"Used (\d+) registers", line)):
        found[name[0]][name[1]], name = int(match[1]), None
columns = sorted(media)
note = "# Registers of each kernel, by bands-extinction-majorant of its medium; -s steps through spheres, -l through layers, -m in a mesh, -o among other surfaces too, -n in solids that nest too, -e with emitters, -p of particles, -t of those without a film, -b of particles and paths that are joined, -c of those of Markov chains. Written by .ci/check_kernels.sh BUILD --update.\n"
lines = [["nvcc", nvcc], ["sources", sources], ["kernel", *columns]] + [[f, *(str(found[f].get(c, "-")) for c in columns)] for f in sorted(found)]
width = max(len(line[0]) for line in lines)
text = "".join(f"{line[0]:{width}} " + " ".join(f"{cell:>5}" for cell in line[1:]).rstrip() + "\n" for line in lines)
count = sum(map(len, found.values()))
if mode == "--update":
    table_path.write_text(note + text)
    print(f"check_kernels: {count} instances written to {table_path.name}")
else:
    old = [line.split() for line in table_path.read_text().splitlines()[1:]]
    same, kept = old[0][1] == nvcc, {r[0]: dict(zip(old[2][1:], r[1:])) for r in old[3:]}
    missing = {(f, c) for f in kept for c in kept[f] if kept[f][c] != "-"} ^ {(f, c) for f in found for c in found[f]}
    if not count or any(extent == "whole" or c in found.get(f, {}) for f, c in missing):
        bad.append("the instances are not those of the table; if that is meant, run check_kernels.sh BUILD --update")
    for f in found:
        for c, registers in found[f].items():
            was = kept.get(f, {}).get(c, "-")
            if was != "-" and (registers != int(was) if same else registers > int(was) + 8):
                bad.append(f"{f} {c} uses {registers} registers, {was} in the table; if that is meant, run with --update")
    how = "exactly" if same else f"for growth beyond 8 alone, the table being of nvcc {old[0][1]}"
    print(f"check_kernels: registers of {count} instances compared {how} (nvcc {nvcc})")
for line in spilling:
    print("check_kernels: as meant,", line)
for line in bad:
    print("check_kernels:", line, file=sys.stderr)
sys.exit(bool(bad))' "$table" "$mode" "$nvcc_version" "$sources" "$extent"; then bad=1; fi
exit "$bad"
