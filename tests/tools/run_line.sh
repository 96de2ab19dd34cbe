# Runs one test of the tools: run_line.sh FILE.tests NAME BIN_DIR [LACKING], or SCRIPT.sh NAME BIN_DIR [LACKING].
#
# A .tests file holds one test a line; a trailing backslash continues it, '#' lines are comments:
#     name: shell line                        the line must exit with 0
#     name: !3 shell line                     the last command of the line must exit with 3
#     name: shell line  # grep: some text     and stdout or stderr must hold the text; may be repeated
# A test of more than 300 characters is a script, TOPIC/NAME.sh, one command a line; '# grep: text' stands on lines of its own.
# Both run under `set -euo pipefail` in a fresh folder that is removed afterwards, with the build's programs first on
# PATH and VOLPT_TESTS_DIR naming the source folder tests/. `expect_status 3 COMMAND` ends the test unless COMMAND exits with 3.
# What `set -e` would not see is refused before anything runs (strict_shell.py lists it), and a command that fails inside
# $(..) or <(..) fails the test. A test that mentions VOLPT_TEST_DATA is skipped, visibly, where that variable is not set;
# so is one that matches LACKING, the names of formats that this build leaves out, and one that exits with 77, having said why.
set -euo pipefail

file=$1 name=$2 bin_dir=$3 lacking=${4:-}
tools_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ $file == *.tests ]]; then
    text=$(awk -v name="$name" '
        function strip(s) { sub(/\\$/, "", s); return s }
        joined { sub(/^[ \t]+/, ""); printf "%s", strip($0); joined = /\\$/; next }
        index($0, name ":") == 1 { printf "%s", strip(substr($0, length(name) + 2)); joined = /\\$/; count++ }
        END { if (count != 1) exit 1 }' "$file") || { echo "$file: '$name' is not there exactly once" >&2; exit 1; }
    text=${text#"${text%%[![:space:]]*}"}
    line_length=$((${#name} + 2 + ${#text}))
    [[ $line_length -le 300 ]] ||
        { echo "$file: '$name' has $line_length characters; more than 300 are a script, ${file%.tests}/$name.sh" >&2; exit 1; }
    form=--line
else
    text=$(<"$file")
    form=--script
fi

if [[ $text == *VOLPT_TEST_DATA* && -z ${VOLPT_TEST_DATA:-} ]]; then
    echo "skipped: VOLPT_TEST_DATA is not set"
    exit 77
fi
if [[ -n $lacking && $text =~ $lacking ]]; then
    echo "skipped: this build lacks ${BASH_REMATCH[0]}"
    exit 77
fi
expected_status=0
if [[ $form == --line && $text =~ ^!([0-9]+)[[:space:]]+(.*)$ ]]; then
    expected_status=${BASH_REMATCH[1]}
    text=${BASH_REMATCH[2]}
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/work"
# The text with a mark before its last command: a status other than 0 is expected of that one.
printf '%s\n' "$text" | python3 -BIS "$tools_dir/strict_shell.py" $form >"$folder/marked" || { echo "$file: $name" >&2; exit 1; }
# What tests fetch once, outside of the cache that each of them has for itself.
export VOLPT_TEST_CACHE=${VOLPT_TEST_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/volpt}
# Through links, so that lines need no quotes where the checkout's path has a space.
ln -s "$(cd "$tools_dir/.." && pwd)" "$folder/tests"
export PATH=$bin_dir:$PATH VOLPT_TESTS_DIR=$folder/tests XDG_CACHE_HOME=$folder/cache
if [[ -n ${VOLPT_TEST_DATA:-} ]]; then
    ln -s "$(cd "$VOLPT_TEST_DATA" && pwd)" "$folder/data"
    export VOLPT_TEST_DATA=$folder/data
fi
# Where a command in $(..) fails, `set -e` ends the substitution alone: the trap, which conditions do not start, keeps its name.
cat - "$folder/marked" >"$folder/test.sh" <<PRELUDE
set -Eeuo pipefail
shopt -s inherit_errexit
trap '[[ \$BASH_SUBSHELL -eq 0 ]] || printf "%s\n" "\$BASH_COMMAND" >>"$folder/unseen"; printf "%s\n" "\$BASH_COMMAND" >"$folder/failed"' ERR
expect_status() {
    local wanted=\$1 status=0
    shift
    "\$@" || status=\$?
    [[ \$status -eq \$wanted ]] || { echo "exit status \$status, expected \$wanted, of: \$*" >"$folder/failed"; exit 1; }
}
VOLPT_LAST=$folder/last
PRELUDE
status=0
(cd "$folder/work" && exec bash "$folder/test.sh") >"$folder/output" 2>&1 </dev/null || status=$?

# explain REASON: why the test fails, and the command that failed.
explain() {
    echo "$1" >&2
    [[ ! -s $folder/failed ]] || { echo "failed: $(<"$folder/failed")" >&2; }
}

cat "$folder/output"
if [[ $status -eq 77 && $expected_status -ne 77 ]]; then exit 77; fi
if [[ $status -ne $expected_status ]]; then
    explain "exit status $status, expected $expected_status, of: $text"
    exit 1
fi
if [[ $expected_status -ne 0 && ! -e $folder/last ]]; then
    explain "exit status $status came before the last command of: $text"
    exit 1
fi
if [[ -s $folder/unseen ]]; then
    echo "a command in \$(..) or <(..) failed: $(<"$folder/unseen")" >&2
    exit 1
fi
while [[ $text == *'# grep: '* ]]; do
    text=${text#*# grep: }
    wanted=${text%%# grep: *}
    [[ $form == --line ]] || wanted=${wanted%%$'\n'*}
    wanted=${wanted%"${wanted##*[![:space:]]}"}
    grep -qF -- "$wanted" "$folder/output" || { echo "the output does not hold: $wanted" >&2; exit 1; }
done
