# Bash completes tables and printers by name and file.
c="bash $VOLPT_TESTS_DIR/tools/complete_bash.sh volprep"
: >j_own.json
: >elek_own.json
: >elek.txt
$c in.raw --materials elek >got
diff got - <<<$'elek2017\nelek2017_36\nelek_own.json'
$c --printer j7 >got
diff got - <<<j750
$c --printer=j >got
grep -qx j_own.json got
grep -qx j55 got
