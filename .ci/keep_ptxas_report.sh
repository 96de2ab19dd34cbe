#!/usr/bin/env bash
# Runs a CUDA compiler and keeps what ptxas -v tells beside the object, as OBJECT.ptxas: .ci/check_kernels.sh reads it.
set -uo pipefail

object=
for ((i = 1; i < $#; i++)); do
    if [[ ${!i} == -o ]]; then j=$((i + 1)) && object=${!j}; fi
done
[[ -n $object ]] || exec "$@"
"$@" 2>"$object.ptxas"
status=$?
grep -vE 'ptxas info|bytes stack frame' "$object.ptxas" >&2
exit "$status"
