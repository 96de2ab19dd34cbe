#!/usr/bin/env bash
# Checks that run_line.sh sees what fails, wherever it stands, and refuses what it could not see.
# shellcheck disable=SC2016  # the texts are those of tests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset VOLPT_TEST_DATA
failures=0

# run FORM: standard input runs as a line or as a script; sets `status` and the file output.
run() {
    status=0
    if [[ $1 == line ]]; then
        { printf 'probe: '; cat; } >"$folder/probes.tests"
        bash run_line.sh "$folder/probes.tests" probe "$PWD" '[.]lacked' >"$folder/output" 2>&1 || status=$?
    else
        cat >"$folder/probe.sh"
        bash run_line.sh "$folder/probe.sh" probe "$PWD" '[.]lacked' >"$folder/output" 2>&1 || status=$?
    fi
}

# expect OUTCOME TEXT [SAID]: the line TEXT has this outcome, and the output holds SAID; so has the script that it becomes.
expect() {
    local outcome=$1 text=$2 said=${3:-} form found wanted
    for form in line script; do
        if [[ $form == script ]]; then
            [[ $outcome != refused && ! $text =~ ^![0-9] ]] || continue
            text=${text//; /$'\n'}
            text=${text// # grep:/$'\n'# grep:}
        fi
        run $form <<<"$text"
        found=$status
        if grep -q '^refused: ' "$folder/output"; then found="$status refused"; fi
        case $outcome in
            passes) wanted=0 ;;
            skipped) wanted=77 ;;
            refused) wanted="1 refused" ;;
            fails) wanted=1 ;;
        esac
        if [[ $found != "$wanted" || $(<"$folder/output") != *"$said"* ]]; then
            echo "a $form that $outcome ended with $found: $text" >&2
            cat "$folder/output" >&2
            failures=$((failures + 1))
        fi
    done
}

expect passes 'true'
expect passes 'true; echo text  # grep: text'
expect fails 'false'
expect fails 'false; true; true' 'failed: false'
expect fails 'true; false; true'
expect fails 'true; true; false'
expect fails 'for i in 1 2; do false; true; done; true'
expect fails 'for i in 1 2; do test $i = 2; done; true'
expect fails 'check() { false; true; }; check; true'
expect fails '(false; true); true'
expect fails '{ false; true; }; true'
expect fails 'false | true; true'
expect fails 'if true; then false; true; fi; true'
expect fails 'false & wait $!; true'
expect fails 'python3 -c "assert 1 == 2"; true' 'AssertionError'
expect fails 'echo $undefined; true'
expect passes 's=0; false || s=$?; test $s = 1'
expect fails 's=0; false || s=$?; test $s = 3'
expect fails 'false || { echo reason; exit 1; }; true' 'reason'

# What the output holds.
expect fails 'echo text  # grep: other' 'does not hold: other'
expect fails 'echo text  # grep: text  # grep: other' 'does not hold: other'
expect fails 'echo text  # grep: other  # grep: text' 'does not hold: other'
expect passes 'echo one two >&2  # grep: one  # grep: two'

# Exit status: that of the last command, and no other.
expect passes '!3 true; bash -c "exit 3"'
expect fails '!3 bash -c "exit 4"' 'exit status 4, expected 3'
expect fails '!3 true' 'exit status 0, expected 3'
expect fails '!3 bash -c "exit 3"; true' 'before the last command'
expect passes 'expect_status 3 bash -c "exit 3"; true'
expect fails 'expect_status 3 bash -c "exit 2"; true' 'exit status 2, expected 3'
expect fails 'expect_status 1 true 2>/dev/null; true' 'exit status 0, expected 1'
expect fails 'expect_status 1 grep -q text absent; true' 'exit status 2, expected 1'
expect fails 'expect_status 3 no_such_program; true' 'exit status 127'

# Substitutions.
expect fails 'x=$(false); true'
expect fails 'test "$(false)" = ""' 'failed: false'
expect fails 'test "$(false; echo 1)" = 1' 'failed: test'
expect fails 'for i in $(false); do true; done' 'failed: false'
expect fails 'diff <(false) <(false)' 'failed: false'
expect passes 'if test "$(cat absent)" = 1; then false; fi'

# What set -e passes over is refused before it runs.
expect refused 'false && true; true' '&&'
expect refused 'true && true' '&&'
expect refused 'for i in 1; do false && true; done' '&&'
expect refused 'x=$(false && true; echo 1)' '&&'
expect refused 'echo "$(false && true)"' '&&'
expect refused '(false && true; true)' '&&'
expect refused 'check() { false && true; true; }; check' '&&'
expect refused 'if true; then false && true; fi' '&&'
expect passes 'if true && test ! -e x; then true; fi'
expect passes 'while true && false; do true; done'
expect passes '[[ a = a && b = b ]]'
expect fails '[[ a = a && b = c ]]; true'
expect passes 'echo "a && b" '"'c && d'"' \&\& # grep: a && b c && d &&'
expect refused '! true; true' 'expect_status'
expect refused 'true; ! true' 'expect_status'
expect refused '! grep -q text absent' 'expect_status'
expect passes 'if ! false; then true; fi'
expect refused 'false || true' 'passed over'
expect refused 'false || :; true' 'passed over'
expect refused 'false || echo text; true' 'passed over'
expect refused 'test a = b || test a = c || true' 'passed over'
expect refused 's=0; false || s=$?; true' 'nothing reads s'
expect refused '{ false; true; } || exit 1' 'set -e does nothing'
expect refused '(false; true) || exit 1' 'set -e does nothing'
expect refused 'check() { false; true; }; check || exit 1' 'function check'
expect refused 'check() { false; true; }; if check; then true; fi' 'function check'
expect refused 'check() { false; true; }; expect_status 0 check' 'function check'
expect refused 'if false; true; then true; fi' 'last command of a condition'
expect refused 'check() { local x=$(false); true; }; check' '$(..)'
expect refused 'export x=$(false); true' '$(..)'
expect refused 'false & wait; true' 'wait PID'
expect refused 'test -n $x; true' 'without quotes'
expect refused 'if true; then true' 'refused'

# Skips are visible.
expect skipped 'echo "skipped: reason"; exit 77' 'skipped: reason'
expect skipped 'false; cat "$VOLPT_TEST_DATA/x"' 'skipped: VOLPT_TEST_DATA is not set'
expect skipped 'false; cat x.lacked' 'skipped: this build lacks .lacked'

expect refused 'true # greb: text' "no '# grep: text'"
run line <<<"true $(printf 'x%.0s' {1..300})"
if [[ $status -ne 1 ]] || ! grep -q 'are a script' "$folder/output"; then echo "a line of more than 300 characters passes" >&2; exit 1; fi
printf 'probe: true\nprobe: true\n' >"$folder/twice.tests"
if bash run_line.sh "$folder/twice.tests" probe "$PWD" 2>/dev/null; then echo "a name that stands twice passes" >&2; exit 1; fi
[[ $failures -eq 0 ]] || exit 1
echo "run_line.sh sees what fails"
