# Help of every script that a user runs.
# grep: scripts
n=0
for s in $VOLPT_TESTS_DIR/../pipelines/* $VOLPT_TESTS_DIR/../bench/*; do
    # argparse has both words; shell scripts look for them.
    case $s in *.sh) run=bash words='--help -h' ;; *.py) run=python3 words=--help ;; *) continue ;; esac
    head -n 1 $s | grep -q '^#!' || continue
    if sed -n 2p $s | grep -q 'Sourced by'; then continue; fi
    for h in $words; do
        timeout 60 $run $s $h >text 2>&1 || {
            cat text
            echo "$s $h failed"
            exit 1
        }
        grep -q "${s##*/}" text || {
            cat text
            echo "$s $h: no help"
            exit 1
        }
    done
    n=$((n + 1))
done
test $n -gt 30
ls -A >../names
diff - ../names <<<text
echo "$n scripts"
