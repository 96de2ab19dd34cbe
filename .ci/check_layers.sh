#!/usr/bin/env bash
# Checks who includes whom, words that have no place in a folder, sizes of folders, and links between pages.
#
# The arrows are those of CONTRIBUTING.md: a folder may include itself and the folders or files that its line below names.
# volpt/ is api/include/volpt.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 4

arrows='
libvolpt/core:
libvolpt/sys:
libvolpt/surface: core sys
libvolpt/colour: sys
libvolpt/volume: core sys surface
libvolpt/medium: core sys colour volume
libvolpt/image: sys colour
libvolpt/scene: core sys colour volume medium surface image
libvolpt/print: core sys surface colour volume medium image
libvolpt/film: core sys colour image scene
libvolpt/stats: sys colour image scene film
libvolpt/denoise: core sys colour volume image scene film
libvolpt/backend: core sys volume
libvolpt/cpu: core sys volume scene film backend
libvolpt/render: core sys volume image scene film backend cpu
libvolpt/job: core sys colour volume medium surface image scene film stats denoise backend cpu render formats kernels
formats: core sys colour volume medium surface image scene
kernels: core sys volume backend
tools: core sys colour volume medium surface image scene print film stats denoise backend cpu render job formats kernels
api: volpt core sys colour volume medium surface image scene print film stats denoise backend cpu render job formats kernels tools
python: volpt
'
findings=0
report() {
    printf '%s\n' "$1"
    findings=$((findings + 1))
}
# report_lines TEXT: one finding a line.
report_lines() {
    local line
    while IFS= read -r line; do [[ -z $line ]] || report "$line"; done <<<"$1"
}
list_files() {
    git ls-files --cached --others --exclude-standard 2>/dev/null || find . -type f -not -path './build*' -not -path './out/*' -printf '%P\n'
}
mapfile -t files < <(list_files | while IFS= read -r file; do [[ ! -f $file ]] || echo "$file"; done)
sources_of() { printf '%s\n' "${files[@]}" | grep -E "^$1/" | grep -E '\.(h|cc|cuh|cu|def|in)$'; }

