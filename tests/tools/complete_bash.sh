#!/usr/bin/env bash
# Prints how bash completes the last of these words, one candidate a line: complete_bash.sh TOOL WORD.. 77: the build has no completion.
set -euo pipefail

tool=$1
shift
file=$(dirname "$(command -v "$tool")")/../share/bash-completion/completions/$tool
if [[ ! -r $file ]]; then
    echo "skipped: this build has no completion"
    exit 77
fi
# shellcheck disable=SC1090
source "$file"
COMP_WORDS=("$tool")
for word in "$@"; do
    # readline splits words at '=' and ':'.
    while [[ $word =~ ^([^=:]*)([=:]+)(.*)$ ]]; do
        if [[ -n ${BASH_REMATCH[1]} ]]; then COMP_WORDS+=("${BASH_REMATCH[1]}"); fi
        COMP_WORDS+=("${BASH_REMATCH[2]}")
        word=${BASH_REMATCH[3]}
    done
    if [[ -n $word || ! ${COMP_WORDS[-1]} =~ ^[=:]+$ ]]; then COMP_WORDS+=("$word"); fi
done
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMPREPLY=()
"_volpt_$tool"
if [[ ${#COMPREPLY[@]} -gt 0 ]]; then printf '%s\n' "${COMPREPLY[@]}"; fi
