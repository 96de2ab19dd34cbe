#!/usr/bin/env bash
# Checks that C++ and CUDA sources are as clang-format 14 lays them out; 77 where it is missing. --apply formats them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

program=
for name in clang-format-14 clang-format; do
    # Other versions lay out some lines otherwise.
    if "$name" --version 2>/dev/null | grep -q 'version 14\.'; then program=$name && break; fi
done
if [[ -z $program ]]; then
    echo "skipped: clang-format 14 is not installed"
    exit 77
fi
mapfile -t files < <(git ls-files --cached --others --exclude-standard 2>/dev/null | grep -E '\.(h|cc|cuh|cu)$' |
    while IFS= read -r file; do [[ ! -f $file ]] || echo "$file"; done)
if [[ ${#files[@]} -eq 0 ]]; then
    echo "skipped: no git checkout"
    exit 77
fi
if [[ ${1:-} == --apply ]]; then exec "$program" -i "${files[@]}"; fi
findings=$(printf '%s\n' "${files[@]}" | xargs -d '\n' -n 64 -P "$(nproc)" "$program" --dry-run --Werror 2>&1 | grep 'error:' || true)
if [[ -z $findings ]]; then
    echo "check_format: ${#files[@]} files are formatted"
    exit 0
fi
head -n 20 <<<"$findings"
echo "check_format: run bash .ci/check_format.sh --apply" >&2
exit 1