# Includes of our own files: "folder/.../file", from the root.
while IFS=: read -r folder allowed; do
    [[ -n $folder ]] || continue
    pattern="^($folder/"
    for name in $allowed; do
        case $name in
            formats | kernels | tools | volpt) pattern+="|$name/" ;;
            *.h) pattern+="|libvolpt/$name\$" ;;
            *) pattern+="|libvolpt/$name/" ;;
        esac
    done
    pattern+=")"
    while IFS=: read -r file number line; do
        path=${line#*\"}
        path=${path%%\"*}
        [[ $path =~ $pattern ]] || report "$file:$number: includes \"$path\", which $folder may not"
    done < <(sources_of "$folder" | xargs -r -d '\n' grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"')
done <<<"$arrows"

# A header that includes what paths do has all its users compiled anew when a BSDF changes (211 of 360 units once did); it takes
# views, and values like vectors and counters.
values='.*_view|macros|vec|encoding|exact_math|morton|fixed_point|rng|path|path_counts|outcome|lookup|camera|surface/bvh'
while IFS= read -r line; do
    report "${line%%:#*}: a header outside of core, cpu and kernels includes functions of paths: include a view, or include it in the .cc"
done < <(printf '%s\n' "${files[@]}" | grep -E '^(libvolpt|formats|tools|api)/.*\.h$' | grep -vE '^libvolpt/(core|cpu)/' |
    xargs -r -d '\n' grep -HnE '^#include "libvolpt/core/' | grep -vE "core/($values)\.hd\.h")

# forbid PATTERN REASON FOLDERS [except FILE_PATTERN]: a word outside comments that must not occur.
forbid() {
    local pattern=$1 reason=$2 folders=$3 except=${4:-'^$'} file
    while IFS= read -r file; do
        [[ $file =~ $except ]] && continue
        report_lines "$(sed -E 's@//.*$@@; s@"([^"\\]|\\.)*"@""@g' "$file" | grep -nE "$pattern" | sed "s@^\([0-9]*\):.*@$file:\1: $reason@")"
    done < <(for folder in $folders; do sources_of "$folder"; done | xargs -r -d '\n' grep -lE "$pattern")
}
library='libvolpt formats kernels'
forbid '(^|[^[:alnum:]_:])(std::)?(cout|cerr|clog|printf|fprintf|puts|fputs|perror)\b' 'library code never prints' "$library"
forbid '(^|[^[:alnum:]_:.>])(std::)?(exit|_Exit|quick_exit|abort|terminate)[[:space:]]*\(' 'library code never exits' "$library"
math='sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot'
forbid "(^|[^[:alnum:]_:.>])(std::)?(($math)f|__($math)f|sincosf?|sincospif?|rsqrtf?|fminf|fmaxf)[[:space:]]*\(" \
    'libm differs between hosts: use exact_math.hd.h' 'libvolpt/core' 'exact_math\.hd\.h$'
forbid "std::($math|fmin|fmax)[[:space:]]*\(" 'libm differs between hosts: use exact_math.hd.h' 'libvolpt/core' 'exact_math\.hd\.h$'
forbid '\bdouble\b' 'no double in the hot path' 'libvolpt/core' 'exact_math\.hd\.h$'
forbid '#[[:space:]]*include[[:space:]]*<openvdb' 'OpenVDB is seen only in formats/' 'libvolpt kernels tools'
forbid '#[[:space:]]*include[[:space:]]*<gdcm' 'GDCM is seen only in formats/' 'libvolpt kernels tools'
forbid '#[[:space:]]*include[[:space:]]*<assimp' 'assimp is seen only in formats/' 'libvolpt kernels tools'
forbid '#[[:space:]]*include[[:space:]]*<(stb|OpenEXR|Imf|jpeglib|lcms2)' 'image libraries are seen only in libvolpt/image' \
    'libvolpt formats kernels tools' '^libvolpt/image/'
forbid '#[[:space:]]*include[[:space:]]*<mpi\.h' 'MPI is seen only in libvolpt/render/ranks' 'libvolpt formats kernels tools' '^libvolpt/render/ranks/'
forbid '#[[:space:]]*include[[:space:]]*<httplib' 'cpp-httplib is seen only in tools/volview' 'libvolpt formats kernels tools' '^tools/volview/http/'
forbid 'cuda_runtime|<cub/' 'CUDA is seen only in kernels/' 'libvolpt formats tools' '\.hd\.h$'

while IFS= read -r file; do
    [[ $file == *.hd.h ]] || report "$file: core holds headers for host and device alone (*.hd.h)"
done < <(sources_of libvolpt/core)

# Whole tree: unfinished business, titles of pages, and what scripts are for.
texts=()
for file in "${files[@]}"; do
    case $file in
        .ci/check_layers.sh | *.png | *.json | LICENSE | tests/frozen/* | tests/fuzz/seeds/*) continue ;;
    esac
    texts+=("$file")
    { read -r first && if [[ $first == '#!'* ]]; then read -r first; fi; } <"$file"
    case $file in
        *.md) [[ $first == '# '* ]] || report "$file:1: a page starts with its title" ;;
        *.py) [[ $first == '# '* || $first == '"""'* ]] || report "$file:1: the first line says what the file is for" ;;
        *.sh | *.cmake | *.tests | *CMakeLists.txt | Makefile.* | *.supp | .ci/*)
            [[ $first == '# '* ]] || report "$file:1: the first line says what the file is for"
            ;;
    esac
done

# A folder of more than 25 sources needs rooms.
while read -r count folder; do
    ((count <= 25)) || report "$folder: $count sources; more than 25 in one folder need rooms"
done < <(for folder in libvolpt formats kernels tools api python; do sources_of "$folder"; done | sed 's@/[^/]*$@@' | sort | uniq -c)

report_lines "$(printf '%s\n' "${texts[@]}" | xargs -r -d '\n' grep -HnE '\b(TODO|FIXME|XXX|HACK)\b' |
    sed 's@^\([^:]*:[0-9]*\):.*@\1: unfinished business belongs in an issue@')"

# Links of pages to files: [text](path), relative to the page.
for page in "${files[@]}"; do
    [[ $page == *.md ]] || continue
    while IFS= read -r target; do
        target=${target%%#*}
        [[ -z $target || $target == *://* || -e $(dirname "$page")/$target ]] || report "$page: links to $target, which is not there"
    done < <(grep -oE '\]\([^) ]+\)' "$page" | sed 's@^](@@; s@)$@@')
done

if [[ $findings -gt 0 ]]; then
    echo "check_layers: $findings findings" >&2
    exit 1
fi
echo "check_layers: ${#files[@]} files, nothing found"
