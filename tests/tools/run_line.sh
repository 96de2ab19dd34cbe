# Runs one named line of a .tests file: run_line.sh FILE.tests NAME BIN_DIR [LACKING].
#
# A .tests file holds one test a line; a trailing backslash continues it, '#' lines are comments:
#     name: shell line                        the line must exit with 0
#     name: !3 shell line                     the line must exit with 3
#     name: shell line  # grep: some text     and stdout or stderr must hold the text; may be repeated
# The line runs under `set -euo pipefail` in a fresh folder that is removed afterwards, with the build's programs first on
# PATH and VOLPT_TESTS_DIR naming the source folder tests/. A line that mentions VOLPT_TEST_DATA is skipped, visibly,
# where that variable is not set; so is one that matches LACKING, the names of formats that this build leaves out, and one
# that exits with 77, having said why.
set -euo pipefail

file=$1 name=$2 bin_dir=$3 lacking=${4:-}
text=$(awk -v name="$name" '
    function strip(s) { sub(/\\$/, "", s); return s }
    joined { sub(/^[ \t]+/, ""); printf "%s", strip($0); joined = /\\$/; next }
    index($0, name ":") == 1 { printf "%s", strip(substr($0, length(name) + 2)); joined = /\\$/; count++ }
    END { if (count != 1) exit 1 }' "$file") || { echo "$file: '$name' is not there exactly once" >&2; exit 1; }
text=${text#"${text%%[![:space:]]*}"}

if [[ $text == *VOLPT_TEST_DATA* && -z ${VOLPT_TEST_DATA:-} ]]; then
    echo "skipped: VOLPT_TEST_DATA is not set"
    exit 77
fi
if [[ -n $lacking && $text =~ $lacking ]]; then
    echo "skipped: this build lacks ${BASH_REMATCH[0]}"
    exit 77
fi
expected_status=0
if [[ $text =~ ^!([0-9]+)[[:space:]]+(.*)$ ]]; then
    expected_status=${BASH_REMATCH[1]}
    text=${BASH_REMATCH[2]}
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/work"
# Through links, so that lines need no quotes where the checkout's path has a space.
ln -s "$(cd "$(dirname "$file")/.." && pwd)" "$folder/tests"
export PATH=$bin_dir:$PATH VOLPT_TESTS_DIR=$folder/tests XDG_CACHE_HOME=$folder/cache
if [[ -n ${VOLPT_TEST_DATA:-} ]]; then
    ln -s "$(cd "$VOLPT_TEST_DATA" && pwd)" "$folder/data"
    export VOLPT_TEST_DATA=$folder/data
fi
status=0
(cd "$folder/work" && exec bash -euo pipefail -c "$text") >"$folder/output" 2>&1 </dev/null || status=$?

cat "$folder/output"
if [[ $status -eq 77 && $expected_status -ne 77 ]]; then exit 77; fi
if [[ $status -ne $expected_status ]]; then
    echo "exit status $status, expected $expected_status, of: $text" >&2
    exit 1
fi
while [[ $text == *'# grep: '* ]]; do
    text=${text#*# grep: }
    wanted=${text%%# grep: *}
    wanted=${wanted%"${wanted##*[![:space:]]}"}
    grep -qF -- "$wanted" "$folder/output" || { echo "the output does not hold: $wanted" >&2; exit 1; }
done
